// What process says of itself: names that an environment cannot hold, what keeps it alive, a zone from the environment of a child.
const { spawnSync } = require('node:child_process');
const net = require('node:net');
process.env[''] = 'x';
process.env['a=b'] = 'x';
process.env.kept = 5;
Object.defineProperty(process.env, 'c=d', { value: 'x', configurable: true, writable: true, enumerable: true });
console.log(Object.keys(process.env).filter((name) => name === '' || name.includes('=')), process.env[''], process.env.kept);

const active = () => process.getActiveResourcesInfo().filter((name) => !/^(TTY|Pipe)Wrap$/.test(name)).sort().join();
console.log('nothing', active());
setTimeout(() => {}, 10);
setTimeout(() => {}, 10).unref();
setImmediate(() => {});
setImmediate(() => {}).unref();
console.log('timers', active());
const server = net.createServer().listen(0, () => {
  console.log('server', active().replace('Immediate,', ''));
  server.close(() => setTimeout(() => console.log('end', active().replace('Immediate,', '')), 50));
});

const zone = (TZ) => spawnSync(process.execPath, ['-p', 'new Date(0).toString() + " " + new Date(1970, 0, 1).toISOString()'], { env: { ...process.env, TZ }, encoding: 'utf8' }).stdout.trim();
for (const TZ of ['UTC', 'Asia/Tokyo', 'America/New_York', ':Europe/Paris', 'Etc/GMT+5', 'UTC-3']) console.log(TZ, zone(TZ));
for (const args of [['--no-max-http-header-size'], ['--bad-option']]) {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input: '' });
  console.log(status, stderr.replace(process.execPath, 'node').trim());
}
console.log(spawnSync(process.execPath, ['-p', '1'], { env: { ...process.env, NODE_OPTIONS: '-v' }, encoding: 'utf8' }).stderr.replace(process.execPath, 'node').trim());

// worker_threads: one check after the other, each with its own threads; what they print is compared with real Node's.
const wt = require('node:worker_threads');
const { Worker, isMainThread, parentPort, workerData, MessageChannel, receiveMessageOnPort, BroadcastChannel } = wt;
const { once } = require('node:events');

const parts = {
  async echo(data) {
    parentPort.on('message', (message) => {
      if (message === 'end') return parentPort.close();
      parentPort.postMessage({ back: message, data });
    });
  },
  async throws() {
    function inner() { throw Object.assign(new RangeError('from the thread'), { code: 'E_X', extra: [1] }); }
    inner();
  },
  async rejects() { Promise.reject(new TypeError('rejected there')); },
  async throwsText() { throw 'text'; },
  async unserializable() { throw Object.assign(new Error('has a function'), { fn() {} }); },
  async exits() { process.on('exit', (code) => parentPort.postMessage(`exit event ${code}`)); process.exit(7); },
  async exitCode() { process.exitCode = 4; },
  async spins() { parentPort.postMessage('spinning'); for (;;); },
  async waits(shared) {
    const words = new Int32Array(shared);
    parentPort.postMessage('waiting');
    const result = Atomics.wait(words, 0, 0);
    parentPort.postMessage([result, Atomics.add(words, 1, 5)]);
  },
  async sync({ port, shared }) {
    port.on('message', (n) => {
      port.postMessage({ square: n * n, big: 'x'.repeat(n) });
      const moved = Uint8Array.of(n, 2);
      port.postMessage({ moved, left: moved.subarray(1) }, [moved.buffer]);
      Atomics.store(new Int32Array(shared), 0, 1);
      Atomics.notify(new Int32Array(shared), 0);
    });
  },
  async stdio() {
    process.stdout.write('to stdout\n');
    console.error('to stderr');
    let text = '';
    for await (const chunk of process.stdin) text += chunk;
    console.log('stdin was', JSON.stringify(text));
  },
  async environment() {
    process.env.FROM_THREAD = '1';
    parentPort.postMessage([process.env.GIVEN, process.env.HOME === undefined, wt.getEnvironmentData('key')]);
  },
  async identity() {
    const failed = (run) => { try { return run(); } catch (error) { return error.code; } };
    parentPort.postMessage([wt.threadId > 0, wt.threadName, process.pid === workerData.data, process.argv.slice(2), process.execArgv, wt.resourceLimits.maxOldGenerationSizeMb,
      failed(() => process.chdir('/')), failed(() => process.umask(0)), failed(() => process.abort()), typeof process.send, wt.isInternalThread, require.main === module]);
  },
  async directory() { parentPort.on('message', () => { parentPort.postMessage(process.cwd()); parentPort.close(); }); parentPort.postMessage(process.cwd()); },
  async radio(name) {
    const channel = new BroadcastChannel('news');
    channel.onmessage = ({ data }) => { channel.postMessage(`${name} heard ${data}`); channel.close(); };
    parentPort.postMessage('tuned in');
  },
  async nested(depth) {
    if (depth === 0) return parentPort.postMessage(['bottom']);
    const child = start('nested', depth - 1);
    const [list] = await once(child, 'message');
    await child.ended;
    parentPort.postMessage([...list, depth]);
  },
  async children() {
    const { execFileSync, spawn } = require('node:child_process');
    const sync = execFileSync(process.execPath, ['-p', '6*7']).toString();
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("async child"); process.exitCode = 5']);
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    const [code] = await once(child, 'close');
    parentPort.postMessage([sync, text, code]);
  },
  async server() {
    const server = require('node:http').createServer((request, response) => response.end(`thread says ${request.url}`));
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
    parentPort.once('message', () => server.close());
  },
  async files(name) {
    const fs = require('node:fs');
    for (let n = 0; n < 50; n++) fs.writeFileSync(`${name}-${n}.txt`, name.repeat(100 + n));
    parentPort.postMessage(fs.readFileSync(`${name}-49.txt`, 'utf8').length);
  },
  async pair(port) { port.postMessage('hello, other'); port.once('message', (message) => { parentPort.postMessage(message); port.close(); }); },
  async letters() { process.on('workerMessage', (value, source) => parentPort.postMessage([value, source])); parentPort.once('message', () => process.exit()); parentPort.postMessage('ready'); },
  async scribbles(name) {
    const fs = require('node:fs');
    parentPort.postMessage('scribbling');
    for (let n = 0; ; n++) {
      fs.writeFileSync(name, 'x'.repeat(n % 5000));
      fs.renameSync(name, `${name}.2`);
    }
  },
  async idle() { setInterval(() => {}, 1000); },
};

function start(part, data, options = {}) {
  const worker = new Worker(__filename, { ...options, workerData: { part, data } });
  worker.ended = new Promise((resolve) => worker.once('exit', resolve));
  return worker;
}
const log = (...values) => console.log(...values);
async function lifetime(worker) {
  worker.on('message', (message) => log('  message', message));
  worker.on('error', (error) => log('  error', error?.name, error?.message, error?.code, typeof error, error instanceof Error, /\n    at inner \(.*threads\.js:\d+:\d+\)/.test(error?.stack)));
  const code = await worker.ended;
  log('  exit', code, worker.threadId);
}

async function main() {
  log('echo');
  const echo = start('echo', new Map([['k', new Date(0)]]));
  log('  id', echo.threadId > 0, wt.threadId, isMainThread, parentPort, workerData);
  echo.once('online', () => log('  online'));
  const buffer = new Uint8Array([1, 2, 3]);
  echo.postMessage(buffer, [buffer.buffer]);
  log('  left', buffer.length);
  log('  got', (await once(echo, 'message'))[0]);
  echo.postMessage('end');
  log('  code', await echo.ended);
  for (const part of ['throws', 'rejects', 'throwsText', 'unserializable', 'exits', 'exitCode']) {
    log(part);
    await lifetime(start(part));
  }
  log('terminate');
  const spinning = start('spins');
  await once(spinning, 'message');
  log('  code', await spinning.terminate(), await spinning.terminate());
  log('Atomics');
  const shared = new SharedArrayBuffer(8);
  const waiting = start('waits', shared);
  await once(waiting, 'message');
  setTimeout(() => { Atomics.store(new Int32Array(shared), 0, 1); Atomics.notify(new Int32Array(shared), 0); }, 20);
  log('  got', (await once(waiting, 'message'))[0], new Int32Array(shared));
  await waiting.ended;
  log('synchronous');
  const { port1, port2 } = new MessageChannel();
  const flag = new SharedArrayBuffer(4);
  const worker = start('sync', { port: port2, shared: flag }, { transferList: [port2] });
  for (const n of [3, 9]) {
    Atomics.store(new Int32Array(flag), 0, 0);
    port1.postMessage(n);
    Atomics.wait(new Int32Array(flag), 0, 0);
    log('  got', receiveMessageOnPort(port1), receiveMessageOnPort(port1), receiveMessageOnPort(port1));
  }
  port1.close();
  await worker.ended;
  log('stdio');
  const talker = start('stdio', null, { stdin: true, stdout: true, stderr: true });
  talker.stdin.end('typed');
  const chunks = { out: '', err: '' };
  talker.stdout.on('data', (chunk) => (chunks.out += chunk));
  talker.stderr.on('data', (chunk) => (chunks.err += chunk));
  await talker.ended;
  log(chunks);
  log('environment');
  wt.setEnvironmentData('key', { a: 1 });
  const given = start('environment', null, { env: { GIVEN: 'yes' } });
  log('  got', (await once(given, 'message'))[0], process.env.FROM_THREAD);
  log('identity');
  const named = start('identity', process.pid, { name: 'bob', argv: ['x', 2], execArgv: ['--no-warnings'], resourceLimits: { maxOldGenerationSizeMb: 64 } });
  log('  name', named.threadName, named.resourceLimits.maxOldGenerationSizeMb);
  log('  got', (await once(named, 'message'))[0]);
  log('directory');
  const mover = start('directory');
  const before = (await once(mover, 'message'))[0];
  const home = process.cwd();
  process.chdir('lib');
  mover.postMessage(1);
  log('  got', before === home, (await once(mover, 'message'))[0] === process.cwd(), home !== process.cwd());
  process.chdir(home);
  log('broadcast');
  const channel = new BroadcastChannel('news');
  const heard = [];
  channel.onmessage = ({ data }) => heard.push(data);
  const listeners = ['a', 'b'].map((name) => start('radio', name));
  await Promise.all(listeners.map((listener) => once(listener, 'message')));
  channel.postMessage('the news');
  await Promise.all(listeners.map((listener) => listener.ended));
  while (heard.length < 2) await new Promise(setImmediate);
  channel.close();
  log('  ', heard.filter((text) => /heard the news$/.test(text)).sort());
  log('nested');
  await lifetime(start('nested', 2));
  log('children');
  await lifetime(start('children'));
  log('server');
  const server = start('server');
  const [port] = await once(server, 'message');
  log('  ', await (await fetch(`http://127.0.0.1:${port}/path`)).text());
  server.postMessage('stop');
  await server.terminate();
  log('files');
  const writers = ['p', 'q', 'r'].map((name) => start('files', name));
  log('  ', (await Promise.all(writers.map((writer) => once(writer, 'message')))).flat());
  await Promise.all(writers.map((writer) => writer.ended));
  for (const name of ['p', 'q', 'r']) for (let n = 0; n < 50; n++) require('node:fs').unlinkSync(`${name}-${n}.txt`);
  log('thread to thread');
  const between = new MessageChannel();
  const pair = [start('pair', between.port1, { transferList: [between.port1] }), start('pair', between.port2, { transferList: [between.port2] })];
  log('  ', (await Promise.all(pair.map((one) => once(one, 'message')))).flat());
  await Promise.all(pair.map((one) => one.ended));
  log('letters');
  const reader = start('letters');
  await once(reader, 'message');
  const letter = once(reader, 'message');
  await wt.postMessageToThread(reader.threadId, { dear: 'thread' });
  log('  ', (await letter)[0]);
  await wt.postMessageToThread(9999, 1).catch((error) => log('  ', error.code));
  reader.postMessage('done');
  await reader.ended;
  log('sources');
  for (const [source, options] of [
    ['require("worker_threads").parentPort.postMessage("classic " + __filename)', { eval: true }],
    [new URL('data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.postMessage("module " + typeof require)'), {}],
    [require('node:path').resolve('missing-file.js'), {}],
    ['syntax error here', { eval: true }],
  ]) {
    const made = new Worker(source, options);
    made.on('message', (message) => log('  message', message));
    made.on('error', (error) => log('  error', error.name, error.code, error.message.split('\n')[0].replace(process.cwd(), '.')));
    await new Promise((resolve) => made.on('exit', resolve));
  }
  for (const bad of [() => new Worker('relative.js'), () => new Worker(1), () => new Worker(__filename, { execArgv: ['--bogus'] }), () => new Worker(__filename, { workerData() {} }), () => new Worker(__filename, { env: 1 })]) {
    try { bad(); log('no error'); } catch (error) { log('  ', error.name, error.code, error.message); }
  }
  log('options of a thread');
  const refused = (options) => { try { const made = new Worker('0', { eval: true, stdout: true, stderr: true, ...options }); made.on('error', () => {}); made.terminate(); return 'ok'; } catch (error) { return error.message; } };
  for (const option of ['--title=x', '--expose_gc', '--max-old-space-size=10', '--icu-data-dir=x', '--abort-on-uncaught-exception', '--stack-trace-limit=5', '--no-warnings', '--conditions=x', '--require', '-r', '--disable-proto=delete', '--harmony', '-e', '--version', '--trace-sigint', '--title', '--throw-deprecation', '--experimental-vm-modules'])
    log('  ', option, refused({ execArgv: [option] }));
  log('  ', refused({ execArgv: ['--title=x', '--no-warnings', '--nope'] }));
  for (const NODE_OPTIONS of ['--title=x', '--max-old-space-size=10', '--nope=1', '--no-warnings', '-r fs', '--eval=1', '--require', '--use-openssl-ca', '"--conditions=a b', '--conditions="a b"', '--stack-trace-limit=3'])
    log('  ', NODE_OPTIONS, refused({ env: { NODE_OPTIONS } }));
  log('what travels');
  const c = require('node:crypto');
  const net = require('node:net');
  const list = new net.BlockList();
  list.addAddress('1.1.1.1');
  list.addSubnet('fe80::', 10, 'ipv6');
  list.addRange('10.0.0.1', '10.0.0.9');
  const { privateKey, publicKey } = c.generateKeyPairSync('ed25519');
  const secret = c.createSecretKey('abc', 'utf8');
  const cryptoKey = await c.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt']);
  const keeper = new Worker(`const { parentPort, workerData: { list, privateKey, secret, cryptoKey, address } } = require('node:worker_threads');
    const { sign } = require('node:crypto');
    parentPort.postMessage([list.rules, list.check('10.0.0.3'), secret.type, secret.export().toString(), privateKey.asymmetricKeyType, cryptoKey.algorithm, cryptoKey.usages, address.address, address.port]);
    parentPort.postMessage(sign(null, Buffer.from('a'), privateKey));
    parentPort.postMessage({ secret, cryptoKey });`, { eval: true, workerData: { list, privateKey, secret, cryptoKey, address: new net.SocketAddress({ address: '::1', family: 'ipv6', port: 5 }) } });
  const heard = [];
  keeper.on('message', (message) => heard.push(message));
  await once(keeper, 'exit');
  log('  ', heard[0], c.verify(null, Buffer.from('a'), publicKey, heard[1]), heard[2].secret.equals(secret), heard[2].cryptoKey, structuredClone(privateKey).equals(privateKey));
  for (const made of [() => new URLPattern({ pathname: '/a' }), () => new (require('node:v8').Serializer)(), () => require('node:zlib').createGzip()._handle, () => [].values(), () => globalThis, () => new DisposableStack(), () => new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))), () => class Long { constructor() { this.a = 'a text that is long enough to be shortened'; this.b = 'and another one that is as long'; this.c = 'x'; } }, () => new Proxy({}, { get: (_, key) => log('asked', key) })])
    try { log('  ', structuredClone(made())); } catch (error) { log('  ', error.name, error.message); }
  const marked = {};
  wt.markAsUncloneable(marked);
  try { structuredClone(marked); } catch (error) { log('  ', error.name, error.message); }
  const fixed = new ArrayBuffer(4);
  wt.markAsUntransferable(fixed);
  try { port1.postMessage(fixed, [fixed]); log('   closed port', fixed.byteLength); } catch (error) { log('  ', error.name, error.message); }
  log('terminated inside the file system');
  for (let round = 0; round < 6; round++) {
    const scribbler = start('scribbles', `scribble-${round}`);
    await once(scribbler, 'message');
    await scribbler.terminate();
    require('node:fs').writeFileSync('after.txt', 'still here');
    require('node:fs').rmSync('after.txt');
    for (const name of [`scribble-${round}`, `scribble-${round}.2`]) require('node:fs').rmSync(name, { force: true });
  }
  log('  ', require('node:fs').readdirSync('.').filter((name) => name.startsWith('scribble')));
  start('idle').unref();
  log('end');
}

if (isMainThread) main();
else parts[workerData.part](workerData.data);

// What a socket tells when its other side goes, and addresses.
const net = require('node:net');
const http = require('node:http');
const log = (...values) => console.log(...values);
(async () => {
  const server = net.createServer((socket) => { socket.on('error', (error) => log('server', error.code)); socket.on('close', (bad) => log('server close', bad)); socket.end('bye'); });
  await new Promise((resolve) => server.listen(0, resolve));
  const { port } = server.address();
  const client = net.connect(port, 'localhost');
  client.on('data', (data) => log('data', String(data))).on('end', () => log('end')).on('error', (error) => log('error', error.code));
  await new Promise((resolve) => client.on('close', (bad) => { log('close', bad); resolve(); }));
  await new Promise((resolve) => server.close(resolve));

  // A kept connection whose server has gone is used once more.
  const web = http.createServer((request, response) => response.end('hello'));
  await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
  const agent = new http.Agent({ keepAlive: true });
  const options = { port: web.address().port, host: '127.0.0.1', agent };
  const ask = () => new Promise((resolve) => http.get(options, (response) => { response.resume(); response.on('end', () => resolve(response.statusCode)); }).on('error', (error) => resolve(`${error.code} ${error.message.replace(/:\d+$/, '')}`)));
  log(await ask(), await ask());
  web.closeAllConnections();
  log(await ask());
  await new Promise((resolve) => web.close(resolve));
  agent.destroy();
  log(await ask());
  for (const address of ['::1', 'fe80::1', '::ffff:1.2.3.4', '1.2.3.4', 'x']) log(address, net.isIP(address));
  const both = net.createServer().listen({ port: 0, host: 'localhost' });
  await new Promise((resolve) => both.on('listening', resolve));
  log(both.address().address === '127.0.0.1' || both.address().address === '::1');
  both.close();

  // The name of a Unix socket is neither file nor folder.
  const fs = require('node:fs');
  const { execSync } = require('node:child_process');
  const unix = net.createServer().listen('./s.sock');
  await new Promise((resolve) => unix.on('listening', resolve));
  const stats = fs.statSync('s.sock');
  log(stats.isSocket(), stats.isFile(), (stats.mode & 0o170000).toString(8), fs.readdirSync('.', { withFileTypes: true }).filter((entry) => entry.isSocket()).map((entry) => entry.name));
  const attempts = [() => fs.readFileSync('s.sock'), () => fs.writeFileSync('s.sock', 'x'), () => fs.copyFileSync('s.sock', 'b'), () => fs.cpSync('s.sock', 'c')];
  for (const attempt of attempts) try { attempt(); } catch (error) { log(error.code, error.message.replaceAll(process.cwd(), '.')); }
  log(execSync('ls -l s.sock | cut -c1-10; find . -type s; test -S s.sock; echo $?; test -f s.sock; echo $?; ls -F s.sock; stat -c %F s.sock; cat s.sock 2>&1; true', { encoding: 'utf8' }));
  net.createServer().on('error', (error) => log(error.code)).listen('./s.sock').on('close', () => {});
  await new Promise((resolve) => net.connect('./s.sock', function () { this.destroy(); unix.close(resolve); }));
  log(fs.existsSync('s.sock'));
  const open = net.createServer().listen({ path: './o.sock', readableAll: true, writableAll: true });
  await new Promise((resolve) => open.on('listening', resolve));
  log((fs.statSync('o.sock').mode & 0o777).toString(8));
  open.close();
  await new Promise((resolve) => net.connect(`./${'x'.repeat(200)}`).on('error', (error) => resolve(log(error.code))));

  // A connection that is reset, or closed before everything in it was read; and one whose other side has gone before much is written.
  const events = async (act) => {
    const told = [];
    let accepted;
    const peer = net.createServer((socket) => { accepted = socket; socket.pause(); }).listen(0, '127.0.0.1');
    await new Promise((resolve) => peer.on('listening', resolve));
    const socket = net.connect(peer.address().port, '127.0.0.1');
    socket.on('data', (data) => told.push(`data ${data}`)).on('end', () => told.push('end')).on('error', (error) => told.push(`${error.code} ${error.syscall}`));
    const closed = new Promise((resolve) => socket.on('close', (bad) => resolve(told.push(`close ${bad}`))));
    await new Promise((resolve) => socket.on('connect', resolve));
    while (!accepted) await new Promise((resolve) => setTimeout(resolve, 5));
    await act(socket, accepted);
    await closed;
    peer.close();
    log(told.join(', '));
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
  await events(async (_socket, accepted) => { accepted.write('last words'); await pause(); accepted.resetAndDestroy(); });
  await events(async (socket, accepted) => { socket.write('nobody reads this'); await pause(); accepted.destroy(); });
  await events(async (socket, accepted) => { socket.pause(); accepted.destroy(); await pause(); socket.write(Buffer.alloc(20_000_000)); });

  // Addresses as they are shown, and those that a client chooses.
  const shown = net.createServer((socket) => { log(socket.remoteAddress, socket.localAddress); socket.end(); }).listen(0, '0.0.0.0');
  await new Promise((resolve) => shown.on('listening', resolve));
  log(Object.keys(shown.address()).join());
  for (const localAddress of [undefined, '127.0.0.2']) {
    const from = net.connect({ port: shown.address().port, host: '127.0.0.1', localAddress });
    await new Promise((resolve) => from.resume().on('close', resolve).on('connect', () => log(from.localAddress, from.address().family)));
  }
  shown.close();

  // Reading into buffers of the program's own, another one for each read.
  const words = net.createServer((socket) => socket.end('hello world')).listen(0, '127.0.0.1');
  await new Promise((resolve) => words.on('listening', resolve));
  const pool = [Buffer.alloc(4), Buffer.alloc(4)];
  const parts = [];
  let used = 0;
  const reader = net.connect({ port: words.address().port, host: '127.0.0.1', onread: { buffer: () => pool[used++ % 2], callback: (count, buffer) => { parts.push(buffer.toString('latin1', 0, count)); } } });
  await new Promise((resolve) => reader.on('close', resolve));
  log(parts, used);
  words.close();
})();

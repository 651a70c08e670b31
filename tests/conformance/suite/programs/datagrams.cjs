// UDP between sockets and processes of one machine; and a program that goes on after an exception in a connection.
const dgram = require('node:dgram');
const net = require('node:net');
const { fork } = require('node:child_process');
const { once } = require('node:events');
if (process.argv[2] === 'child') {
  const socket = dgram.createSocket('udp4');
  socket.on('message', (text) => { console.log('child', String(text)); socket.close(); process.disconnect(); });
  socket.send('from the child', Number(process.argv[3]), '127.0.0.1');
} else (async () => {
  const server = dgram.createSocket('udp4');
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  console.log(Object.keys(server.address()).join(), server.address().family);
  const client = dgram.createSocket('udp4');
  client.send([Buffer.from('a'), 'bc'], port, 'localhost', (error, bytes) => console.log('sent', error, bytes));
  const [text, from] = await once(server, 'message');
  console.log(String(text), Object.keys(from).join(), from.address, from.port === client.address().port, from.size);
  server.send(text.subarray(1, 3), from.port, from.address);
  console.log(String((await once(client, 'message'))[0]));
  const taken = dgram.createSocket('udp4').bind(port, '127.0.0.1');
  console.log((await once(taken, 'error').catch((error) => [error]))[0].code);
  client.send(Buffer.alloc(70000), port, '127.0.0.1', (error) => console.log(error.code, error.syscall));
  await new Promise((resolve) => setTimeout(resolve, 20));
  client.connect(port, '127.0.0.1', () => { console.log(client.remoteAddress().port === port); client.send('connected'); });
  console.log(String((await once(server, 'message'))[0]));
  client.disconnect();
  try { client.remoteAddress(); } catch (error) { console.log(error.code); }
  const child = fork(__filename, ['child', port]);
  const [words, sender] = await once(server, 'message');
  console.log(String(words));
  server.send('to the child', sender.port, sender.address);
  await once(child, 'exit');
  const all = [];
  server.on('message', (bytes) => all.push(bytes[0]));
  for (let n = 0; n < 50; n++) client.send(Uint8Array.of(n), port, '127.0.0.1');
  while (all.length < 50) await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(all.join());
  client.close(); server.close();
  const own = dgram.createSocket('udp4');
  own.bind(() => own.send('to myself', own.address().port, 'localhost'));
  console.log(String((await once(own, 'message'))[0]));
  own.close();
  const tcp = net.createServer({}).on('listening', () => console.log('tcp has the port too')).listen(port, '127.0.0.1', () => tcp.close());
  await once(tcp, 'close');

  // What throws in a 'data' listener leaves the connection readable.
  process.once('uncaughtException', (error) => console.log('caught', error.message));
  const talker = net.createServer((socket) => { socket.write('one'); setTimeout(() => socket.end('two'), 50); }).listen(0, '127.0.0.1');
  await once(talker, 'listening');
  const listener = net.connect(talker.address().port, '127.0.0.1');
  listener.on('data', (data) => { console.log(String(data)); if (String(data) === 'one') throw new Error('in data'); });
  await once(listener, 'close');
  talker.close();
})();

// A connection that is sent to a child process, which answers on it.
const { fork } = require('node:child_process'), net = require('node:net');
if (process.argv[2]) process.on('message', (m, socket) => { socket.end(`${m} from the child, ${socket.remotePort > 0}\n`); process.disconnect(); });
else {
  const child = fork(__filename, ['child']);
  const server = net.createServer({ pauseOnConnect: true }, (socket) => child.send('hello', socket)).listen(0, '127.0.0.1', () => {
    net.connect(server.address().port, '127.0.0.1').on('data', (d) => process.stdout.write(d)).on('close', () => { console.log('closed'); server.close(() => console.log('server closed')); });
  });
  child.on('exit', (code) => console.log('exit', code));
}

// cluster: connections are spread over the workers, messages go both ways, all end when they are told to.
const cluster = require('node:cluster');
const http = require('node:http');

if (cluster.isPrimary) {
  cluster.setupPrimary({ args: ['x'] });
  const ended = [];
  let listening = 0;
  cluster.on('listening', (_, { port }) => ++listening === 2 && run(port));
  cluster.on('exit', (worker, code, signal) => {
    ended.push([code, signal, worker.exitedAfterDisconnect]);
    if (ended.length === 2) console.log(ended);
  });
  for (const name of ['a', 'b']) cluster.fork({ NAME: name });
  async function run(port) {
    const answers = new Set();
    const headers = { connection: 'close' };
    for (let i = 0; i < 8; i++) answers.add(await (await fetch(`http://127.0.0.1:${port}`, { headers })).text());
    console.log([...answers].sort(), Object.keys(cluster.workers));
    cluster.workers[1].once('message', (message) => {
      console.log(message);
      cluster.disconnect(() => console.log('all gone'));
    });
    cluster.workers[1].send('hi');
  }
} else {
  http.createServer((_, response) => response.end(`by ${process.env.NAME}`)).listen(0);
  process.on('message', (message) => process.send([message, cluster.worker.id, process.argv[2]]));
}

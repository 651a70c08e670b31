// Sockets and HTTP inside the sandbox, in real Chromium: every program runs in real Node too, and both must print the same.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';

let sandbox: SandboxBrowser;
test.beforeAll(async () => {
  sandbox = await startSandboxBrowser();
});
test.afterAll(() => sandbox?.close());

const NODE = path.resolve('node_modules/.bin/node');

/** What real Node prints for the program. */
function native(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cloche-network-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    return execFileSync(NODE, ['main.js'], {
      cwd: folder,
      encoding: 'utf8',
      // Nothing else: the runner's FORCE_COLOR would colour what is compared.
      env: { NODE_ENV: 'test', PATH: `${path.dirname(NODE)}:${process.env.PATH}` },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const HTTP = `
const http = require('http');
const server = http.createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => (body += text));
  request.on('end', () => {
    response.setHeader('x-tags', ['a', 'b']);
    response.end(request.method + ' ' + request.url + ' ' + body.length);
  });
});
`;

const PROGRAMS: Record<string, Record<string, string>> = {
  'an HTTP server and its client in one process': {
    'main.js': `${HTTP}
      server.listen(0, async () => {
        const url = 'http://localhost:' + server.address().port;
        http.get(url + '/get?x=1', (response) => {
          response.setEncoding('utf8').on('data', (text) => console.log(response.statusCode, response.headers['x-tags'], text));
          response.on('end', async () => {
            const answer = await fetch(url + '/post', { method: 'POST', body: 'ů'.repeat(500000) });
            console.log(answer.status, await answer.text());
            server.close(() => console.log('closed'));
          });
        });
      });`,
  },
  'an HTTP server in a child process': {
    'server.js': `${HTTP}
      server.listen(0, () => process.send(server.address().port));
      process.on('message', () => { server.close(); process.disconnect(); });`,
    'main.js': `
      const child = require('child_process').fork('./server.js');
      child.on('message', async (port) => {
        const answers = await Promise.all([1, 2, 3, 4].map((n) => fetch('http://127.0.0.1:' + port + '/' + n).then((r) => r.text())));
        console.log(answers);
        child.send('stop');
      });
      child.on('exit', (code) => console.log('exit', code));`,
  },
  'a port that is taken': {
    'main.js': `
      const net = require('net');
      const first = net.createServer().listen(0, () => {
        const { port } = first.address();
        const second = net.createServer();
        second.on('error', (error) => {
          console.log(error.code, error.syscall, error.port === port, error.address, error.message.replace(port, 'PORT'));
          first.close(() => {
            const third = net.createServer().listen(port, () => { console.log('free again'); third.close(); });
          });
        });
        second.listen(port, () => console.log('never'));
      });`,
  },
  'nobody listens': {
    'main.js': `
      const net = require('net');
      net.connect(9, '127.0.0.1').on('error', (error) => console.log(error.code, error.syscall, error.address, error.port, error.message));
      fetch('http://127.0.0.1:9/').catch((error) => console.log(error.cause.code || error.cause.message));`,
  },
  'half-closed sockets': {
    'main.js': `
      const net = require('net');
      const server = net.createServer({ allowHalfOpen: true }, (socket) => {
        let text = '';
        socket.setEncoding('utf8').on('data', (piece) => (text += piece)).on('end', () => socket.end(text.toUpperCase()));
      }).listen(0, '127.0.0.1', () => {
        const client = net.connect(server.address().port, '127.0.0.1', () => {
          console.log(client.remoteAddress, client.remoteFamily, client.remotePort === server.address().port);
          client.end('half closed');
        });
        console.log(client.connecting, server.address().address, server.address().family);
        client.setEncoding('utf8').on('data', (text) => console.log(text));
        client.on('close', (hadError) => { console.log('close', hadError, client.bytesRead, client.bytesWritten); server.close(); });
      });`,
  },
  'Unix sockets': {
    'main.js': `
      const net = require('net');
      const server = net.createServer((socket) => socket.pipe(socket)).listen('./talk.sock', () => {
        const client = net.connect('./talk.sock', () => client.end('over a path'));
        client.on('data', (bytes) => console.log(String(bytes), server.address()));
        client.on('close', () => server.close(() => console.log(require('fs').existsSync('./talk.sock'))));
      });
      net.connect('./none.sock').on('error', (error) => console.log(error.code, error.syscall, error.address));`,
  },
  'name look-up': {
    'main.js': `
      const dns = require('dns');
      dns.lookup('127.0.0.1', (...answer) => console.log(...answer));
      dns.lookup('localhost', { family: 4 }, (...answer) => {
        console.log(...answer);
        dns.lookup('no such name', (error) => console.log(error.code, error.syscall, error.hostname));
      });`,
  },
  'a kept connection and an upgrade': {
    'main.js': `
      const http = require('http');
      const sockets = new Set();
      const server = http.createServer((request, response) => { sockets.add(request.socket); response.end('ok'); });
      server.on('upgrade', (request, socket, head) => {
        socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: echo\\r\\nConnection: Upgrade\\r\\n\\r\\n');
        socket.pipe(socket);
      });
      server.listen(0, () => {
        const agent = new http.Agent({ keepAlive: true });
        const options = { port: server.address().port, agent };
        const get = (then) => http.get(options, (response) => response.resume().on('end', () => setTimeout(then, 20)));
        get(() => get(() => {
          console.log('sockets', sockets.size);
          agent.destroy();
          const request = http.request({ port: options.port, headers: { Connection: 'Upgrade', Upgrade: 'echo' } });
          request.on('upgrade', (response, socket) => {
            socket.write('raw');
            socket.on('data', (bytes) => { console.log(response.statusCode, String(bytes)); socket.end(); server.close(); });
          }).end();
        }));
      });`,
  },
  'an address that answers too late is given up for the next one': {
    'main.js': `
      const net = require('net');
      const server = net.createServer((socket) => socket.end('hello')).listen(0, '::', () => {
        const lookup = (name, options, then) => {
          then(null, [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }]);
          setImmediate(() => { for (const from = Date.now(); Date.now() - from < 100; ); });
        };
        net.connect({ host: 'localhost', port: server.address().port, autoSelectFamilyAttemptTimeout: 10, lookup })
          .setEncoding('utf8')
          .on('data', (text) => console.log(text))
          .on('close', () => server.close(() => console.log('closed')));
      });`,
  },
};

for (const [name, files] of Object.entries(PROGRAMS)) {
  test(`${name}: as in Node`, async () => {
    const expected = native(files);
    expect(expected).not.toBe('');
    const result = await sandbox.run('node', ['main.js'], { files, timeoutMs: 20_000 });
    expect(result.stdout.toString() + result.stderr.toString()).toBe(expected);
    expect(result.code).toBe(0);
  });
}

test('a server in one process, curl in another, and the port is free when the server is killed', async () => {
  const script = `node -e "require('http').createServer((q, r) => r.end('from ' + q.url)).listen(4000, () => console.log('up'))" > log &
until grep -q up log; do sleep 0.05; done
curl -s localhost:4000/curl; echo
kill $!; wait $! 2>/dev/null
curl -s localhost:4000/; echo "curl $?"`;
  const result = await sandbox.run('bash', ['-c', script], { timeoutMs: 20_000 });
  expect(result.stdout.toString()).toBe('from /curl\ncurl 7\n');
});

test('private addresses cannot be reached', async () => {
  const script = `for (const host of ['169.254.169.254', '10.0.0.1', '[fd00::1]'])
    fetch('http://' + host + '/').then((r) => console.log('answered', r.status), (error) => console.log(error.cause.code));`;
  const result = await sandbox.run('node', ['-e', script], { timeoutMs: 20_000 });
  expect(result.stdout.toString()).toBe('ENETUNREACH\nENETUNREACH\nENETUNREACH\n');
});

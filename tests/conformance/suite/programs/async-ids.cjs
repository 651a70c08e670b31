// What async_hooks tells of what the platform makes, of promises and of async functions: kinds, causes, and where callbacks run.
const { createHook, executionAsyncId, triggerAsyncId, executionAsyncResource } = require('node:async_hooks');
const fs = require('node:fs');
const net = require('node:net');
const http = require('node:http');
const zlib = require('node:zlib');
const crypto = require('node:crypto');
const dns = require('node:dns');
const { spawn } = require('node:child_process');

const cases = {
  fs: (end) => fs.stat('.', () => fs.readdir('.', () => fs.promises.stat('.').then(end))),
  net: (end) => {
    const server = net.createServer((socket) => socket.end('x'));
    server.listen(0, () => {
      const client = net.connect(server.address().port, '127.0.0.1');
      client.on('data', () => note('data'));
      client.on('close', () => server.close(end));
    });
  },
  http: (end) => {
    const server = http.createServer((_request, response) => {
      note('request');
      response.end('x');
    });
    server.listen(0, () =>
      http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
        note('response');
        response.resume().on('end', () => server.close(end));
      }),
    );
  },
  zlib: (end) => zlib.gzip('abc', end),
  crypto: (end) => crypto.randomBytes(4, () => crypto.pbkdf2('a', 'b', 1, 8, 'sha1', () => crypto.scrypt('a', 'b', 8, end))),
  dns: (end) => dns.lookup('localhost', end),
  child: (end) => spawn('true', { stdio: ['ignore', 'pipe', 'ignore'] }).on('exit', end),
  port: (end) => {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', () => {
      port1.close();
      end();
    });
    port1.postMessage(1);
  },
  promise: (end) => {
    const promise = new Promise((resolve) => setTimeout(resolve, 1, 5));
    promise.then(() => note('then')).then(() => note('again'));
    Promise.reject(1).catch(() => note('catch'));
    setTimeout(end, 20);
  },
  await: (end) => {
    const inner = async () => {
      note('inner');
      await 1;
      note('after one');
      await new Promise((resolve) => setTimeout(resolve, 2));
      note('after two');
      return 3;
    };
    const outer = async () => {
      try {
        await inner();
        note('outer');
        throw 1;
      } catch {
        note('caught');
      }
    };
    outer().then(end);
  },
  short: (end) => {
    (async () => note('ran'))();
    (async () => {
      throw 1;
    })().catch(() => setTimeout(end, 1));
  },
};

let lines = [];
let kinds = new Map();
const name = (id) => kinds.get(id) ?? (id === 1 ? 'main' : id === 0 ? 'none' : 'before');
const note = (text) => lines.push(`${text}: in ${name(executionAsyncId())}`);
const hook = createHook({
  init(id, kind, trigger, resource) {
    kinds.set(id, kind);
    // Of some resources this is no class of the program's.
    lines.push(`init ${kind} by ${name(trigger)} in ${name(executionAsyncId())}${kind === 'PROMISE' ? '' : ` ${resource?.constructor?.name}`}`);
  },
  before: (id) => lines.push(`before ${name(id)} ${executionAsyncId() === id} ${triggerAsyncId() > 0} ${typeof executionAsyncResource()}`),
  after: (id) => lines.push(`after ${name(id)}`),
  promiseResolve: (id) => lines.push(`resolve ${name(id)}`),
});

console.log(executionAsyncId(), triggerAsyncId());
const run = ([[kind, start], ...others]) => {
  lines = [];
  kinds = new Map();
  hook.enable();
  start(() => {
    note('end');
    hook.disable();
    // What an earlier case has left may end in this one. How the system cuts its work into callbacks differs: what began, by what, and where the program's own ran does not.
    const told = /^(?:await|promise|short)$/.test(kind) ? /./ : /^(?:init (?!TickObject|PROMISE|Timeout|SHUTDOWN)|(?!init|before|after|resolve))/;
    console.log(kind);
    for (const line of lines.filter((each) => told.test(each) && !/^(?:before|after) before/.test(each)).sort()) console.log(` ${line}`);
    if (others.length > 0) setTimeout(run, 5, others);
    else showHandles();
  });
};
run(Object.entries(cases));

// What a handle shows of itself: somebody who prints a socket sees it.
function showHandles() {
  const shown = (object) => console.log(object.constructor.name, Object.keys(object).join());
  const child = spawn('true');
  for (const handle of [child._handle, child.stdout._handle, zlib.createGzip()._handle]) shown(handle);
  const server = net.createServer().listen(0, () => {
    shown(server._handle);
    const client = net.connect(server.address().port, () => {
      shown(client._handle);
      client.destroy();
      server.close();
    });
  });
}

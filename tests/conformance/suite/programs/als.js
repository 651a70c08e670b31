// AsyncLocalStorage through the async functions of Node's own library: whoever is called back after an await of lib must still see its store.
const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
const fs = require('node:fs');
const timers = require('node:timers/promises');
const { Readable, Transform, Writable, promises: streams } = require('node:stream');
const { once, on, EventEmitter } = require('node:events');
const readline = require('node:readline/promises');
const http = require('node:http');
const storage = new AsyncLocalStorage();
const other = new AsyncLocalStorage();
const seen = (name) => console.log(name, storage.getStore(), other.getStore() ?? '-');

const checks = {
  async files() {
    await fs.promises.writeFile('als.txt', 'one\ntwo\n');
    seen('writeFile');
    await fs.promises.readFile('als.txt', 'utf8');
    seen('readFile');
    const handle = await fs.promises.open('als.txt');
    for await (const line of handle.readLines()) seen(`line ${line}`);
    seen('after lines');
    for await (const entry of await fs.promises.opendir('lib')) { seen('opendir'); void entry; break; }
    await fs.promises.rm('als.txt');
    await fs.promises.readFile('missing').catch(() => seen('catch'));
    try { await fs.promises.stat('missing'); } catch { seen('try'); } finally { seen('finally'); }
  },
  async streams() {
    await streams.pipeline(
      Readable.from((async function* () { seen('source'); yield 'a'; await null; seen('source 2'); yield 'b'; })()),
      new Transform({ transform(chunk, _, done) { seen('transform'); done(null, chunk); } }),
      async function* (source) { for await (const chunk of source) { seen('generator'); yield chunk; } },
      new Writable({ objectMode: true, write(_chunk, _encoding, done) { seen('write'); done(); } }),
    );
    seen('pipeline');
    console.log(await Readable.from([1, 2]).map(async (n) => { await timers.setTimeout(1); seen('map'); return n * 2; }).filter(async (n) => { await null; seen('filter'); return n > 2; }).toArray());
    await Readable.from([1, 2]).forEach(async () => { await null; seen('forEach'); });
    console.log(await Readable.from([1, 2]).reduce(async (sum, n) => { seen('reduce'); return sum + n; }, 0));
    for await (const chunk of Readable.from(['x'])) seen(`for await ${chunk}`);
    await streams.finished(Readable.from([]).resume());
    seen('finished');
  },
  async timers() {
    await timers.setTimeout(2);
    seen('setTimeout');
    await timers.setImmediate();
    seen('setImmediate');
    let count = 0;
    for await (const _ of timers.setInterval(1)) { seen('interval'); if (++count === 2) break; }
    await timers.scheduler.wait(1);
    seen('wait');
  },
  async events() {
    const emitter = new EventEmitter();
    setTimeout(() => storage.run('emitter', () => { emitter.emit('ping', 1); emitter.emit('ping', 2); }), 5);
    for await (const [n] of on(emitter, 'ping')) { seen(`on ${n}`); if (n === 2) break; }
    setTimeout(() => storage.run('emitter', () => emitter.emit('pong')), 1);
    await once(emitter, 'pong');
    seen('once');
  },
  async lines() {
    const rl = readline.createInterface({ input: Readable.from(['l1\nl2\n']) });
    for await (const line of rl) seen(line);
  },
  async network() {
    const server = http.createServer((_request, response) => { seen('server'); response.end('body'); });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${server.address().port}/`);
    seen('fetch');
    await response.text();
    seen('text');
    await new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
    seen('closed');
  },
  async modules() {
    await import('node:os');
    seen('import');
    const source = 'export default (f) => f; await 0;';
    await import(`data:text/javascript,${encodeURIComponent(source)}`);
    seen('import data');
  },
  async rest() {
    await Promise.all([1, 2].map(async (n) => { await timers.setTimeout(n); other.enterWith(n); seen(`all ${n}`); }));
    await Promise.race([timers.setTimeout(1), timers.setTimeout(50, 0, { ref: false })]);
    seen('race');
    await Array.fromAsync((async function* () { yield 1; })(), () => seen('fromAsync'));
    const resource = new AsyncResource('R');
    storage.run('inner', () => resource.runInAsyncScope(() => seen('resource')));
    const snapshot = AsyncLocalStorage.snapshot();
    storage.run('inner', () => snapshot(() => seen('snapshot')));
    queueMicrotask(() => seen('microtask'));
    process.nextTick(() => seen('tick'));
    await new Blob(['x']).text();
    seen('blob');
    await new Response('r').json().catch(() => seen('json'));
    await crypto.subtle.digest('SHA-256', new Uint8Array(1));
    seen('digest');
    const lock = storage.exit(() => { seen('exit'); return timers.setTimeout(1).then(() => seen('exited')); });
    await lock;
    seen('end');
  },
};

(async () => {
  for (const [name, check] of Object.entries(checks)) {
    await storage.run(name, check);
    seen('outside');
  }
})();

// Minified and without semicolons: awaits are the first thing of their blocks.
{
  const { AsyncLocalStorage } = require('node:async_hooks');
  const storage = new AsyncLocalStorage();
  const tight = {async[Symbol.iterator](){await 1;try{await Promise.reject(1)}catch{await 2}finally{await 3}return storage.getStore()}};
  const loose = async () => {
    'use strict'
    await 1
    try { await Promise.reject(1) } catch { await 2 } finally {await 3}
    return [storage.getStore(), (function () { return this })()]
  };
  storage.run('tight', () => tight[Symbol.iterator]()).then(console.log).then(() => storage.run('loose', loose)).then(console.log);
}

// Thenables, whoever calls their then, and rejections that nobody handles.
const store = new (require('node:async_hooks').AsyncLocalStorage)();
const heard = [];
const thenable = (n) => ({ then: (done) => (heard.push(`${n} ${store.getStore()}`), setImmediate(done, n)) });
store.run('a', async () => heard.push(`awaited ${await thenable(1)} ${store.getStore()}`));
store.run('b', async () => thenable(2));
store.run('c', () => {
  Promise.resolve(thenable(3));
  new Promise((resolve) => resolve(thenable(4)));
  Promise.resolve().then(() => thenable(5));
});
process.on('unhandledRejection', (error) => heard.push(`unhandled ${error.message} ${store.getStore()}`));
store.run('d', () => {
  Promise.reject(new Error('one'));
  new Promise((_resolve, reject) => reject(new Error('two')));
  Promise.resolve().then(() => {
    throw new Error('three');
  });
});
store.run('e', async () => {
  await null;
  throw new Error('four');
});
store.run('f', async () => {
  throw new Error('five');
});
process.on('exit', () => console.log(heard.sort().join('\n')));

// Of two that run at once beside others: generators that are asked, ended and asked ahead, and code that is made or very long.
{
  const { AsyncLocalStorage } = require('node:async_hooks');
  const mine = new AsyncLocalStorage();
  const get = () => mine.getStore();
  const tick = () => new Promise(setImmediate);
  const AsyncFunction = (async () => {}).constructor;
  const AsyncGeneratorFunction = (async function* () {}).constructor;
  require('node:fs').writeFileSync('long.cjs', `/*${'*'.repeat(2_100_000)}*/ module.exports = async (get, tick) => { await tick(); return get(); };`);
  const ways = {
    async ended() {
      let last;
      async function* numbers() { try { yield 1; yield 2; } finally { await tick(); last = get(); } }
      for await (const _ of numbers()) break;
      return [last, get()];
    },
    async endedByValue() {
      let last;
      async function* one() { try { yield 1; return tick(); } finally { last = get(); } }
      for await (const _ of one());
      return last;
    },
    async thrownInto() {
      async function* patient() { try { yield 1; } catch { yield get(); } }
      const asked = patient();
      await asked.next();
      await tick();
      return (await mine.run('thrower', () => asked.throw(1))).value;
    },
    async delegated() {
      async function* inner() { await tick(); yield get(); }
      async function* outer() { yield* inner(); yield get(); }
      const seen = [];
      for await (const value of outer()) seen.push(value);
      return seen;
    },
    async askedAhead() {
      async function* slow() { await tick(); yield get(); yield get(); await tick(); yield get(); }
      const asked = slow();
      const answers = [asked.next(), mine.run('x', () => asked.next()), mine.run('y', () => asked.next())];
      return (await Promise.all(answers)).map(({ value }) => value);
    },
    async askedByOther() {
      async function* each() { yield 1; yield get(); await tick(); yield get(); }
      const asked = each();
      await asked.next();
      return [(await mine.run('x', () => asked.next())).value, (await mine.run('y', () => asked.next())).value];
    },
    fromAsync: () => Array.fromAsync([tick(), 2], async () => (await tick(), get())),
    fromAsyncGenerator: () => Array.fromAsync((async function* () { yield get(); await tick(); yield get(); })(), (value) => [value, get()]),
    madeFunction: () => new AsyncFunction('get', 'tick', 'await tick(); return get()')(get, tick),
    async madeGenerator() { return (await new AsyncGeneratorFunction('get', 'tick', 'await tick(); yield get()')(get, tick).next()).value; },
    evalOfTwo: () => eval('(async () => { await tick(); return get(); })()', 'more'),
    long: () => require('./long.cjs')(get, tick),
  };
  let busy = true;
  // Told at the end: what the files above say comes in between, sooner or later.
  const told = [];
  process.on('exit', () => {
    require('node:fs').rmSync('long.cjs');
    for (const line of told) console.log(...line);
  });
  (async () => {
    mine.run('noise', async () => { while (busy) { await null; await tick(); } });
    for (const [name, way] of Object.entries(ways))
      told.push([name, ...(await Promise.all(['A', 'B'].map((store) => mine.run(store, () => way())))), get()]);
    busy = false;
  })();
}

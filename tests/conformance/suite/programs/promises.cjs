// What util.inspect says of the promises of async functions, which tell nothing to those who look: at once, later, wherever they went.
const { inspect, promisify } = require('util');
const { AsyncLocalStorage } = require('async_hooks');
const { once, EventEmitter } = require('events');
const fs = require('fs');
const later = promises();

function promises() {
  return { show: (name, ...all) => console.log(name, ...all.map((each) => inspect(each).split('\n')[0])), oops: new TypeError('oops') };
}
const { show, oops } = later;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const quiet = (promise) => (promise.catch(() => {}), promise);

// At once.
async function one() { return 1; }
async function nothing() {}
async function slow(value) { await sleep(1); return value; }
async function fails() { throw oops; }
async function failsLater() { await null; throw 'late'; }
const arrow = async () => 'a';
const object = async () => ({ a: 1 });
const commented = async (/* => */ a = (1)) /* x */ => /* y */ a; // =>
const nested = async () => async () => 1;
class Box {
  #secret = async () => 's';
  made = one();
  static async make() { return new Box(); }
  async get() { return 'got'; }
  async later() { await this.get(); return this; }
  secret() { return this.#secret(); }
  async *all() { yield 1; }
  get lazy() { return slow('lazy'); }
}
const box = new Box();
show('one', one(), nothing(), slow(1), quiet(fails()), quiet(failsLater()), arrow(), object(), commented(), nested());
show('methods', box.get(), box.secret(), box.made, box.later(), Box.make());
show('called at once', (async () => 1)(), (async function () { return 2; })(), (async () => { await null; })());
show('wrapped', (() => one())(), ((f) => f())(one), [one].map((f) => f())[0], Reflect.apply(one, null, []));
show('returns a promise', (async () => one())(), (async () => new Promise(() => {}))(), (async () => await one())());
show('thenable', (async () => ({ then() {} }))());
show('chosen', one() || 0, box ? one() : slow(1), null ?? arrow(), box?.get(), box.get?.());
show('dropped before', (one(), 5), (one(), new Promise(() => {})));
show('an async executor', new Promise(async () => 'not this'), (() => new Promise(async (resolve) => { resolve('this'); }))());
show('callbacks', ['x'].forEach(async () => 1), new Promise(() => {}));
show('a default that throws', quiet((async (a = (() => { throw 'd'; })()) => a)()).constructor.name);
console.log(one(), [one(), slow(2)], { a: one() }, new Map([[1, one()]]), `${one()}`);

// Ends of functions.
async function ends(how) {
  if (how === 0) return;
  try {
    if (how === 1) return 'in try';
    if (how === 2) throw 'in try';
    if (how === 3) { await null; return 'waited'; }
  } catch (error) {
    return `caught ${error}`;
  } finally {
    if (how === 4) return 'finally';
    if (how === 5) throw 'finally';
  }
  if (how === 6) { for (;;) { try { return 'no'; } finally { break; } } }
  if (how === 7) return 1, 'last'
  return `end ${how}`
}
show('ends', ...[0, 1, 2, 3, 4].map((how) => ends(how)), quiet(ends(5)), ends(6), ends(7));
async function waitsInFinally() { try { return 1; } finally { await sleep(1); } }
async function overridden() { try { return await slow('no'); } finally { return 'yes'; } }
async function twice() { function a() { return 1; } var b = a(); function a() { return 2; } return b; }
async function strict() { 'use strict'; return this; }
async function sequence() { return (await one(), await slow('s')); }
async function rethrown() { try { await fails(); } finally { await null; } }
async function inLoop() { for (const each of [one(), slow(2)]) if ((await each) === 2) return 'two'; }
async function inSwitch(x) { switch (x) { case 1: return 'c'; default: await null; return 'd' } }
async function overIterator() { let sum = 0; for await (const each of [one(), slow(2)]) sum += each; return sum; }
async function overGenerator() { let sum = 0; for await (const each of numbers()) sum += each; return sum; }
async function* numbers() { yield 1; await slow(1); yield* [2, 3]; }
const some = [waitsInFinally(), overridden(), twice(), strict(), sequence(), quiet(rethrown()), inLoop(), inSwitch(1), inSwitch(2), overIterator(), overGenerator()];
show('functions before', ...some);

// Later.
const p = slow('p');
const kept = { p: slow('kept'), list: [slow(1), slow(2)] };
const mapped = [1, 2, 3].map(async (x) => { await sleep(x); return x * 2; });
const named = ['a', 'b'].map(slow);
const from = Array.from({ length: 2 }, async (_, index) => { await null; return index; });
const all = Promise.all([slow(1), 2, one()]);
const allFail = quiet(Promise.all([slow(1), failsLater()]));
const settled = Promise.allSettled([slow(1), failsLater()]);
const any = Promise.any([failsLater(), slow('any')]);
const race = Promise.race([slow('race'), sleep(50)]);
const none = [Promise.all([]), Promise.all([1]), Promise.race([])];
const done = slow('f').finally(() => 'ignored');
const doneFails = quiet(one().finally(() => { throw 'in finally'; }));
const doneLater = one().finally(() => slow('x'));
const chain = slow(1).then(async (x) => x + 1).then((x) => slow(x + 1));
const missed = fs.promises.readFile('/nowhere/at/all').catch((error) => error.code);
const stat = fs.promises.stat('/');
const timer = require('timers/promises').setTimeout(1, 'timer');
const ticked = promisify(setImmediate)('tick');
const emitter = new EventEmitter();
const event = once(emitter, 'x');
emitter.emit('x', 'event');
const imported = import('fs');
const attempt = Promise.try(slow, 'try');
const boxed = box.later();
let assigned;
assigned = slow('assigned');
let either = null;
either ??= slow('either');
const { a: pattern = slow('pattern') } = {};
const byDefault = ((x = slow('default')) => x)();
function* yields() { yield slow('yielded'); }
const yielded = yields().next().value;
const lazy = box.lazy;
const tagged = ((_, x) => x)`${slow('tagged')}`;
show('before', p, kept.p, ...mapped, all, settled, any, race, ...none, done, chain, missed, stat, timer, event, imported, attempt);
const storage = new AsyncLocalStorage();
const inside = storage.run('store', async () => { await sleep(1); try { await fails(); } catch { return storage.getStore(); } });

setTimeout(async () => {
  show('functions after', ...some);
  show('after', p, kept.p, ...kept.list, ...mapped, ...named, ...from);
  console.log(all, allFail, settled, any, race, none);
  show('made of others', done, doneFails, doneLater, chain, missed);
  show('of the system', timer, ticked, event, attempt, boxed);
  console.log(inspect(stat).slice(0, 18), inspect(imported).slice(0, 30));
  show('kept', assigned, either, pattern, byDefault, yielded, lazy, tagged, inside, later.p);
  show('at the top', top);
  const first = slow(1);
  await sleep(20);
  show('in a callback', first);
  console.log(eval('one()'), eval('slow(3)'), new Function('f', 'return f()')(one), await eval('(async () => 1)()'));
  // Text is as it was written.
  for (const f of [one, slow, commented, arrow, nested, ends, waitsInFinally, overIterator, Box, sequence, promises, quiet, yields, strict]) console.log(`${f}`);
  console.log((async () => { try { await import('fs'); } catch {} return eval('1'); }).toString());
  try { nothing().missing(); } catch (error) { console.log(error.message); }
  try { one.two(); } catch (error) { console.log(error.message); }
  try { [].missing.map(async () => 1); } catch (error) { console.log(error.message); }
  try { const { x } = promises.none(); } catch (error) { console.log(error.message); }
  try { one()(); } catch (error) { console.log(error.message); }
  try { await undefined.x; } catch (error) { console.log(error.message, error.stack.split('\n')[1].replace(/.*[/(]/, '')); }
  try { const kept = undefinedFunction(1); } catch (error) { console.log(error.message, error.stack.split('\n')[1].replace(/.*[/(]/, '')); }
  undefinedFunction();
}, 1500);
process.on('unhandledRejection', (error) => console.log(error.message, error.stack.split('\n')[1].replace(/.*[/(]/, '')));
const top = slow('top');

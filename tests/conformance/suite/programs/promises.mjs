// What util.inspect says of promises that were made, awaited, followed or reacted to; and that noting it changes nothing else.
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, promisify } from 'node:util';

const show = (name, ...promises) => console.log(name, ...promises.map((promise) => inspect(promise).split('\n')[0]));
const quiet = (promise) => {
  promise.catch(() => {});
  return promise;
};
const oops = new TypeError('oops');

// Made with `new Promise`.
show('resolved at once', new Promise((resolve) => resolve(1)));
show('with nothing', new Promise((resolve) => resolve()));
show('rejected at once', quiet(new Promise((_resolve, reject) => reject('no'))));
show('rejected with an error', quiet(new Promise((_resolve, reject) => reject(oops))));
show('an executor that throws', quiet(new Promise(() => { throw 'thrown'; })));
show('throws after it resolved', new Promise((resolve) => { resolve('first'); throw new Error('late'); }));
show('the first call counts', new Promise((resolve, reject) => { resolve(1); reject(2); resolve(3); }));
show('never', new Promise(() => {}));
show('an object', new Promise((resolve) => resolve({ a: [1, { b: 2 }] })));
show('a function', new Promise((resolve) => resolve(function named() {})));
show('a promise that never settles', new Promise((resolve) => resolve(new Promise(() => {}))));
show('a promise just resolved', new Promise((resolve) => resolve(Promise.resolve(1))));
show('a thenable', new Promise((resolve) => resolve({ then() {} })));
let settle;
const later = new Promise((resolve) => { settle = resolve; });
show('before', later);
settle('later');
show('after', later);
const made = Reflect.construct(Promise, [(resolve) => resolve(1)]);
await made;
show('constructed otherwise, then awaited', made);
console.log(inspect({ list: [new Promise((resolve) => resolve(1))], later }));

// What resolve and reject look like; what the constructor refuses.
new Promise((...given) => console.log('settlers', given.length, given.map(({ name, length }) => [name, length]), 'prototype' in given[0]));
for (const wrong of [undefined, 1, {}, null]) {
  try { new Promise(wrong); } catch (error) { console.log(error.name, error.message); }
}
try { Promise(() => {}); } catch (error) { console.log(error.message); }
const made2 = new Promise(() => {});
console.log(made2.constructor === Promise, made2 instanceof Promise, Object.getPrototypeOf(made2) === Promise.prototype, Reflect.ownKeys(made2));
console.log(Promise.length, Promise.name, ['resolve', 'reject', 'withResolvers', 'try', 'all'].map((name) => [Promise[name].name, Promise[name].length]));
{
  const Promise = class Other { constructor(given) { this.given = given; } };
  console.log(new Promise(1), new Promise, new Promise(new Promise('in')));
}

function written() { return new Promise((resolve) => resolve(new  Promise(() => {}))); }
console.log(`${written}`, Function.prototype.toString.toString(), Function.prototype.toString.name, inspect(class extends Promise {}));
try { Function.prototype.toString.call({}); } catch (error) { console.log(error.message); }
console.log(await new Function('return new Promise((resolve) => resolve(1))')(), inspect(new Function('return new Promise((resolve) => resolve(2))')()));

// withResolvers and try.
const { promise, resolve, reject } = Promise.withResolvers();
show('withResolvers', promise);
resolve('given');
reject('too late');
show('withResolvers, resolved', promise);
const second = Promise.withResolvers();
second.reject(7);
show('withResolvers, rejected', quiet(second.promise));
console.log(Object.keys(second), second.resolve.name, second.resolve.length);
show('try', Promise.try((a, b) => a + b, 1, 2), quiet(Promise.try(() => { throw 'x'; })), Promise.try(() => new Promise(() => {})));
show('resolve and reject', Promise.resolve(1), quiet(Promise.reject(2)));

// Awaited.
const one = async () => 1;
const slow = async (value) => { await sleep(5); return value; };
const awaited = one();
await awaited;
show('awaited', awaited);
const first = slow('a');
show('not yet', first);
await first;
show('slow', first);
const both = [slow(1), slow({ b: 2 })];
await Promise.all(both);
await both[0];
await both[1];
show('after all', ...both);
const nested = slow(slow(3));
console.log(await (await nested, nested), await (0, nested));
show('nested', nested);
const inArgument = slow(4);
console.log(Math.max(await inArgument, await slow(9)));
show('in an argument', inArgument);
const file = readFile(new URL(import.meta.url), 'utf8');
await file;
console.log(inspect(file).startsWith("Promise {\n  '// What util.inspect"));
const ticked = promisify(setImmediate)();
await ticked;
show('promisified', ticked);
async function* numbers() { const kept = slow(5); yield await kept; show('in a generator', kept); }
for await (const number of numbers()) console.log(number);
const thenable = { then(done) { done('t'); } };
console.log(await thenable, inspect(thenable));

// Awaited in vain.
const fail = async (reason) => { await sleep(1); throw reason; };
const vain = [fail('v1'), fail('v2'), fail('v3'), fail('v4'), fail('v5')];
try { await vain[0]; } catch (error) { show(error, vain[0]); }
try { await vain[1]; } catch { show('no name', vain[1]); }
try { console.log(await one(), await vain[2]); } catch ({ length }) { console.log(length); }
try { try { await vain[3]; } finally { console.log('finally'); throw 'other'; } } catch (error) { console.log(error); }
async function inFunction(promise) { 'use strict'; try { await one(); return await promise; } catch (error) { return error; } finally { await one(); } }
console.log(await inFunction(vain[4]));
show('in a function', vain[4]);
const kept = one();
try { await kept; throw 'of its own'; } catch (error) { show(error, kept); }
const twice = [fail('t1'), one()];
for (const each of twice) try { console.log(await each); } catch (error) { console.log('caught', error); }
show('in a loop', ...twice);

// Followed.
const followed = slow('f');
const follower = new Promise((resolve) => resolve(followed));
await follower;
show('followed', followed, follower);
const failing = new Promise((_resolve, reject) => setTimeout(reject, 1, 'f'));
const failed = new Promise((resolve) => resolve(failing));
await failed.catch((error) => console.log('caught', error));
show('failed', failing, failed);

// The moment at which one that follows has settled.
const source = new Promise((resolve) => resolve('s'));
const late = new Promise((resolve) => resolve(source));
const moments = [];
for (let index = 0, at = Promise.resolve(); index < 5; index++) at = at.then(() => moments.push(inspect(late)));
await sleep(1);
console.log(moments);

// Reactions.
const base = slow(10);
const plus = base.then((value) => value + 1);
const thrown = base.then(() => { throw 'in then'; });
const passed = thrown.then(() => 'not called');
const rescued = passed.catch((error) => `rescued ${error}`);
const untouched = plus.catch(() => 'not called');
const inner = plus.then((value) => new Promise((resolve) => resolve(value * 2)));
show('reactions before', base, plus, thrown, passed, rescued, untouched, inner);
await sleep(20);
show('reactions after', base, plus, thrown, passed, rescued, untouched, inner);
const noReaction = plus.then();
const two = thrown.then((value) => value, (error) => [error]);
await sleep(1);
show('none and both', noReaction, two);
show('just made', Promise.resolve(1).then((value) => value));

// Order is as it was.
const order = [];
const note = (name) => () => order.push(name);
new Promise((resolve) => resolve()).then(note('a1')).then(note('a2')).then(note('a3')).then(note('a4'));
new Promise((resolve) => resolve(new Promise((inside) => inside()))).then(note('b1'));
(async () => { await null; order.push('c1'); await new Promise((resolve) => resolve()); order.push('c2'); })();
Promise.resolve().then(() => Promise.resolve()).then(note('d1'));
(async () => new Promise((resolve) => resolve()))().then(note('e1'));
queueMicrotask(note('m'));
process.nextTick(note('tick'));
await sleep(1);
console.log(order.join(' '));

// The async context.
const storage = new AsyncLocalStorage();
await storage.run('in', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  const outside = slow(1);
  console.log(await outside.then(() => storage.getStore()), storage.getStore(), inspect(outside));
});
console.log(storage.getStore());

// Stack traces.
const stack = (error) => error.stack.split('\n').map((line) => line.trim().replace(/file:.*\//, '')).join(' | ');
function fails(resolve, reject) { reject(new Error('inside')); }
await new Promise(fails).catch((error) => console.log(stack(error)));
await new Promise(() => { [1].map(() => { throw new Error('deep'); }); }).catch((error) => console.log(stack(error)));
try { new Promise('x'); } catch (error) { console.log(stack(error)); }
async function bottom() { await sleep(1); throw new Error('async'); }
async function middle() { await new Promise((resolve) => resolve(bottom())); }
async function viaAll() { await Promise.all([Promise.resolve(1), bottom()]); }
async function viaThen() { await bottom().then((value) => value); }
async function viaAny() { await Promise.any([bottom()]); }
async function viaSettled() { return (await Promise.allSettled([bottom()]))[0].reason; }
for (const run of [middle, viaAll, viaThen]) await run().catch((error) => console.log(stack(error)));
await viaAny().catch((error) => console.log(stack(error.errors[0])));
console.log(stack(await viaSettled()));
function deep(depth) { return depth ? deep(depth - 1) : new Promise(() => { throw new Error('at the limit'); }); }
await deep(20).catch((error) => console.log(error.stack.split('\n').length, stack(error)));

// Rejections nobody handles.
process.on('unhandledRejection', (reason, rejected) => console.log('unhandled', reason, inspect(rejected)));
process.on('rejectionHandled', (rejected) => console.log('handled', inspect(rejected)));
const unhandled = new Promise((_resolve, fail) => fail('u1'));
const derived = new Promise((_resolve, fail) => fail('u2')).then(() => {});
const innerOne = new Promise((resolve) => resolve(new Promise((_resolve, fail) => fail('u3'))));
await sleep(10);
unhandled.catch(() => {});
await sleep(10);
show('unhandled', unhandled, derived, innerOne);

// What console.log and util.inspect show of objects that JavaScript alone cannot look into.
const { inspect } = require('node:util');
const rejected = Promise.reject(new RangeError('no'));
rejected.catch(() => {});
const line = (value, options) => console.log(inspect(value, options).replace(/\n    at .*/g, ''));

console.log(Promise.resolve(1), Promise.resolve(), Promise.resolve({ a: [1] }), Promise.resolve(Promise.resolve(2)));
line(rejected);
line(Promise.reject('text').catch(() => {}));
line(new Promise(() => {}));
line(Promise.resolve({ then() {} }));
line({ nested: [Promise.resolve('deep')] });
line(Object.assign(Promise.resolve(3), { extra: true }));
console.log([Promise.resolve(1)].map(String), Object.keys(Promise.resolve(1)), Promise.resolve.name, Promise.resolve.length);

const map = new Map([['a', 1], [{ b: 2 }, new Set([1, 'x'])]]);
line([map, map.keys(), map.values(), map.entries(), map[Symbol.iterator]()], { depth: 4 });
const set = new Set([1, [2]]);
const iterator = set.values();
iterator.next();
line([set, iterator, set.entries(), [...iterator]]);
line([new WeakMap(), new WeakSet(), new WeakRef(map)]);
line(new WeakSet([map]), { showHidden: false });
line(new Proxy({ a: 1 }, {}), { showProxy: true });
line(new Proxy(class A {}, {}));
line(Object.assign([1, , 3], { name: 'list', '-1': 0 }));
line(Object.assign(new Uint8Array([1, 2]), { extra: 1 }));
line([Object.create(null), Object.create({}), Object.create(Object.create(null)), new (class Foo extends Map {})()]);
line([(function () { return arguments; })(1, 2), function named() {}, class extends Array {}, async () => {}, function* g() {}]);
line([new Date(0), /x/g, Symbol('s'), 10n, -0, new Number(3), new String('str'), Object(Symbol.iterator)]);
line([new ArrayBuffer(2), new DataView(new ArrayBuffer(1)), new SharedArrayBuffer(1)]);
line({ get a() { return 1; }, set b(value) {}, [Symbol('k')]: 1 }, { getters: true });
line(new Error('with cause', { cause: 'c' }));
line(new AggregateError([1], 'many'));
line([globalThis.structuredClone(map), [].values(), 'x'[Symbol.iterator](), (function* () {})()]);
const circular = { name: 'c' };
circular.self = circular;
line(circular);
process.on('unhandledRejection', (reason, promise) => {
  line(promise);
  process.exitCode = 3;
});
(async () => {
  throw 'late';
})();

// Scripts that are stopped: by their time limit, whatever they catch; and what they leave behind.
const vm = require('node:vm');
const attempt = (name, run) => {
  try {
    console.log(name, run());
  } catch (error) {
    console.log(name, error.code, error.message);
  }
};
const loops = {
  while: 'while (true) {}',
  bare: 'for (;;);',
  do: 'do {} while (true)',
  caught: 'for (;;) { try { for (;;) {} } catch {} }',
  called: 'function f() { for (;;) { try { g() } catch {} } } function g() { throw 1 } f()',
  recursion: 'const fib = function (n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }; fib(90)',
  labelled: 'outer: for (const a of [1, 2]) { for (;;) continue; }',
};
for (const [name, source] of Object.entries(loops)) {
  attempt(name, () => vm.runInNewContext(source, {}, { timeout: 30 }));
  attempt(`${name} here`, () => vm.runInThisContext(`{${source}}`, { timeout: 30 }));
}
attempt('value', () => vm.runInThisContext('let sum = 0; for (const x of [1, 2]) sum += x', { timeout: 5000 }));
attempt('value in a context', () => vm.runInNewContext('let sum = 0; for (const x of [1, 2]) sum += x', {}, { timeout: 5000 }));
attempt('own error', () => vm.runInThisContext('for (;;) throw new RangeError("mine")', { timeout: 5000 }));
attempt('watched', () => vm.runInThisContext('let n = 0; while (n < 1000) n++; n', { breakOnSigint: true }));
const context = vm.createContext({ count: 0 });
attempt('leaves', () => vm.runInContext('for (;;) count++', context, { timeout: 30 }));
console.log(context.count > 0);

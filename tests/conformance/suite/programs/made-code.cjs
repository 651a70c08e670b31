// Code that is made while the program runs: what it imports, what it is, what it sees.
const show = async (name, make) => {
  try {
    console.log(name, await make());
  } catch (error) {
    console.log(name, 'throws', error.name, error.message.replace(__dirname, '.'));
  }
};
const { AsyncLocalStorage } = require('node:async_hooks');
const storage = new AsyncLocalStorage();
const local = 'local';

(async () => {
  const load = new Function('name', 'return import(name)');
  const value = async (namespace) => Object.entries({ ...(await namespace) });
  await show('Function', () => value(load('./lib/y.mjs')));
  await show('Function, builtin', async () => typeof (await load('node:path')).join);
  await show('Function, missing', () => load('./missing.mjs'));
  await show('called', async () => Object.keys(await Function('return import("./lib/x.js")')()));
  await show('eval', () => value(eval('import("./lib/y.mjs")')));
  await show('eval sees', () => eval('local + typeof require'));
  await show('eval of no text', () => eval(42));
  await show('indirect', () => (0, eval)('typeof local'));
  const Async = (async () => {}).constructor;
  await show('AsyncFunction', async () => (await new Async('name', 'const m = await import(name); return Object.keys(m)')('./lib/y.mjs')));
  await show('storage', () =>
    storage.run('kept', () => new Function('s', 'return (async () => { await 1; return s.getStore(); })()')(storage)));
  const twice = async (name) => {
    try {
      return await import(name);
    } catch {
      return 'nothing';
    }
  };
  await show('text of a function', () => value(new Function(`return ${twice}`)()('./lib/y.mjs')));
  await show('identity', () => [
    (() => {}).constructor === Function,
    Function.prototype.constructor === Function,
    load instanceof Function,
    Object.getPrototypeOf(load) === Function.prototype,
    Function.name,
    Function.length,
    load.name,
    load.length,
    String(new Function('a', 'b', 'return a')),
  ]);
  await show('subclass', () => {
    class Made extends Function {}
    const made = new Made('return 7');
    return [made(), made instanceof Made, made.constructor === Made];
  });
  await show('syntax', () => new Function('return ]'));
  await show('syntax of eval', () => eval('a b'));
  console.log(Function);
  // As source-map-support copies them.
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, sites) => sites;
  const [site] = await (async () => { await 1; return new Error('x').stack; })();
  Error.prepareStackTrace = prepareStackTrace;
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(site));
  console.log(site, ['isNative', 'getColumnNumber', 'getFunctionName', 'isEval', 'toString'].map((name) => methods.includes(name)));
  console.log(site.isNative(), site.isEval(), site.getLineNumber(), site.getColumnNumber(), String(site).replace(__dirname, '.'));
})();

// vm: what a context's global object shows, and what lands on the object behind it.
const vm = require('node:vm');
const box = vm.createContext({ x: 1 });
console.log(box, vm.isContext(box), vm.isContext({}));
const global = vm.runInContext('this', box);
console.log(typeof global.RegExp, typeof global.Array, 'Map' in global, global.x, vm.runInContext('this === globalThis', box));
console.log(Object.keys(global), Object.getOwnPropertyNames(global).includes('Array'), Object.keys(box));
vm.runInContext('var y = x + 1; function f() { return y; } globalThis.z = [1, 2].map((n) => n * 2); this.w = typeof process;', box);
console.log(Object.keys(box), box.f(), box.z, box.w, global.y);
global.late = 5;
console.log(vm.runInContext('late', box), box.late, delete global.late, 'late' in box);
console.log(vm.runInNewContext('a + b', { a: 1, b: 2 }), vm.runInThisContext('typeof require'));
console.log(new vm.Script('n += 1').runInContext(vm.createContext({ n: 41 })));
try { vm.runInNewContext('missing'); } catch (error) { console.log(error.name, error.message); }
const made = vm.createContext(vm.constants.DONT_CONTEXTIFY);
console.log(vm.runInContext('var q = 1; this.q + 1', made), made.q, typeof made.Array);

// A transferred stream looks into another realm's RegExp on its way.
const { port1, port2 } = new MessageChannel();
const stream = new ReadableStream({ start(controller) { controller.enqueue('chunk'); controller.close(); } });
port2.onmessage = async ({ data }) => {
  for await (const chunk of data) console.log('received', chunk);
  port1.close();
};
port1.postMessage(stream, [stream]);

// What a script declares at its top level belongs to the scripts after it, and is no property of the global object.
const attempt = (code) => { try { return vm.runInThisContext(code); } catch (error) { return `${error.name}: ${error.message}`; } };
console.log(attempt('const k = 1; let l = 2; k + l'), attempt('k + l'), globalThis.k);
console.log(attempt('class C { m() { return 7; } }\n(new C()).m()'), attempt('typeof C'));
console.log(attempt('const k = 2'), attempt('k = 2'), attempt('l = 5; l'));
console.log(attempt('let n = 3; for (const i of [1, 2]) n += i;'), attempt('const u = 1'), attempt('"use strict"; const s = 1; s'));
{
  // As jest runs a test file: a function compiled with another global object.
  const context = vm.createContext({ console, shared: { n: 1 } });
  const make = vm.compileFunction('shared.n += by; made = shared.n; return typeof process + typeof made + typeof Array', ['by'], {
    parsingContext: context,
    filename: 'made.js',
  });
  console.log('compileFunction', make(41), context.shared.n, context.made, typeof globalThis.made, make.length);
  try {
    vm.compileFunction('\n  missing()', [], { parsingContext: context, filename: 'place.js' })();
  } catch (error) {
    console.log(error.name, error.message, /place\.js:\d+:\d+/.exec(error.stack)?.[0]);
  }
}

// Scripts of a context share let, const and class, which its object has not.
{
  const t = (f) => { try { console.log(f()); } catch (e) { console.log(`${e.name}: ${e.message}`, Object.keys(e)); } };
  const c = vm.createContext({ given: 1, console });
  t(() => vm.runInContext('let a = 1; const b = 2; class K {}; var v = 3; function f() { return a + b }; a', c));
  t(() => Object.keys(c));
  t(() => vm.runInContext('[a, b, typeof K, v, f(), typeof globalThis.a, globalThis.v, "a" in globalThis]', c));
  t(() => vm.runInContext('let a = 5', c));
  t(() => vm.runInContext('b = 3', c));
  t(() => vm.runInContext('var a = 3', c));
  t(() => vm.runInContext('function a() {}', c));
  t(() => vm.runInContext('let given = 7; [given, globalThis.given]', c));
  t(() => [c.given, vm.runInContext('given', c)]);
  t(() => vm.runInContext('let v = 4', c));
  t(() => vm.runInContext('let u; u', c));
  t(() => vm.runInContext('u = 6; [u, typeof globalThis.u]', c));
  t(() => vm.runInContext('tdz; let tdz = 1', c));
  t(() => vm.runInContext('tdz', c));
  t(() => vm.runInContext('typeof tdz', c));
  t(() => vm.runInContext('let tdz = 1', c));
  t(() => vm.runInContext('const { x, y: [z] } = { x: 1, y: [2] }; [x, z]', c));
  t(() => vm.runInContext('x++', c));
  t(() => vm.runInContext('delete x', c));
  t(() => vm.runInContext('(() => { a = 9; return a })()', c));
  t(() => vm.runInContext('new K().constructor.name', c));
  t(() => Object.keys(c));
  t(() => new vm.Script('let s = 1; s').runInContext(c));
  t(() => new vm.Script('let s2 = 1; s2').runInContext(vm.createContext({})));
  t(() => vm.runInNewContext('let q = 1; typeof q + typeof globalThis.q'));
  t(() => { c.a = 'outside'; return vm.runInContext('[a, globalThis.a]', c); });
}

// Scripts in strict mode: what they declare is the context's, what they only assign to must be there.
{
  const vm = require('node:vm');
  const strictly = (code, context = {}, more = undefined) => {
    const made = vm.createContext(context);
    try {
      const value = vm.runInContext(`"use strict"; ${code}`, made);
      console.log(code, value, made, more && vm.runInContext(more, made));
    } catch (error) {
      console.log(code, error.name, error.message, made);
    }
  };
  strictly('var v = 1, w');
  strictly('let z = 2', {}, 'z');
  strictly('const {a, b: [c]} = {a: 1, b: [2]}', {}, 'a + c');
  strictly('class A { m() { return 1 } }', {}, 'new A().m()');
  strictly('w = 1');
  strictly('ext = 5', { ext: 1 });
  strictly('for (var i = 0; i < 3; i++) { var q = i } for (var k of [1, 2]) ; for (var j in { x: 1 }) ;');
  strictly('if (true) var y = 5; else var x = 6');
  strictly('var {m = 3} = {}\nvar n = m\n;[n]');
  strictly('const c = 1; c = 2');
  strictly('var a = 1\nfunction g() { return a }\nvar b = g()', {}, 'typeof g + b');
  strictly('var f = () => { var inner = 1; return inner }; f()');
  strictly('undefinedName');
  for (const name of ['strings', 'wasm']) try { vm.createContext({}, { codeGeneration: { [name]: true } }); console.log(name); } catch (error) { console.log(error.message); }
  console.log(Object.keys(new vm.Script('1 //# sourceURL=a.js')), new vm.Script('1', { cachedData: Buffer.from('no') }).cachedDataRejected);
}

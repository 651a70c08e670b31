// What each built-in module exports, with prototypes and what hangs on them: names, kinds, property flags, names and lengths of functions. Left out:
// what only an inspector gives, streams and state of this very process.
const { builtinModules } = require('node:module');
const vm = require('node:vm');
process.noDeprecation = true;
const left =
  /^(?:stopCoverage|takeCoverage|_std.*|std(?:in|out|err)|env|mainModule|moduleLoadList|_cache|_pathCache|require|release|features|versions|config|_events|globalAgent|_handle|_preload_modules|globalPaths|parent|main|children|argv0|execPath|title|arguments|caller)$/;
const language = vm.runInNewContext('Object.getOwnPropertyNames(globalThis)');
const seen = new Set();
const isObject = (value) => value !== null && /^(?:object|function)$/.test(typeof value);
const pass = (value, depth) => {
  if (!isObject(value) || seen.has(value)) return;
  seen.add(value);
  if (depth > 0) for (const key of Reflect.ownKeys(value)) pass(Object.getOwnPropertyDescriptor(value, key).value, depth - 1);
};
for (const name of language) if (!/^(?:globalThis|console)$/.test(name)) pass(globalThis[name], 4);

function show(path, value, depth) {
  if (!isObject(value) || seen.has(value)) return;
  seen.add(value);
  if (ArrayBuffer.isView(value) || Array.isArray(value) || /Map|Set|ArrayBuffer/.test(Object.prototype.toString.call(value))) return;
  const prototype = Object.getPrototypeOf(value);
  const members = [];
  const inner = [];
  for (const key of Reflect.ownKeys(value)) {
    const name = String(key);
    if (left.test(name)) continue;
    if (typeof value === 'function' && (/^(?:name|length)$/.test(name) || (name === 'prototype' && Reflect.ownKeys(value.prototype).length === 1))) continue;
    let own = Object.getOwnPropertyDescriptor(value, key);
    // Some are loaded when they are asked for.
    if (depth === 0 && own.get) own = { value: value[key], writable: true, enumerable: own.enumerable, configurable: true };
    const hidden = name === 'prototype' ? '' : `${own.writable ? 'w' : ''}${own.enumerable ? 'e' : ''}${own.configurable ? 'c' : ''}`;
    const kind = own.get || own.set ? `get ${own.get?.name} ${own.get?.length} set ${own.set?.name} ${own.set?.length}` : typeof own.value;
    const called = typeof own.value === 'function' ? ` ${own.value.name === key ? '' : own.value.name} ${own.value.length} ${Object.hasOwn(own.value, 'prototype')}` : '';
    members.push(`${name} ${hidden} ${kind}${called}${typeof own.value === 'boolean' ? own.value : ''}`);
    if ('value' in own) inner.push([`${path}.${name}`, own.value]);
  }
  if (members.length > 0) console.log(path, prototype && Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value?.name, Object.isExtensible(value), Object.prototype.toString.call(value), members.sort().join(', '));
  if (depth === 4) return;
  for (const [name, each] of inner.sort((a, b) => (a[0] < b[0] ? -1 : 1))) show(name, each, depth + 1);
  if (typeof value !== 'function') show(`${path}.__proto__`, prototype, depth + 1);
}
for (const id of builtinModules) {
  if (/^_|inspector|sqlite|sys$/.test(id)) continue;
  seen.delete(require(id));
  show(id, require(id), 0);
}
for (const name of Object.getOwnPropertyNames(globalThis).sort()) {
  if (language.includes(name) || /^(?:process|global|Buffer|\u0269.*|PERSISTENT|TEMPORARY)$/.test(name)) continue;
  console.log(name, Object.getOwnPropertyDescriptor(globalThis, name).enumerable);
  show(`global.${name}`, globalThis[name], 1);
}

// What the language's own objects have: browsers are newer than Node's V8.
for (const name of vm.runInNewContext('Object.getOwnPropertyNames(globalThis)').sort()) {
  const show = (path, object) => {
    const names = Object.getOwnPropertyNames(object).sort();
    console.log(path, names.join());
    for (const inner of names) {
      const isClass = name === 'Intl' || name === 'WebAssembly';
      const value = Object.getOwnPropertyDescriptor(object, inner).value;
      if ((inner === 'prototype' || (isClass && /^[A-Z]/.test(inner))) && value && typeof value !== 'string') show(`${path}.${inner}`, value);
    }
  };
  const value = globalThis[name];
  if (!/^(?:Proxy|console|globalThis|WebAssembly)$/.test(name) && value && /object|function/.test(typeof value)) show(name, value);
}
console.log(new Intl.Locale('en-US').calendars, new Intl.Locale('ar').textInfo, process.uptime() < 5);

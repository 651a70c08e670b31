// What each built-in module exports, by name and kind. Left out: what only an inspector gives.
const { builtinModules } = require('node:module');
const vm = require('node:vm');
process.noDeprecation = true;
const left = /^(?:context|createTask|timeStamp|profile|profileEnd|stopCoverage|takeCoverage)$/;
for (const id of builtinModules) {
  if (/^_|inspector|sqlite|sys$/.test(id)) continue;
  const exported = require(id);
  const names = Object.getOwnPropertyNames(exported).filter((name) => !left.test(name));
  console.log(id, typeof exported, names.sort().map((name) => `${name} ${typeof exported[name]}`).join(', '));
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

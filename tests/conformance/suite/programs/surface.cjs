// What each built-in module exports, by name and kind. Left out: what only an inspector gives.
const { builtinModules } = require('node:module');
process.noDeprecation = true;
const left = /^(?:context|createTask|timeStamp|profile|profileEnd|stopCoverage|takeCoverage)$/;
for (const id of builtinModules) {
  if (/^_|inspector|sqlite|sys$/.test(id)) continue;
  const exported = require(id);
  const names = Object.getOwnPropertyNames(exported).filter((name) => !left.test(name));
  console.log(id, typeof exported, names.sort().map((name) => `${name} ${typeof exported[name]}`).join(', '));
}

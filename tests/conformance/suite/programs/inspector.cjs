// A program that asks at its start whether a debugger is attached (Next, Nuxt): the module loads and answers as in a Node without --inspect.
const inspector = require('node:inspector');
console.log(inspector.url(), Object.keys(inspector).sort().join());
console.log(Object.keys(inspector.console).sort().join());
inspector.console.log('nobody hears this');
inspector.Network.requestWillBeSent({});
const attempts = [() => inspector.waitForDebugger(), () => inspector.close(), () => new inspector.Session().post('Runtime.enable')];
for (const attempt of attempts) {
  try {
    console.log(attempt());
  } catch (error) {
    console.log(error.code, error.message);
  }
}
new inspector.Session().disconnect();
import('node:inspector/promises').then((promises) => console.log(Object.keys(promises).sort().join()));

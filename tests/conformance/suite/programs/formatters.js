// Formatters of stack traces that are read, replaced, called and put back (callsites, babel, jest), and positions in vm scripts that await.
const vm = require('node:vm');
Error.prepareStackTrace = (error, sites) => `first ${error.message} ${sites.length > 0}`;
const first = Error.prepareStackTrace;
Error.prepareStackTrace = (error, sites) => `second, ${first(error, sites)}`;
console.log(new Error('a').stack);
Error.prepareStackTrace = (_, sites) => sites;
console.log(new Error('b').stack.map((site) => [site.getFileName() === __filename, site.isEval(), site.getLineNumber()])[0]);
Error.prepareStackTrace = first;
console.log(new Error('c').stack);
Error.prepareStackTrace = undefined;
const lines = (stack) => stack.split('\n').filter((line) => !/processTicks/.test(line)).slice(0, 3).join('\n');
console.log(new Error('d').stack.split('\n')[0]);
const context = vm.createContext({ console, lines });
const source = `const f = async () => { await null; await (async () => { await 1; console.log(lines(new Error('e').stack)); })() }; return f();`;
const done = vm.compileFunction(source, [], { filename: '/x/z.js', parsingContext: context })();
console.log(vm.runInContext('eval("1 + 1")', context));
try {
  new vm.Script('a b', { filename: '/q.js' });
} catch (error) {
  console.log(error.stack.replace(/\(\/.*$/gm, ''));
}
done.then(() => console.log('done'));

// The REPL over pipes: values, declarations that stay, several lines, await, errors, commands. And what it stands on: a capture of uncaught errors.
const { spawn } = require('node:child_process');
const lines = [
  '1 + 1', 'const a = { x: new Map([[1, 2]]) }', 'a', 'let b = 1; if (b) 5', 'class K {}; new K()', 'const a = 1', 'a = 2',
  'function f(n) {', 'return n * 2', '}', 'f(21)', 'await Promise.resolve(7)', 'throw new Error("no")', '_', '.help', '.exit',
];
const repl = spawn(process.execPath, ['-i'], { env: { ...process.env, NO_COLOR: '1' } });
let output = '';
repl.stdout.on('data', (bytes) => (output += bytes));
repl.stderr.on('data', (bytes) => (output += bytes));
let at = 0;
const next = () => repl.stdin.write(`${lines[at++]}\n`);
repl.stdout.on('data', (bytes) => { if (/(> |\.\.\. |\| )$/.test(`${bytes}`) && at < lines.length) next(); });
repl.on('close', (code) => {
  console.log(output, code);
  process.setUncaughtExceptionCaptureCallback((error) => console.log('caught', error.message, process.report.reportOnUncaughtException));
  setTimeout(() => { throw new Error('late'); }, 1);
});

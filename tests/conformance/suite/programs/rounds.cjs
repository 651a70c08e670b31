// The rounds of the event loop: what an exception in a callback leaves behind, what is not referenced, what comes before the timers.
const { setTimeout: later } = require('node:timers/promises');
process.on('uncaughtException', (error) => console.log('caught', error.message));
setTimeout(() => {
  throw new Error('first timer');
}, 1);
setTimeout(() => console.log('second timer'), 1);
let rounds = 0;
const interval = setInterval(() => {
  if (++rounds === 3) {
    clearInterval(interval);
    setTimeout(immediates, 1);
  }
  throw new Error(`interval ${rounds}`);
}, 20);
function immediates() {
  for (let i = 0; i < 3; i++)
    setImmediate(() => {
      if (i === 0) {
        setTimeout(() => console.log('timer behind the immediates'), 1);
        for (const started = Date.now(); Date.now() - started < 5; );
      }
      console.log('immediate', i);
      if (i === 1) throw new Error('immediate');
      process.nextTick(() => console.log('tick of', i));
      queueMicrotask(() => {
        if (i === 2) throw new Error('microtask');
      });
    });
}
process.once('beforeExit', () => {
  console.log('beforeExit');
  setImmediate(() => console.log('never')).unref();
  setTimeout(() => console.log('never'), 1).unref();
  later(1, undefined, { ref: false }).then(() => console.log('never'));
});
process.on('exit', () => console.log('exit', rounds));
console.log((() => rounds.toString(2)).toString());

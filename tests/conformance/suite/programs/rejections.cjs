// When a rejection is told: after the callback that it happened in and its microtasks, before any other callback.
process.on('unhandledRejection', ({ message }) => console.log('unhandled', message));
process.on('rejectionHandled', () => console.log('handled later'));
const first = Promise.reject(new Error('a'));
const fails = async (message) => {
  await undefined;
  throw new Error(message);
};
setImmediate(() => {
  console.log('immediate');
  first.catch(() => console.log('caught'));
  Promise.reject(new Error('b'));
  setImmediate(() => {
    console.log('second');
    fails('c');
    process.nextTick(() => console.log('tick'));
    queueMicrotask(() => console.log('micro'));
    setImmediate(() => {
      console.log('third');
      process.removeAllListeners('unhandledRejection');
      setImmediate(() => console.log('never'));
      new Promise((_, reject) => reject(new Error('d')));
    });
  });
});

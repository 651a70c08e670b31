// Messages between processes with serialization 'advanced'.
const { fork } = require('node:child_process');
if (process.argv[2] === 'child') {
  process.on('message', (message) => process.send({ back: message, kinds: [message.map instanceof Map, Buffer.isBuffer(message.buffer), message.date.constructor.name] }, () => process.disconnect()));
} else {
  const child = fork(__filename, ['child'], { serialization: 'advanced' });
  child.on('message', (message) => console.log(message));
  child.on('exit', (code) => console.log('exit', code));
  const shared = { same: 1 };
  child.send({
    map: new Map([['k', { deep: new Set([1, 'two']) }]]), buffer: Buffer.from('bytes'), typed: new Float64Array([1.5, NaN]),
    date: new Date(0), big: 2n ** 70n, missing: undefined, pattern: /x/gi, error: new RangeError('far').message, twice: [shared, shared], text: 'é€😀'.repeat(3),
  });
}

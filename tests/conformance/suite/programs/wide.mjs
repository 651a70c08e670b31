// What a wide look over Node's API found wrong once: each line is such a case.
import * as path from 'node:path';
import crypto from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';

console.log(Object.getOwnPropertyDescriptor(path, 'sep'), Reflect.getOwnPropertyDescriptor(path, 'sep'), await import('data:text/javascript,export let a = 1; export default 2'));
const cipher = crypto.createCipheriv('aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12));
console.log(cipher.update('x', 'utf8', 'hex') + cipher.final('hex'), cipher.getAuthTag().toString('hex'));
const histogram = createHistogram();
for (const value of [5, 6, 7, 100]) histogram.record(value);
console.log(histogram);
for (const url of ['http://a b', 'http://a%20b/', 'https://a<b/', 'foo://a%20b/x', 'http://ok/a b']) console.log(url, URL.canParse(url), URL.parse(url)?.href);
const changed = new URL('http://ok/');
changed.host = 'a b';
console.log(changed.href);
process.emitWarning('careful', { code: 'W1', detail: 'more' });
let rounds = 0;
process.on('beforeExit', async () => {
  console.log('before', ++rounds);
  await null;
  if (rounds < 3) setTimeout(() => console.log('went on'), 1);
});
process.on('exit', (code) => console.log('exit', code));

// What a program sees of the global object by walking it is Node's.
const walked = [];
for (const name in globalThis) walked.push(name);
console.log(walked.join(' '));

// More than a worker's stack takes as arguments.
for (const length of [60_000, 88_000, 400_000])
  console.log((await (await fetch(`data:application/octet-stream;base64,${'A'.repeat(length)}`)).arrayBuffer()).byteLength);

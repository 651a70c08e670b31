// Columns in stack traces: of imported functions, of awaits, and of lib's own async functions.
import fs from 'node:fs/promises';
import path, { join as joined } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Readable } from 'node:stream';

// How the loader runs a module is not the subject.
const show = (error) => console.log(error.stack.replace(/\n.*(?:node:internal\/modules\/|processTicksAndRejections).*/g, '').replace(/^.*\/stacks\.mjs/gm, (line) => line.replace(/file:.*stacks/, 'stacks')));
try { joined(1); } catch (error) { show(error); }
try { console.log(joined('a', 'b'), path.join(1)); } catch (error) { show(error); }
try { await fs.readFile('missing'); } catch (error) { show(error); }
try { await wait(1, 0, { signal: AbortSignal.abort() }); } catch (error) { show(error); }
try { for await (const _ of Readable.from((async function* () { yield 1; throw new Error('in a generator'); })())); } catch (error) { show(error); }
async function outer() { await null; await inner(); }
async function inner() { await wait(1); throw new Error('after awaits'); }
await outer().catch(show);
const nested = async () => [await wait(1, 'x'), (await wait(1, { f() { return new Error('made here'); } })).f()];
show((await nested())[1]);
for await (const value of [1, wait(1, 2)]) if (value === 2) show(new Error('bare body'));

// From a request: the parser is machine code in Node, and no frame.
const { createServer, get } = await import('node:http');
await new Promise((resolve) => {
  const server = createServer((request, response) => {
    console.log(new Error('in a request').stack);
    response.end();
    server.close(resolve);
  });
  server.listen(0, () => get({ port: server.address().port, agent: false }, (response) => response.resume()));
});

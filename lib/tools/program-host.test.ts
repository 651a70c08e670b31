// What a program may do to us through its port: nothing but what tools and console do. These ports are the hostile ones.
import { expect, test } from 'vitest';
import { type ProgramPort, programErrors, runProgram } from './program-host';
import { heardWord } from './program-words';

const budget = { wallMs: 2000, calls: 50, concurrent: 8 };

/** A run in which the program says these things at once. */
async function said(...words: unknown[]) {
  const told: unknown[] = [];
  const called: unknown[] = [];
  let isClosed = false;
  const port: ProgramPort = {
    onmessage: null,
    postMessage: (message) => told.push(message),
    close: () => {
      isClosed = true;
    },
  };
  const over = runProgram({
    start: () => port,
    budget,
    signal: new AbortController().signal,
    async call(call) {
      called.push(call);
      return { ok: true, value: 'fine' };
    },
  });
  const listener = port.onmessage!;
  for (const data of words) listener({ data } as MessageEvent);
  const outcome = await over;
  // What comes later is not heard.
  listener({ data: { type: 'call', id: 99, tool: 'bash', input: '{}' } } as MessageEvent);
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { ...outcome, told, called, isClosed };
}

const call = (id: unknown, tool: unknown = 'read', input: unknown = '{}') => ({ type: 'call', id, tool, input });

test.each<[string, unknown[]]>([
  ['no object', ['done']],
  ['nothing', [undefined]],
  ['null', [null]],
  ['a type of its own', [{ type: 'result', id: 1, ok: true, value: '"yes"' }]],
  ['an id twice', [call(1), call(1)]],
  ['an id that is not the next', [call(2)]],
  ['an id that is no number', [call('1')]],
  ['an id that is NaN', [call(Number.NaN)]],
  ['a negative id', [call(-1)]],
  ['a tool that is no text', [call(1, ['read'])]],
  ['a tool whose name is too long', [call(1, 'x'.repeat(65))]],
  ['an input that is no text', [call(1, 'read', { path: 'a' })]],
  ['an input of more than ten megabytes', [call(1, 'read', 'x'.repeat(10_000_001))]],
  ['a value that is no text', [{ type: 'done', text: { toString: 'x' } }]],
  ['a value of more than ten megabytes', [{ type: 'done', text: 'x'.repeat(10_000_001) }]],
  ['a print that is no text', [{ type: 'print', text: 1 }]],
  [
    'printing more than our console does',
    Array.from({ length: 20 }, () => ({ type: 'print', text: 'x'.repeat(20_000) })),
  ],
  ['a failure without words', [{ type: 'failed' }]],
  ['an array', [[1, 2]]],
  ['a map', [new Map([['type', 'done']])]],
])('%s ends it', async (_name, words) => {
  const { end, isClosed, called } = await said(...words);
  expect(end).toEqual({ kind: 'failed', message: programErrors.forged });
  expect(isClosed).toBe(true);
  expect(called.length).toBeLessThanOrEqual(1);
});

test('the first end counts, and no call after it', async () => {
  const { end, called, told } = await said({ type: 'done', text: 'one' }, { type: 'done', text: 'two' }, call(1));
  expect(end).toEqual({ kind: 'done', text: 'one' });
  expect([called.length, told.length]).toEqual([1, 0]);
});

test('a failure of a megabyte is told in part', async () => {
  const { end } = await said({ type: 'failed', message: 'x'.repeat(1_000_000) });
  expect(end).toEqual({ kind: 'failed', message: 'x'.repeat(20_000) });
});

test('members beside those that are known are not passed on', () => {
  const word = heardWord(
    JSON.parse('{"type":"call","id":1,"tool":"read","input":"{}","__proto__":{"a":1},"callId":"x"}'),
  );
  expect(word).toEqual({ type: 'call', id: 1, tool: 'read', input: '{}' });
});

test('a port that is stopped before it begins', async () => {
  const stop = new AbortController();
  stop.abort(new DOMException('Stopped', 'AbortError'));
  const port: ProgramPort = { onmessage: null, postMessage: () => {}, close: () => {} };
  const over = runProgram({ start: () => port, budget, signal: stop.signal, call: () => Promise.reject() });
  await expect(over).rejects.toThrow('Stopped');
});

// Windows that instructions and tools nearly fill: a run goes on in what is left of them, or stops with words that help.
import { expect, test } from 'vitest';
import type { ScriptedStep } from '../agent/scripted-model';
import { last, setup, tools } from './testing';

/** Eleven readings of a file, and summaries of that many words. */
async function run(contextTokens: number, summaryWords: number) {
  let steps = 0;
  let summaries = 0;
  const step: ScriptedStep = ({ tools: offered }) => {
    if ((offered?.length ?? 0) === 0) {
      summaries++;
      return [`## Objective\n${'done '.repeat(summaryWords)}`];
    }
    steps++;
    return steps < 12 ? [{ tool: 'read', input: { path: 'big.txt', offset: steps, limit: 50 } }] : ['done'];
  };
  const made = await setup([step], {
    contextTokensOf: () => contextTokens,
    priceOf: () => ({ input: 1, output: 1 }),
    memory: { files: { 'big.txt': 'lorem ipsum dolor\n'.repeat(2000) } },
  });
  made.session.setMode('auto');
  await made.session.send('go');
  return { ...made, asked: () => summaries };
}

test.each([4096, 8192])('a window of %i: the run comes to its end, by summaries', async (contextTokens) => {
  const { session, asked } = await run(contextTokens, 10);
  expect(session.state().status).toEqual({ kind: 'idle' });
  expect([last(session).end, tools(session).length]).toEqual(['done', 11]);
  expect(asked()).toBeGreaterThan(0);
});

test('a window that is smaller than instructions and tools: that is said, and no model is asked', async () => {
  const { session, model } = await run(2048, 10);
  expect(session.state().status).toMatchObject({
    kind: 'failed',
    error: { kind: 'limit', message: expect.stringContaining('instructions and tools alone are about') },
  });
  expect(model.requests).toEqual([]);
});

test('a summary that would be no shorter: what still fits is sent, none is asked for at every step, and what it cost counts', async () => {
  const { session, asked, model } = await run(8192, 3000);
  expect(asked()).toBeGreaterThan(0);
  expect(asked()).toBeLessThanOrEqual(3);
  expect(tools(session).length).toBeGreaterThan(5);
  expect(
    session
      .state()
      .messages.flatMap((message) => message.parts)
      .filter((part) => part.type === 'summary'),
  ).toEqual([]);
  expect(session.state().usage.inputTokens).toBe(model.requests.length * 100);
});

// An MCP server asks the conversation's model: the person says yes, it counts, and what is over the budget is not asked at all.
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ToolSource } from '../registry/registry';
import type { Sample } from '../tools/sample';
import { last, setup, tools, until } from './testing';

const asked = {
  tools: [],
  toolChoice: 'none' as const,
  maxOutputTokens: 500,
  shown: 'User: Two and two?',
  prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Two and two?' }] }],
};

/** Stands for a server's tool that asks the model while it runs. */
const sourceOf = (sample: Sample, times = 1): ToolSource => ({
  name: 'MCP server s',
  offer: () => ({
    tools: [
      {
        name: 's_t',
        kind: 'run' as const,
        description: 'asks',
        input: z.object({}),
        example: {},
        async execute(_input, { callId, signal }) {
          const lines: string[] = [];
          while (lines.length < times) {
            const said = await sample(asked, { callId, signal, from: 's' }).catch((error: Error) => error.message);
            lines.push(typeof said === 'string' ? `refused: ${said}` : `${said.model}: ${said.text}`);
          }
          return { title: 't', output: lines.join('\n') };
        },
      },
    ],
  }),
});

const script = [[{ tool: 's_t', input: {} }], ['Four.'], ['done']];

test('the card shows all of it; a yes is one answer, counted to the conversation, whatever the mode', async () => {
  const { session, model } = await setup(script, {
    sources: ({ sample }) => [sourceOf(sample)],
    priceOf: () => ({ input: 1, output: 10 }),
  });
  session.setMode('auto');
  const over = session.send('go');
  await until(() => session.state().asks.length === 1);
  const [ask] = session.state().asks;
  expect(ask).toMatchObject({
    callId: tools(session)[0]!.callId,
    facts: [{ permission: 'sampling', patterns: ['s'], always: [] }],
    request: {
      title: 'Let the MCP server s ask scripted',
      meta: {
        sampling: { server: 's', model: 'scripted', shown: 'User: Two and two?', maxOutputTokens: 500, mostUsd: 0.005 },
      },
    },
  });
  expect(model.requests).toHaveLength(1);
  session.answer(ask!.id, { kind: 'once' });
  await over;
  expect(tools(session)[0]!.output).toBe('scripted: Four.');
  // Its own words alone, and no tool of ours.
  expect(model.requests[1]).toMatchObject({ prompt: asked.prompt, maxOutputTokens: 500 });
  expect(model.requests[1]!.tools).toBeUndefined();
  expect(last(session).overhead).toMatchObject({ inputTokens: 100, outputTokens: 10 });
  expect(session.state().usage).toMatchObject({ inputTokens: 300, outputTokens: 30 });
});

test('a no is told to the server with its word; a rule denies without a question', async () => {
  const { session } = await setup(script.slice(0, 1).concat([['done']]), {
    sources: ({ sample }) => [sourceOf(sample)],
  });
  session.setMode('auto');
  const over = session.send('go');
  await until(() => session.state().asks.length === 1);
  session.answer(session.state().asks[0]!.id, { kind: 'reject', message: 'Too dear.' });
  await over;
  expect(tools(session)[0]!.output).toBe('refused: The person said no. Too dear.');

  const denied = await setup(script.slice(0, 1).concat([['done']]), {
    sources: ({ sample }) => [sourceOf(sample)],
    ownRules: () => [{ permission: 'sampling', pattern: '*', effect: 'deny' }],
  });
  denied.session.setMode('auto');
  await denied.session.send('go');
  expect(tools(denied.session)[0]!.output).toBe('refused: A rule of the person denies it.');
});

test('nobody is asked when the budget is spent, and the server does not learn how much it was', async () => {
  const { session, model } = await setup(script, {
    sources: ({ sample }) => [sourceOf(sample, 2)],
    priceOf: () => ({ input: 1, output: 10 }),
    // More than a step costs, less than a step and an answer.
    settings: () => ({ costUsd: 0.0003 }),
  });
  session.setMode('auto');
  const over = session.send('go');
  await until(() => session.state().asks.length === 1 && session.state().usage.costUsd !== undefined);
  session.answer(session.state().asks[0]!.id, { kind: 'once' });
  await over;
  expect(tools(session)[0]!.output).toBe('scripted: Four.\nrefused: The budget of this conversation is spent.');
  // The first step and the first question; the next step pauses too.
  expect(model.requests).toHaveLength(2);
  expect(session.state().status).toMatchObject({ kind: 'failed', error: { kind: 'limit' } });
});

test('nobody answers in time: it is refused', async () => {
  const { session } = await setup(script.slice(0, 1).concat([['done']]), {
    sources: ({ sample }) => [sourceOf(sample)],
    askTimeoutMs: 20,
  });
  session.setMode('auto');
  await session.send('go');
  expect(tools(session)[0]!.output).toBe('refused: Nobody answered.');
});

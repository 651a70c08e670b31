// The words of the panel: usage, questions, what is spoken, mentions, examples.
import { expect, test } from 'vitest';
import { nextStep } from '../../lib/agent/practice-model';
import type { Message } from '../../lib/session/messages';
import type { PendingAsk, SessionState } from '../../lib/session/types';
import { alwaysLines, askFacts, grantLine } from './ask-words';
import { examplePrompts } from './example-prompts';
import { mentionAt, mentionItems, withMention } from './mention';
import { spokenChange } from './spoken-change';
import { estimateLine, showCost, showTokens, usageLine } from './usage-line';

const usage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const state = (more: Partial<SessionState>): SessionState => ({
  id: 's',
  projectId: 'p',
  title: '',
  createdAtMs: 0,
  updatedAtMs: 0,
  messages: [],
  status: { kind: 'idle' },
  asks: [],
  questions: [],
  inbox: [],
  todos: [],
  agent: 'build',
  usage,
  model: 'practice',
  mode: 'ask',
  grants: [],
  canUndo: false,
  ...more,
});
const answer = (parts: Message['parts'], more: Partial<Message> = {}): Message => ({
  id: 'm',
  role: 'assistant',
  parts,
  createdAtMs: 0,
  ...more,
});
const ask = (more: Partial<PendingAsk['request']>, facts: PendingAsk['facts']): PendingAsk => ({
  id: 'a',
  callId: 'c',
  tool: 'bash',
  request: { permission: 'bash', patterns: ['npm test'], always: [], title: 'Run npm test', ...more },
  facts,
  createdAtMs: 0,
  deadlineMs: 1,
});

test('usage: how full, what it cost, never a price that nobody configured', () => {
  const model = { id: 'a/b', name: 'b', provider: 'a', access: 'server' as const };
  expect(usageLine(state({}), model)).toBeUndefined();
  const step = { ...usage, inputTokens: 50_000, outputTokens: 1000 };
  const used = state({
    messages: [answer([{ type: 'step', id: '1', usage: step }])],
    usage: { ...step, inputTokens: 90_000 },
  });
  expect(usageLine(used, model)).toMatchObject({ short: '51.0k tokens' });
  expect(usageLine(used, model)!.long).toContain('No price is configured');
  const priced = { ...used, usage: { ...used.usage, costUsd: 0.1234 } };
  const line = usageLine(priced, { ...model, contextTokens: 204_000 })!;
  expect(line.short).toBe('25 % · $0.12');
  expect(line.long).toBe('Context: 51.0k of 204k tokens (25 %). In all 90.0k in, 1.0k out. Cost: $0.12.');
  expect([0, 950, 99_949, 99_950, 999_600].map(showTokens)).toEqual(['0', '950', '99.9k', '100k', '1.0M']);
  expect([0, 0.001, 2].map(showCost)).toEqual(['$0', '< $0.01', '$2.00']);
});

test('questions say what always would cover, and what the title leaves out', () => {
  const facts = [
    { permission: 'bash', patterns: ['npm test'], always: ['npm test *'] },
    { permission: 'edit', patterns: ['out.txt'], always: ['*'] },
    { permission: 'read', patterns: ['.env'], always: [] },
  ];
  expect(alwaysLines(facts)).toEqual(['commands like npm test …', 'all edits of files']);
  expect(askFacts(ask({}, facts))).toEqual(['It writes out.txt', 'It reads .env']);
  const opaque = ask({ opaque: true, meta: { opaque: 'eval' } }, []);
  expect(askFacts(opaque)[0]).toMatch(/\(eval\), so it asks every time/);
  const grant = { id: 'g', permission: 'bash', pattern: 'npm test *', scope: 'project' as const, grantedAtMs: 0 };
  expect(grantLine(grant)).toBe('Commands like npm test … (this project)');
});

test('a screen reader hears questions and ends, not what streams and not what was there before', () => {
  const running = state({ status: { kind: 'running' }, messages: [answer([{ type: 'text', id: '1', text: 'He' }])] });
  const first = spokenChange(undefined, running);
  expect(first.say).toBeUndefined();
  const more = state({ ...running, messages: [answer([{ type: 'text', id: '1', text: 'Hello' }])] });
  expect(spokenChange(first.now, more).say).toBeUndefined();
  const asking = spokenChange(first.now, { ...more, asks: [ask({}, [])] });
  expect(asking.say).toMatch(/^The agent asks: Run npm test\./);
  expect(spokenChange(asking.now, { ...more, asks: [ask({}, [])] }).say).toBeUndefined();
  const done = state({ messages: [answer([{ type: 'text', id: '1', text: 'Hello there.' }], { end: 'done' })] });
  expect(spokenChange(first.now, done).say).toBe('The agent is done. Hello there.');
  expect(spokenChange(spokenChange(first.now, done).now, done).say).toBeUndefined();
});

test('mentions: found at the cursor, ranked, written as a plain path', () => {
  expect(mentionAt('look at @du', 11)).toEqual({ start: 8, query: 'du' });
  expect(mentionAt('me@example.org', 14)).toBeUndefined();
  expect(mentionAt('@a b', 4)).toBeUndefined();
  expect(mentionAt('@', 1)).toEqual({ start: 0, query: '' });
  const paths = ['src/long/dusty/unrelated.ts', 'src/duration.ts', 'README.md'];
  expect(mentionItems('dur', paths)[0]!.path).toBe('src/duration.ts');
  expect(mentionItems('', paths)).toHaveLength(3);
  expect(withMention('look at @du now', { start: 8, query: 'du' }, 'src/a.ts')).toEqual({
    text: 'look at src/a.ts now',
    cursor: 17,
  });
  expect(withMention('@', { start: 0, query: '' }, 'a b.ts').text).toBe('"a b.ts" ');
});

test.each<[string[], Record<string, string>]>([
  [['index.js', 'package.json'], {}],
  [['package.json'], { test: 'node --test' }],
  [['Makefile'], {}],
  [[], {}],
])('the practice model can do what the empty panel offers: %j %j', (files, scripts) => {
  const prompts = examplePrompts(files, scripts);
  expect(new Set(prompts).size).toBe(3);
  for (const text of prompts) {
    const step = nextStep(
      [{ role: 'user', content: [{ type: 'text', text }] }],
      new Set(['glob', 'read', 'bash', 'write', 'edit', 'grep']),
    );
    expect(step.calls, text).not.toEqual([]);
  }
});

test('what sending would cost before the answer', () => {
  const model = { id: 'p/m', name: 'M', provider: 'p', access: 'server' as const, price: { input: 10, output: 50 } };
  const before = [
    {
      id: 'a',
      role: 'assistant' as const,
      createdAtMs: 0,
      parts: [{ type: 'step' as const, id: 's', usage: { ...noTokens, inputTokens: 9000, outputTokens: 1000 } }],
    },
  ];
  expect(estimateLine(before, model, '', 'hello')).toEqual({
    short: '≈ $0.10',
    long: 'About 10.0k tokens go to the model with this: at most $0.10 for each step, and what it answers.',
  });
  expect(estimateLine([], model, 'x'.repeat(400), 'hello').short).toBe('< $0.01');
  const { price: _price, ...unpriced } = model;
  expect(estimateLine([], unpriced, '', 'hello').long).toMatch(/Its price is not known here\.$/);
});

const noTokens = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

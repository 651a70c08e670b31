import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Verdict } from '../permission/asks';
import { createMemorySandbox } from '../sandbox/memory';
import { builtInTools } from './built-in';
import { acceptInput, runTool, type ToolProgress } from './run-tool';
import { createSeenFiles } from './seen-files';
import { type Tool, ToolError } from './tool';

const probe = (execute: Tool['execute'], input: z.ZodType = z.object({})): Tool => ({
  name: 'probe',
  kind: 'read',
  description: '',
  input,
  example: {},
  execute,
});
async function run(
  tool: Tool,
  inputText = '{}',
  verdict: () => Promise<Verdict> = async () => ({ kind: 'allowed', by: 'rule' }),
  stop = new AbortController(),
  more: { unrepaired?: string[]; called?: string } = {},
) {
  const progress: ToolProgress[] = [];
  const sandbox = await createMemorySandbox();
  const options = {
    tools: [tool],
    sandbox,
    cwd: sandbox.workdir,
    signal: stop.signal,
    seen: createSeenFiles(),
    isGuarded: () => false,
    permit: verdict,
    ...(more.unrepaired && { unrepaired: more.unrepaired }),
    report: (one: ToolProgress) => progress.push(one),
  };
  return { settled: await runTool({ callId: 'c', tool: more.called ?? 'probe', inputText }, options), progress };
}
const ask = { permission: 'x', patterns: ['y'], always: [], title: 't' };

describe('input', () => {
  const tool = probe(
    async () => ({ title: '', output: '' }),
    z
      .object({
        path: z.string(),
        count: z.number().int().default(1),
        all: z.boolean().optional(),
        tags: z.array(z.string()).optional(),
        nested: z.object({ a: z.number() }).optional(),
      })
      .strict(),
  );
  test.each<[string, string, unknown, number]>([
    ['defaults', '{"path":"a"}', { path: 'a', count: 1 }, 0],
    ['number and boolean strings', '{"path":"a","count":"3","all":"true"}', { path: 'a', count: 3, all: true }, 2],
    ['a scalar for a list', '{"path":"a","tags":"t"}', { path: 'a', count: 1, tags: ['t'] }, 1],
    ['a list as text', '{"path":"a","tags":"[\\"t\\"]"}', { path: 'a', count: 1, tags: ['t'] }, 1],
    ['an object as text', '{"path":"a","nested":"{\\"a\\":1}"}', { path: 'a', count: 1, nested: { a: 1 } }, 1],
    ['placeholders', '{"path":"a","all":null,"tags":{}}', { path: 'a', count: 1 }, 2],
    ['all of it as text', '"{\\"path\\":\\"a\\"}"', { path: 'a', count: 1 }, 1],
    ['a string that looks like a number stays one', '{"path":"12"}', { path: '12', count: 1 }, 0],
  ])('%s', (_name, text, input, repairs) => {
    const accepted = acceptInput(tool, text);
    expect(accepted).toMatchObject({ ok: true, input });
    if (accepted.ok) expect(accepted.repairs.length).toBe(repairs);
  });
  test.each([['probe'], ['*'], ['pro*']])('mending can be turned off: %s', async (pattern) => {
    const off = await run(tool, '{"path":"a","count":"3"}', undefined, undefined, { unrepaired: [pattern] });
    expect(off.settled).toMatchObject({ state: 'error', message: expect.stringContaining('count') });
    const other = await run(tool, '{"path":"a","count":"3"}', undefined, undefined, { unrepaired: ['other'] });
    expect(other.settled.state).toBe('done');
    expect(other.progress[0]).toMatchObject({ kind: 'accepted', repairs: [expect.stringContaining('count')] });
  });
  test('a tool that is not there is told with the nearest one', async () => {
    const { settled } = await run(tool, '{}', undefined, undefined, { called: 'prode' });
    expect(settled).toMatchObject({ state: 'error', message: expect.stringContaining('Did you mean probe?') });
  });
  test('allowed values that a provider can only write as strings', () => {
    const schema = z.object({ level: z.literal([1, 2]), way: z.union([z.literal(true), z.literal('x')]) });
    const accepted = acceptInput(
      probe(async () => ({ title: '', output: '' }), schema),
      '{"level":"2","way":"true"}',
    );
    expect(accepted).toEqual({
      ok: true,
      input: { level: 2, way: true },
      repairs: ['level: read as 2', 'way: read as true'],
    });
  });
  test('unknown keys are dropped where the schema is closed, and the rest is told with path, value and example', () => {
    expect(acceptInput(tool, '{"path":"a","extra":1}')).toMatchObject({
      ok: true,
      repairs: ['extra: unknown, dropped'],
    });
    const read = builtInTools.find((one) => one.name === 'read')!;
    const refused = acceptInput(read, '{"offset":-5}');
    expect(refused).toMatchObject({ ok: false });
    if (!refused.ok)
      expect(refused.message).toMatch(
        /^The input of read is not valid:\n- path: .*\(received nothing\)\n- offset: .*\(received -5\)\nA valid example: \{"path"/,
      );
    expect(acceptInput(read, '{"path":')).toMatchObject({
      ok: false,
      message: expect.stringContaining('not valid JSON'),
    });
  });
});

describe('a call always settles', () => {
  test('done, with progress', async () => {
    const { settled, progress } = await run(
      probe(async (_input, context) => {
        await context.ask(ask);
        context.update({ output: 'live' });
        return { title: 't', output: 'x\n'.repeat(5000) };
      }),
    );
    expect(progress.map((one) => one.kind)).toEqual(['accepted', 'running', 'asking', 'running', 'update']);
    expect(settled).toMatchObject({ state: 'done', result: { meta: { truncated: true } } });
  });
  test.each<[string, Tool['execute'], object]>([
    [
      'an expected failure',
      async () => {
        throw new ToolError('do y instead');
      },
      { state: 'error', message: 'do y instead' },
    ],
    [
      'a file error',
      async (_input, { sandbox }) => ({ title: '', output: await sandbox.fs.readText('/nope') }),
      { state: 'error', message: expect.stringContaining('ENOENT') },
    ],
    [
      'a bug',
      async () => {
        throw new TypeError('x is not a function');
      },
      { state: 'error', cause: expect.any(TypeError) },
    ],
    [
      'a synchronous throw',
      () => {
        throw new Error('sync');
      },
      { state: 'error', message: 'The tool broke: sync' },
    ],
  ])('%s', async (_name, execute, expected) => {
    expect((await run(probe(execute))).settled).toMatchObject(expected);
  });
  test.each<[string, Verdict, object]>([
    ['denied by a rule', { kind: 'denied', reason: 'a rule' }, { state: 'error', message: 'a rule' }],
    [
      'refused with words',
      { kind: 'rejected', message: 'use b' },
      { state: 'error', message: 'The person refused this call and says: use b' },
    ],
    ['refused without', { kind: 'rejected' }, { state: 'error', stopsTurn: true }],
  ])('%s', async (_name, verdict, expected) => {
    const execute: Tool['execute'] = async (_input, context) => {
      await context.ask(ask);
      return { title: '', output: 'done' };
    };
    expect((await run(probe(execute), '{}', async () => verdict)).settled).toMatchObject(expected);
  });
  test('stopped while asking, and in a tool that does not listen', async () => {
    const asking = new AbortController();
    const first = run(
      probe(async (_input, context) => {
        await context.ask(ask);
        return { title: '', output: '' };
      }),
      '{}',
      () => new Promise(() => {}),
      asking,
    );
    setTimeout(() => asking.abort(), 10);
    expect((await first).settled).toEqual({ state: 'interrupted' });
    const deaf = new AbortController();
    const second = run(
      probe(() => new Promise(() => {})),
      '{}',
      undefined,
      deaf,
    );
    setTimeout(() => deaf.abort(), 10);
    expect((await second).settled).toEqual({ state: 'interrupted' });
  });
  test('an unknown tool, and one in the wrong case', async () => {
    const tool = probe(async () => ({ title: '', output: 'ok' }));
    expect((await run({ ...tool, name: 'other' })).settled).toMatchObject({
      message: expect.stringContaining('The tools are: other'),
    });
    expect((await run({ ...tool, name: 'Probe' })).settled).toMatchObject({ state: 'done' });
  });
});

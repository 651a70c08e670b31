// Group 1: what a tool may rely on when it is called, beyond the tables beside runTool (lib/tools/run-tool.test.ts).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { setup, tools, until } from '../../../lib/session/testing';
import { repairInput } from '../../../lib/tools/repair-input';
import type { Tool } from '../../../lib/tools/tool';

const lasting = (execute: Tool['execute'], input: z.ZodType = z.object({})): Tool => ({
  name: 'probe',
  kind: 'read',
  permission: 'read',
  description: 'A probe.',
  input,
  example: {},
  execute,
});
const withProbe = (probe: Tool) => ({ sources: () => [{ name: 'test', offer: () => ({ tools: [probe] }) }] });

describe('a tool that somebody defined', () => {
  test('receives its input with defaults, in each call anew', async () => {
    const received: unknown[] = [];
    const probe = lasting(
      async (input) => {
        received.push(input);
        (input as { list: string[] }).list.push('mine');
        return { title: '', output: 'ok' };
      },
      z.object({ count: z.number().default(3), list: z.array(z.string()).default(() => []) }),
    );
    const { session } = await setup(
      [
        [
          { tool: 'probe', input: {} },
          { tool: 'probe', input: { count: 1 } },
        ],
        ['done'],
      ],
      withProbe(probe),
    );
    await session.send('go');
    expect(received).toEqual([
      { count: 3, list: ['mine'] },
      { count: 1, list: ['mine'] },
    ]);
    expect(tools(session).map((part) => part.input)).toMatchObject([{ count: 3 }, { count: 1 }]);
  });

  test('is not changed by being offered and called', async () => {
    const probe = Object.freeze(lasting(async () => ({ title: '', output: 'ok' })));
    const { session, model } = await setup([[{ tool: 'probe', input: {} }], ['done']], withProbe(probe));
    await session.send('go');
    expect(tools(session)[0]!.state).toBe('done');
    expect(model.requests[0]!.tools).toEqual(model.requests[1]!.tools);
    expect(model.requests[0]!.tools).not.toBe(model.requests[1]!.tools);
  });

  test('shows progress without losing when it began', async () => {
    let go!: () => void;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const probe = lasting(async (_input, context) => {
      context.update({ output: 'half', meta: { at: 1 } });
      await gate;
      return { title: 'whole', output: 'all' };
    });
    const { session } = await setup([[{ tool: 'probe', input: {} }], ['done']], withProbe(probe));
    const over = session.send('go');
    await until(() => tools(session)[0]?.output === 'half');
    const { startedAtMs } = tools(session)[0]!;
    go();
    await over;
    expect(tools(session)[0]).toMatchObject({ startedAtMs, state: 'done', title: 'whole', output: 'all' });
    expect(tools(session)[0]!.endedAtMs).toBeGreaterThanOrEqual(startedAtMs!);
  });

  test('hears of a stop through its signal', async () => {
    let heard = false;
    const probe = lasting(
      (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            heard = true;
            reject(signal.reason);
          });
        }),
    );
    const { session } = await setup([[{ tool: 'probe', input: {} }]], withProbe(probe));
    const over = session.send('go');
    await until(() => tools(session)[0]?.state === 'running');
    await session.stop();
    await over;
    expect(heard).toBe(true);
    expect(tools(session)[0]!.state).toBe('interrupted');
  });

  test('that bounds its own output is not cut again', async () => {
    const output = 'x\n'.repeat(2000);
    const probe = lasting(async () => ({ title: '', output, meta: { truncated: false } }));
    const { session } = await setup([[{ tool: 'probe', input: {} }], ['done']], withProbe(probe));
    await session.send('go');
    expect(tools(session)[0]).toMatchObject({ output, meta: { truncated: false } });
  });

  test('with a wrong input is not run, and the model hears path, value and an example', async () => {
    let ran = false;
    const probe = lasting(
      async () => {
        ran = true;
        return { title: '', output: '' };
      },
      z.object({ deep: z.object({ n: z.number() }) }),
    );
    const { session } = await setup([[{ tool: 'probe', input: { deep: { n: 'many' } } }], ['done']], withProbe(probe));
    await session.send('go');
    expect(ran).toBe(false);
    expect(tools(session)[0]).toMatchObject({
      state: 'error',
      output: expect.stringMatching(/deep\.n: .*"many"[\s\S]*example/),
    });
  });
});

describe('schemas of others are mended by as well', () => {
  const schema = {
    type: 'object',
    properties: {
      at: { $ref: '#/$defs/point' },
      size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      flag: { type: ['boolean', 'null'] },
      pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] },
      by: { type: 'object', additionalProperties: { type: 'number' } },
      either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      list: { type: 'array', items: { $ref: '#/$defs/point' } },
      self: { $ref: '#/$defs/loop' },
    },
    $defs: { point: { type: 'object', properties: { x: { type: 'number' } } }, loop: { $ref: '#/$defs/loop' } },
  } as const;
  test.each<[string, object, object, number]>([
    ['what a reference names', { at: '{"x":"1"}' }, { at: { x: 1 } }, 2],
    ['a list of what it names', { list: '[{"x":"1"}]' }, { list: [{ x: 1 }] }, 2],
    ['what may be null', { size: '3', flag: 'true' }, { size: 3, flag: true }, 2],
    ['null where it is a value', { size: null, flag: null }, { size: null, flag: null }, 0],
    ['a tuple', { pair: ['1', '2'] }, { pair: [1, '2'] }, 1],
    ['a dictionary', { by: { a: '1', b: 2 } }, { by: { a: 1, b: 2 } }, 1],
    ['a choice is left alone', { either: '3' }, { either: '3' }, 0],
    ['a reference to itself too', { self: '3' }, { self: '3' }, 0],
  ])('%s', (_name, given, value, repairs) => {
    const mended = repairInput(given, schema as never);
    expect(mended.value).toEqual(value);
    expect(mended.repairs).toHaveLength(repairs);
  });
  test('a key that objects have by themselves is only a key', () => {
    const { value } = repairInput(JSON.parse('{"__proto__":{"path":"x"}}'), { type: 'object' });
    expect((value as { path?: string }).path).toBeUndefined();
  });
});

// Group 1: what a tool may rely on when it is called, beyond the tables beside runTool (lib/tools/run-tool.test.ts).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { setup, tools, until } from '../../../lib/session/testing';
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

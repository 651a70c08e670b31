// Agents that may only look: what the permission parser can't see is stopped by the policy that their commands run under.
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { type ScriptedPart, scriptedModel } from '../agent/scripted-model';
import type { ScriptedCommand } from '../sandbox/memory';
import { createMemorySandbox } from '../sandbox/memory';
import { SandboxError } from '../sandbox/sandbox';
import { setup, tools, until } from './testing';

/** `write FILE`, `show FILE`, `show settings` (which are in `.env`): a program whose name tells nothing. */
const bash: ScriptedCommand = async ({ args, fs, cwd, out, err }) => {
  const [verb, name] = args[1]!.split(' ').slice(-2) as [string, string];
  try {
    if (verb === 'write') await fs.write(`${cwd}/${name}`, 'x');
    else out(await fs.readText(`${cwd}/${name === 'settings' ? '.env' : name}`));
    return 0;
  } catch (error) {
    err((error as Error).message);
    return 1;
  }
};
const run = (command: string): ScriptedPart => ({ tool: 'bash', input: { command } });
const memory = { commands: { bash }, files: { '.env': 'KEY=1', 'a.txt': 'a' } };

describe('plan mode', () => {
  test('a command that writes fails, in every mode, and the model hears why', async () => {
    const { session, sandbox } = await setup(
      [[run('./build.sh write made')], ['ok'], [run('./build.sh write made')], ['ok']],
      { memory },
    );
    session.setMode('auto');
    session.setAgent('plan');
    await session.send('go');
    const [part] = tools(session);
    expect(part!.output).toMatch(/EROFS: read-only file system.*\n\[exit code 1.*\nYou may only look: .*\/tmp/);
    expect(await sandbox.fs.exists('/home/project/made')).toBe(false);
    session.setAgent('build');
    await session.send('go');
    expect(await sandbox.fs.exists('/home/project/made')).toBe(true);
  });

  test('plans can be written, by a command too', async () => {
    const { session, sandbox } = await setup([[run('./build.sh write .opencode/plans/a.md')], ['ok']], { memory });
    session.setMode('auto');
    session.setAgent('plan');
    await session.send('go');
    expect(await sandbox.fs.readText('/home/project/.opencode/plans/a.md')).toBe('x');
  });

  test('a program does not see secrets; a command that names them does once the person agrees', async () => {
    const { session } = await setup([[run('./build.sh show settings')], [run('cat .env # show .env')], ['ok']], {
      memory,
    });
    session.setMode('auto');
    session.setAgent('plan');
    const over = session.send('go');
    await until(() => session.state().asks.length > 0);
    expect(tools(session)[0]!.output).toContain('ENOENT');
    session.answer(session.state().asks[0]!.id, { kind: 'once' });
    await over;
    expect(tools(session)[1]!.output).toContain('KEY=1');
  });

  test('its sub-agents are no freer', async () => {
    const model = scriptedModel([
      (options: LanguageModelV4CallOptions) => {
        const turns = options.prompt.filter((message) => message.role === 'assistant').length;
        const first = (options.prompt.find((one) => one.role === 'user')!.content as { text: string }[])[0]!.text;
        if (first === 'go')
          return turns === 0
            ? [{ tool: 'task', input: { agent: 'general', description: 'Make', prompt: 'make' } }]
            : ['ok'];
        const writing = [run('./build.sh write made'), { tool: 'write', input: { path: 'new.txt', contents: 'x' } }];
        return turns === 0 ? writing : ['I could not.'];
      },
    ]);
    const { session, sessions, sandbox } = await setup(model, { memory });
    session.setMode('auto');
    session.setAgent('plan');
    await session.send('go');
    const child = await sessions.open(tools(session)[0]!.meta!.sessionId as string);
    expect(tools(child).map((part) => part.output)).toEqual([
      expect.stringContaining('EROFS'),
      expect.stringMatching(/write/),
    ]);
    expect((await sandbox.fs.list('/home/project')).map((one) => one.name)).toEqual(['.env', 'a.txt']);
  });

  test('a computer that can’t keep to it has no shell for it', async () => {
    const inner = await createMemorySandbox(memory);
    const { session } = await setup([[run('./build.sh write made')], ['ok']], {
      sandbox: {
        ...inner,
        spawn: (command, args, options) =>
          options?.policy === undefined
            ? inner.spawn(command, args, options)
            : Promise.reject(new SandboxError('ENOTSUP', 'no')),
      },
    });
    session.setMode('auto');
    session.setAgent('plan');
    await session.send('go');
    expect(tools(session)[0]).toMatchObject({ state: 'error', output: expect.stringContaining('no shell for you') });
    expect(await inner.fs.exists('/home/project/made')).toBe(false);
  });
});

test('secrets can be hidden from all commands, if the person wants that', async () => {
  const hides = { hideSecrets: true };
  const { session } = await setup([[run('./build.sh show settings')], [run('./build.sh write made')], ['ok']], {
    memory,
    settings: () => hides,
  });
  session.setMode('auto');
  await session.send('go');
  expect(tools(session).map((part) => part.output)).toEqual([
    expect.stringContaining('ENOENT'),
    expect.stringContaining('exit code 0'),
  ]);
});

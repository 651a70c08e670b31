// Plugins that add something, in whole turns: a real Node holds them, and what they add is seen by the model and shown to the person.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { afterEach, expect, test } from 'vitest';
import { practiceModel } from '../agent/practice-model';
import type { ScriptedStep } from '../agent/scripted-model';
import { builtInSource } from '../registry/built-in-source';
import type { SessionOptions } from '../session/session-options';
import { last, setup, tools } from '../session/testing';
import { extensionHooks } from './extension-hooks';
import { closeExtensions, loadedExtensions } from './testing';

afterEach(closeExtensions);

const plugin = (hooks: string) => `export const P = async (input) => (${hooks})`;

async function withPlugins(
  plugins: Record<string, string>,
  steps: ScriptedStep[] | LanguageModelV4,
  more: Partial<SessionOptions> = {},
) {
  const brought = Object.fromEntries(Object.entries(plugins).map(([name, text]) => [`.opencode/plugin/${name}`, text]));
  const { extensions, sandbox } = await loadedExtensions(brought);
  const hooks = extensionHooks(extensions);
  const made = await setup(steps, { sandbox, hooks, sources: () => [builtInSource], ...more });
  made.session.setMode('auto');
  const problems = () => extensions.states().flatMap((state) => state.problems);
  return { ...made, extensions, problems };
}

const prompted = (model: { requests: { prompt: unknown }[] }, at: number) => JSON.stringify(model.requests[at]!.prompt);

test('chat.message: what is put before, behind or beside the words is added under the file’s name; the words stay', async () => {
  const { session, model, problems } = await withPlugins(
    {
      'a.js': plugin(`{ 'chat.message': async (input, output) => {
        const part = output.parts.find((one) => one.type === 'text');
        part.text = 'STATE of ' + input.sessionID.slice(0, 4) + '\\n\\n' + part.text + '\\nEND';
        output.parts.push({ type: 'text', text: 'beside' });
      } }`),
      'b.js': plugin(
        `{ 'chat.message': async (input, output) => { output.parts[0] = { type: 'text', text: 'other words' } } }`,
      ),
      'broken.js': plugin(`{ 'chat.message': async () => { throw new Error('no idea') } }`),
      'odd.js': plugin(`{ 'chat.message': async (input, output) => { output.parts = 5; } }`),
    },
    [['done'], ['again']],
  );
  await session.send('please look');
  const [said] = session.state().messages;
  expect(said!.parts.map((part) => part.type === 'text' && [part.text, part.from])).toEqual([
    ['please look', undefined],
    ['STATE of ses_', '.opencode/plugin/a.js'],
    ['END', '.opencode/plugin/a.js'],
    ['beside', '.opencode/plugin/a.js'],
    ['other words', '.opencode/plugin/b.js'],
  ]);
  expect(prompted(model, 0)).toContain(
    'please look\\n(Added by .opencode/plugin/a.js, a program of this project:)\\nSTATE',
  );
  expect(problems().join()).toContain('no idea');
  expect(last(session).end).toBe('done');
  // What was added is part of the conversation: it is not added a second time.
  await session.send('next');
  expect(prompted(model, 1).match(/STATE of/g)).toHaveLength(2);
});

test('the practice model does what the person said, whatever was added', async () => {
  const { session } = await withPlugins(
    {
      'a.js': plugin(
        `{ 'chat.message': async (input, output) => { output.parts.push({ type: 'text', text: 'beside' }) } }`,
      ),
    },
    practiceModel(),
  );
  await session.send('list the files');
  expect(tools(session).map((part) => part.tool)).toEqual(['glob']);
});

test('experimental.chat.system.transform adds to the system prompt of each step and takes nothing of it', async () => {
  const { session, model } = await withPlugins(
    {
      'a.js': plugin(
        `{ 'experimental.chat.system.transform': async (input, output) => { output.system.push('Rule for ' + input.model.id) } }`,
      ),
      'b.js': plugin(`{ 'experimental.chat.system.transform': async (input, output) => { output.system.length = 0 } }`),
    },
    [[{ tool: 'list', input: {} }], ['done']],
  );
  await session.send('go');
  for (const at of [0, 1]) {
    expect(prompted(model, at)).toContain('Rule for scripted');
    expect(prompted(model, at)).toContain('cloche-extensions-');
  }
});

test('shell.env sets variables of commands, and none that changes what programs do', async () => {
  const { session, problems } = await withPlugins(
    {
      'a.js': plugin(`{ 'shell.env': async (input, output) => {
        Object.assign(output.env, { PROJECT_ROOT: input.cwd, COUNT: 3, PATH: '/evil', NODE_OPTIONS: '--require ./x', BASH_ENV: 'x', 'a b': 'x', OBJECT: {} });
      } }`),
    },
    [
      [
        {
          tool: 'bash',
          input: { command: 'echo "$COUNT:$NODE_OPTIONS:$BASH_ENV:$(basename "$PROJECT_ROOT")"; echo "$PATH"' },
        },
      ],
      ['done'],
    ],
  );
  await session.send('go');
  const { output } = tools(session)[0]!;
  expect(output).toMatch(/^3:::cloche-extensions-/m);
  expect(output).not.toContain('/evil');
  expect(problems().join('\n')).toMatch(/PATH changes what programs do.*/s);
  expect(problems()).toHaveLength(5);
});

test('experimental.session.compacting: the summary is asked to keep what a plugin names, a list or a text', async () => {
  const summary = '## Objective\nx\n## Facts\n## Work\n## Files\n## Next\ny';
  const { session, model, problems } = await withPlugins(
    {
      'a.js': plugin(
        `{ 'experimental.session.compacting': async (input, output) => { output.context.push('the colour is blue'); output.prompt = 'mine' } }`,
      ),
      'b.js': plugin(`{ 'experimental.session.compacting': async () => ({ context: 'as a text' }) }`),
    },
    [['word '.repeat(4000)], ['done'], [summary]],
  );
  await session.send('long '.repeat(9000));
  await session.send('and now');
  await session.compact();
  const asked = prompted(model, 2);
  expect(asked).toContain('the colour is blue');
  expect(asked).toContain('as a text');
  expect(problems().join()).toContain('can’t be replaced');
});

test('config: agents and commands that a plugin adds, changes or leaves alone; servers are told', async () => {
  const given = {
    agent: { lead: { prompt: 'L' }, old: { prompt: 'O' } },
    command: {},
    mcp: {},
    instructions: ['a.md'],
  };
  const { extensions } = await loadedExtensions(
    {
      '.opencode/plugin/a.js': plugin(`{ config: async (config) => {
        config.agent.lead.prompt += '!'
        config.agent.helper = { mode: 'subagent', description: 'd', prompt: 'p' }
        config.command = { ...config.command, hello: { template: 'Say $ARGUMENTS' } }
        config.instructions.push('b.md')
        config.mcp.s = { type: 'local', command: ['x'] }
        config.permission = { bash: 'deny' }
      } }`),
      '.opencode/plugin/none.js': plugin(`{ config: async () => {} }`),
      '.opencode/plugin/b.js': plugin(`{ config: async () => { throw new Error('no config') } }`),
    },
    { config: () => given },
  );
  const [a, none, b] = extensions.states();
  expect(a!.loaded!.hooks).toEqual(['config']);
  expect(a!.loaded!.config).toEqual({
    agent: { lead: { prompt: 'L!' }, helper: { mode: 'subagent', description: 'd', prompt: 'p' } },
    command: { hello: { template: 'Say $ARGUMENTS' } },
    instructions: ['b.md'],
    permission: { bash: 'deny' },
  });
  expect(a!.problems).toEqual([expect.stringContaining('adds to mcp is not used')]);
  expect(none!.loaded).not.toHaveProperty('config');
  expect(b!.status).toMatchObject({ kind: 'failed', why: expect.stringContaining('no config') });
});

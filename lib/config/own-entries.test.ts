// The person's own skills, agents and commands, in and out of their opencode.json and of files.
import { expect, test } from 'vitest';
import { createMemorySandbox } from '../sandbox/memory';
import { contextFor } from '../tools/testing';
import { entriesIn, filesFor } from './entry-files';
import { entryOf, filesOf, nameProblem, ownEntries, withEntries, withWords } from './own-entries';
import { checkPersonConfig } from './person-config';
import { readCustoms } from './read-customs';
import { skillSource } from './skill-tool';

const bytes = (text: string) => new TextEncoder().encode(text);
const chosen = (files: Record<string, string | Uint8Array>) =>
  Object.entries(files).map(([path, one]) => ({ path, contents: typeof one === 'string' ? bytes(one) : one }));

test('entries are changed in place: comments, order and members without a field stay', async () => {
  const config = `{
  // mine
  "agent": { "judge": { "prompt": "Judge.", "temperature": 0, "permission": { "edit": "deny" } } },
  "command": { "hi": { "template": "Hi" } },
}`;
  const [judge, hi] = await ownEntries(config);
  expect([judge!.text, hi!.text]).toEqual(['Judge.', 'Hi']);
  const value = withWords(judge!, 'Judges', 'Judge well.');
  const changed = await withEntries(config, [{ kind: 'agent', name: 'umpire', value }], [judge!]);
  expect(changed).toContain('// mine');
  expect((await ownEntries(changed)).find(({ name }) => name === 'umpire')?.value).toEqual({
    description: 'Judges',
    temperature: 0,
    permission: { edit: 'deny' },
    prompt: 'Judge well.',
  });
  const emptied = await withEntries(changed, [], await ownEntries(changed));
  expect(await ownEntries(emptied)).toEqual([]);
  expect(await ownEntries('{ broken')).toEqual([]);
  await expect(withEntries('[', [judge!])).rejects.toThrow('can’t be read as it is');
});

test('names are words that can be typed', () => {
  expect(nameProblem('command', 'git/log')).toBeUndefined();
  expect(nameProblem('skill', '')).toBe('Give it a name.');
  for (const name of ['two words', '/x', '__proto__', 'a"b', 'x'.repeat(65)])
    expect(nameProblem('skill', name)).toBeDefined();
  expect(nameProblem('agent', 'build')).toContain('always there');
});

test('a folder of skills comes in with its texts and goes out as it was', async () => {
  const skill = '---\nname: notes\ndescription: "When: releasing"\nlicense: MIT\n---\n\nWrite notes.\n';
  const { entries, left } = await entriesIn(
    'skill',
    chosen({
      'all/notes/SKILL.md': skill,
      'all/notes/examples/one.md': 'One',
      'all/notes/logo.png': new Uint8Array([0x89, 0, 1]),
      'all/notes/inner/SKILL.md': 'Inner.',
      'all/notes/inner/x.txt': 'x',
      'all/two words/SKILL.md': 'Two.',
      'all/$/SKILL.md': 'bad',
      'all/empty/SKILL.md': '---\nname: empty\n---\n',
      'all/README.md': 'not one',
    }),
  );
  expect(entries.map((entry) => [entry.name, entry.description, entry.text, Object.keys(filesOf(entry))])).toEqual([
    ['notes', 'When: releasing', 'Write notes.', ['examples/one.md']],
    ['inner', '', 'Inner.', ['x.txt']],
    ['two-words', '', 'Two.', []],
  ]);
  expect(left).toEqual([
    'all/notes/logo.png is left out: only texts are kept with a skill.',
    'all/$/SKILL.md is left out: A name is one word: letters, digits and . _ / - in it.',
    'all/empty/SKILL.md is left out: there is nothing below its head.',
  ]);
  const files = await filesFor(entries[0]!);
  expect(files.map(({ path }) => path)).toEqual(['notes/SKILL.md', 'notes/examples/one.md']);
  const again = await entriesIn(
    'skill',
    files.map(({ path, text }) => ({ path, contents: bytes(text) })),
  );
  expect(again).toEqual({ entries: [entries[0]], left: [] });
});

test('one Markdown file is an agent, a command or a skill, as it is asked for', async () => {
  const file = chosen({
    'judge.md': '---\ndescription: Judges: all\nmode: subagent\ntools:\n  write: false\n---\nJudge.',
  });
  const [agent] = (await entriesIn('agent', file)).entries;
  expect([agent!.name, agent!.value]).toEqual([
    'judge',
    { description: 'Judges: all', mode: 'subagent', tools: { write: false }, prompt: 'Judge.' },
  ]);
  const again = (await filesFor(agent!)).map(({ path, text }) => ({ path, contents: bytes(text) }));
  expect((await entriesIn('agent', again)).entries).toEqual([agent]);
  expect((await entriesIn('skill', file)).entries[0]!.value).toEqual({ description: 'Judges: all', body: 'Judge.' });
  expect((await entriesIn('command', chosen({ 'a.txt': 'x' }))).left).toEqual(['There is no Markdown file in it.']);
});

test('what is stored is what the agent gets, and the files of a skill are read by its tool', async () => {
  const value = { description: 'About x', body: 'Do x.', files: { 'deep/a.sh': 'echo a' } };
  const config = await withEntries('', [{ kind: 'skill', name: 'x', value }]);
  expect(await checkPersonConfig(config)).toEqual({ problems: [], isBroken: false });
  const { skills } = await readCustoms([], config);
  const offered = skillSource(() => skills).offer({ rules: { policy: [], role: [] } } as never);
  const tool = (await offered).tools[0]!;
  const context = contextFor(await createMemorySandbox());
  const run = async (input: unknown) => (await tool.execute(input, context)).output;
  expect(await run({ name: 'x' })).toContain('- deep/a.sh');
  expect(await run({ name: 'x', file: 'deep/a.sh' })).toBe('echo a');
  await expect(run({ name: 'x', file: 'b' })).rejects.toThrow('Its files are: deep/a.sh');
  const bare = skillSource(() => [{ name: 'y', description: '', body: 'y', path: '' }]).offer({
    rules: { policy: [], role: [] },
  } as never);
  expect(JSON.stringify(Object.keys(((await bare).tools[0]!.input as unknown as { shape: object }).shape))).toBe(
    '["name"]',
  );
  expect((await checkPersonConfig('{"skill": {"x": {"body": "b", "files": {"a": 1}}}}')).problems[0]?.message).toBe(
    'skill.x.files must be texts by path: what is none is left out.',
  );
  expect(entryOf('skill', 'x', value).text).toBe('Do x.');
});

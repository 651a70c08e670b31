import { expect, test } from 'vitest';
import { multieditTool } from './multiedit';
import { readTool } from './read';
import { outcome, type TestContext, toolContext } from './testing';

async function contextWith(files: Record<string, string>): Promise<TestContext> {
  const context = await toolContext({ files });
  for (const path of Object.keys(files)) await outcome(readTool, { path }, context);
  context.asked.length = 0;
  return context;
}
const textIn = (context: TestContext, path: string) => context.sandbox.fs.readText(`/home/project/${path}`);

test('edits of one file build on each other', async () => {
  const context = await contextWith({ 'a.ts': 'one\ntwo\n' });
  const edits = [
    { path: 'a.ts', oldString: 'one', newString: 'uno' },
    { path: 'a.ts', oldString: 'uno\ntwo', newString: 'uno\ndos' },
  ];
  expect(await outcome(multieditTool, { edits }, context)).toMatch(/^Made 2 edits in a\.ts\./);
  expect(await textIn(context, 'a.ts')).toBe('uno\ndos\n');
  expect(context.asked.filter((ask) => ask.permission === 'edit')).toHaveLength(1);
});

test('several files change as one', async () => {
  const context = await contextWith({ 'a.ts': 'getUser()\n', 'b.ts': 'getUser(1); getUser(2)\n' });
  const rename = { oldString: 'getUser', newString: 'loadUser', replaceAll: true };
  const output = await outcome(
    multieditTool,
    {
      edits: [
        { path: 'a.ts', ...rename },
        { path: 'b.ts', ...rename },
      ],
    },
    context,
  );
  expect(output).toMatch(/^Made 2 edits in 2 files\./);
  expect(await textIn(context, 'b.ts')).toBe('loadUser(1); loadUser(2)\n');
  expect(context.asked.find((ask) => ask.permission === 'edit')?.patterns).toEqual(['a.ts', 'b.ts']);
});

test('one edit that can’t be made leaves all files as they were, and says which', async () => {
  const context = await contextWith({ 'a.ts': 'one\n', 'b.ts': 'two\n' });
  const edits = [
    { path: 'a.ts', oldString: 'one', newString: 'uno' },
    { path: 'b.ts', oldString: 'three', newString: 'tres' },
  ];
  expect(await outcome(multieditTool, { edits }, context)).toMatch(
    /^!Edit 2 of 2 can't be made, so nothing was changed\. oldString was not found in b\.ts/,
  );
  expect(await textIn(context, 'a.ts')).toBe('one\n');
  expect(context.asked.filter((ask) => ask.permission === 'edit')).toEqual([]);
});

test('one path under two names is one file', async () => {
  const context = await contextWith({ 'a.ts': 'one\ntwo\n' });
  const edits = [
    { path: 'a.ts', oldString: 'one', newString: 'uno' },
    { path: './a.ts', oldString: 'two', newString: 'dos' },
  ];
  await outcome(multieditTool, { edits }, context);
  expect(await textIn(context, 'a.ts')).toBe('uno\ndos\n');
});

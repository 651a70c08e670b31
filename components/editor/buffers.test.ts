// Tools of the agent on text that is open in the editor, saved or not.
import { expect, test } from 'vitest';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import { bufferedSandbox } from '../../lib/session/buffered-sandbox';
import { applyPatchTool } from '../../lib/tools/apply-patch';
import { editTool } from '../../lib/tools/edit';
import { grepTool } from '../../lib/tools/grep';
import { multieditTool } from '../../lib/tools/multiedit';
import { readTool } from '../../lib/tools/read';
import { contextFor, outcome } from '../../lib/tools/testing';
import { writeTool } from '../../lib/tools/write';
import { createDocuments } from './documents';
import { allTabs } from './editor-sides';
import type { BufferFactory, TextView } from './file-view';

/** Plain text that keeps every version, as an undo stack does. */
async function setUp(files: Record<string, string | Uint8Array>) {
  const steps = new Map<string, string[]>();
  const plainBuffer: BufferFactory = (path, initial) => {
    const versions = [initial];
    steps.set(path, versions);
    const listeners = new Set<() => void>();
    return {
      getText: () => versions.at(-1)!,
      edit(edits) {
        versions.push(
          edits.reduceRight(
            (now, edit) => now.slice(0, edit.start) + edit.text + now.slice(edit.end),
            versions.at(-1)!,
          ),
        );
        for (const listener of listeners) listener();
      },
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      dispose: () => listeners.clear(),
    };
  };
  const sandbox = await createMemorySandbox({
    files,
    commands: {
      bash: async ({ fs, out }) => {
        out(await fs.readText(p('a.txt')));
        return 0;
      },
    },
  });
  const documents = createDocuments({
    fs: sandbox.fs,
    root: sandbox.workdir,
    loadBuffers: async () => plainBuffer,
    autosave: () => false,
  });
  const bufferOf = (name: string) => (documents.files.get().get(p(name))!.view as TextView).buffer;
  const type = (name: string, text: string, at = 0) => bufferOf(name).edit([{ start: at, end: at, text }]);
  const view = bufferedSandbox(sandbox, documents.buffers);
  return { sandbox, documents, view, context: contextFor(view), steps, bufferOf, type };
}
const p = (name: string) => `/home/project/${name}`;

test('what was typed is what read and grep see, and the file is left alone', async () => {
  const { sandbox, documents, context, type } = await setUp({ 'a.txt': 'one\n', 'b.txt': 'typed too\n' });
  await documents.open(p('a.txt'));
  type('a.txt', 'typed\n');
  expect(await outcome(readTool, { path: 'a.txt' }, context)).toContain('1: typed\n2: one');
  expect(await outcome(grepTool, { pattern: '^typed' }, context)).toMatch(
    /a\.txt[\s\S]*typed[\s\S]*b\.txt[\s\S]*typed too/,
  );
  expect(await outcome(grepTool, { pattern: 'typed', include: '*.md' }, context)).not.toContain('a.txt');
  expect(await sandbox.fs.readText(p('a.txt'))).toBe('one\n');
  expect((await context.sandbox.fs.stat(p('a.txt'))).size).toBe(10);
});

test('an edit is made on what was typed: one step to undo, and both are in the file', async () => {
  const { sandbox, documents, context, type, steps } = await setUp({ 'a.txt': 'one\ntwo\nthree\n' });
  await documents.open(p('a.txt'));
  type('a.txt', 'typed ');
  await readTool.execute({ path: 'a.txt' }, context);
  const edits = [
    { path: 'a.txt', oldString: 'typed one', newString: 'ONE' },
    { path: 'a.txt', oldString: 'three', newString: 'THREE' },
  ];
  await multieditTool.execute({ edits }, context);
  expect(steps.get(p('a.txt'))).toEqual(['one\ntwo\nthree\n', 'typed one\ntwo\nthree\n', 'ONE\ntwo\nTHREE\n']);
  expect(await sandbox.fs.readText(p('a.txt'))).toBe('ONE\ntwo\nTHREE\n');
  expect(documents.files.get().get(p('a.txt'))!.dirty).toBe(false);
  // The report of that change finds nothing to do.
  await new Promise((done) => setTimeout(done, 50));
  expect(steps.get(p('a.txt'))).toHaveLength(3);
});

test('an edit of what the model has not seen is judged against what was typed', async () => {
  const { documents, context, type } = await setUp({ 'a.txt': 'one\ntwo\n' });
  await documents.open(p('a.txt'));
  await readTool.execute({ path: 'a.txt' }, context);
  type('a.txt', 'typed ');
  expect(await outcome(writeTool, { path: 'a.txt', content: 'mine\n' }, context)).toMatch(/^!/);
  expect(await outcome(editTool, { path: 'a.txt', oldString: 'two', newString: 'TWO' }, context)).not.toMatch(/^!/);
  expect(documents.buffers.unsavedPaths()).toEqual([]);
  expect(await context.sandbox.fs.readText(p('a.txt'))).toBe('typed one\nTWO\n');
});

test('typing at the very moment of the write is merged in, or the write does not happen', async () => {
  const { sandbox, documents, view, bufferOf, type } = await setUp({ 'a.txt': 'one\ntwo\nthree\n' });
  await documents.open(p('a.txt'));
  type('a.txt', 'typed ');
  await view.fs.read(p('a.txt'));
  type('a.txt', 'more ', bufferOf('a.txt').getText().length - 'three\n'.length);
  await view.fs.write(p('a.txt'), 'ONE\ntwo\nthree\n');
  expect(bufferOf('a.txt').getText()).toBe('ONE\ntwo\nmore three\n');
  expect(await sandbox.fs.readText(p('a.txt'))).toBe('ONE\ntwo\nmore three\n');

  type('a.txt', 'again ');
  await view.fs.read(p('a.txt'));
  type('a.txt', 'and ');
  await expect(view.fs.write(p('a.txt'), 'x\ntwo\nmore three\n')).rejects.toMatchObject({ code: 'EBUSY' });
  expect(bufferOf('a.txt').getText()).toBe('and again ONE\ntwo\nmore three\n');
});

test('what something else wrote meanwhile is not lost either', async () => {
  const { sandbox, documents, view, bufferOf, type } = await setUp({ 'a.txt': 'one\ntwo\nthree\n' });
  await documents.open(p('a.txt'));
  type('a.txt', 'typed ');
  await view.fs.read(p('a.txt'));
  await sandbox.fs.write(p('a.txt'), 'one\ntwo\nTHREE\n');
  await view.fs.write(p('a.txt'), 'typed one\nTWO\nthree\n').catch(() => {});
  expect(bufferOf('a.txt').getText()).toContain('THREE');
});

test('encoding, byte order mark and line endings stay those of the file', async () => {
  const bytes = Uint8Array.from([
    0xff,
    0xfe,
    ...new Uint8Array(new Uint16Array([...'a\r\nb\r\n'].map((c) => c.charCodeAt(0))).buffer),
  ]);
  const { sandbox, documents, context, type } = await setUp({ 'a.txt': bytes });
  await documents.open(p('a.txt'));
  type('a.txt', 'é');
  await readTool.execute({ path: 'a.txt' }, context);
  await editTool.execute({ path: 'a.txt', oldString: 'b', newString: 'B' }, context);
  expect([...(await sandbox.fs.read(p('a.txt')))]).toEqual([
    0xff, 0xfe, 0xe9, 0, 0x61, 0, 0x0d, 0, 0x0a, 0, 0x42, 0, 0x0d, 0, 0x0a, 0,
  ]);
});

test('a file that moves takes along what was typed', async () => {
  const { sandbox, documents, context, type } = await setUp({ 'a.txt': 'one\n' });
  await documents.open(p('a.txt'));
  type('a.txt', 'typed ');
  const patch =
    '*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-typed one\n+typed two\n*** End Patch';
  await readTool.execute({ path: 'a.txt' }, context);
  expect(await outcome(applyPatchTool, { patch }, context)).not.toMatch(/^!/);
  expect(await sandbox.fs.readText(p('b.txt'))).toBe('typed two\n');
  expect(allTabs(documents.sides.get())).toEqual([p('b.txt')]);
});

test('a command finds saved what was typed before it', async () => {
  const { documents, view, type } = await setUp({ 'a.txt': 'one\n' });
  await documents.open(p('a.txt'));
  type('a.txt', 'typed ');
  const child = await view.spawn('bash', []);
  expect(await new Response(child.output).text()).toBe('typed one\n');
});

test('where the person has something to decide the disk is the truth', async () => {
  const { sandbox, documents, context, type } = await setUp({ 'a.txt': 'one\n' });
  await documents.open(p('a.txt'));
  type('a.txt', 'mine ');
  await sandbox.fs.write(p('a.txt'), 'theirs one\n');
  for (let tries = 0; documents.files.get().get(p('a.txt'))!.conflict === undefined && tries < 200; tries++)
    await new Promise((done) => setTimeout(done, 10));
  expect(await outcome(readTool, { path: 'a.txt' }, context)).toContain('1: theirs one');
  await editTool.execute({ path: 'a.txt', oldString: 'theirs', newString: 'THEIRS' }, context);
  expect(await sandbox.fs.readText(p('a.txt'))).toBe('THEIRS one\n');
  expect(documents.buffers.unsavedPaths()).toEqual([]);
});

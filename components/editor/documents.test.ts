import { expect, test } from 'vitest';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { createDocuments, type Documents } from './documents';
import { allTabs } from './editor-sides';
import { type BufferFactory, evenLines, type TextView } from './file-view';

/** A buffer of plain text; Monaco's does the same with models. */
const plainBuffer: BufferFactory = (_path, initial) => {
  let text = initial;
  const listeners = new Set<() => void>();
  return {
    getText: () => text,
    edit(edits) {
      text = edits.reduceRight((now, edit) => now.slice(0, edit.start) + edit.text + now.slice(edit.end), text);
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: () => listeners.clear(),
  };
};

async function setUp(files: Record<string, string | Uint8Array>, autosave = true) {
  const sandbox = await createMemorySandbox({ files });
  const documents = createDocuments({
    fs: sandbox.fs,
    root: sandbox.workdir,
    loadBuffers: async () => plainBuffer,
    autosave: () => autosave,
    autosaveMs: 20,
  });
  return { sandbox, documents };
}

const p = (name: string) => `/home/project/${name}`;
const bufferOf = (documents: Documents, name: string) => (documents.files.get().get(p(name))!.view as TextView).buffer;
const type = (documents: Documents, name: string, text: string, at = 0) =>
  bufferOf(documents, name).edit([{ start: at, end: at, text }]);
const until = async (condition: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 200; tries++) {
    if (await condition()) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error('it did not happen');
};
const holds = (sandbox: Sandbox, name: string, text: string) => async () =>
  (await sandbox.fs.readText(p(name))) === text;

test('what is typed is saved after a pause', async () => {
  const { sandbox, documents } = await setUp({ 'a.txt': 'one\n' });
  await documents.open(p('a.txt'));
  type(documents, 'a.txt', 'zero\n');
  expect(documents.files.get().get(p('a.txt'))!.dirty).toBe(true);
  await until(holds(sandbox, 'a.txt', 'zero\none\n'));
  await until(() => !documents.files.get().get(p('a.txt'))!.dirty);
});

test('a change from outside comes into the editor, also while typing', async () => {
  const { sandbox, documents } = await setUp({ 'a.txt': 'one\ntwo\nthree\n' }, false);
  await documents.open(p('a.txt'));
  await sandbox.fs.write(p('a.txt'), 'one\ntwo\nTHREE\n');
  await until(() => bufferOf(documents, 'a.txt').getText() === 'one\ntwo\nTHREE\n');
  expect(documents.files.get().get(p('a.txt'))!.dirty).toBe(false);

  type(documents, 'a.txt', 'typed ');
  await sandbox.fs.write(p('a.txt'), 'one\ntwo\nTHREE\nfour\n');
  await until(() => bufferOf(documents, 'a.txt').getText() === 'typed one\ntwo\nTHREE\nfour\n');
  expect(documents.files.get().get(p('a.txt'))!.dirty).toBe(true);
  await documents.save(p('a.txt'));
  expect(await sandbox.fs.readText(p('a.txt'))).toBe('typed one\ntwo\nTHREE\nfour\n');
});

test('when both changed the same line, the person decides and nothing is overwritten', async () => {
  const { sandbox, documents } = await setUp({ 'a.txt': 'one\n', 'b.txt': 'one\n' }, false);
  for (const name of ['a.txt', 'b.txt']) {
    await documents.open(p(name));
    type(documents, name, 'mine ');
    await sandbox.fs.write(p(name), 'theirs one\n');
    await until(() => documents.files.get().get(p(name))!.conflict === 'theirs one\n');
    await documents.save(p(name));
    expect(await sandbox.fs.readText(p(name))).toBe('theirs one\n');
    expect(bufferOf(documents, name).getText()).toBe('mine one\n');
  }
  documents.resolveConflict(p('a.txt'), 'mine');
  await documents.save(p('a.txt'));
  expect(await sandbox.fs.readText(p('a.txt'))).toBe('mine one\n');
  documents.resolveConflict(p('b.txt'), 'theirs');
  expect(documents.files.get().get(p('b.txt'))).toMatchObject({ dirty: false, conflict: undefined });
});

test('a write that was not reported yet is merged, not lost, when saving', async () => {
  const { sandbox, documents } = await setUp({ 'a.txt': 'one\ntwo\n' }, false);
  await documents.open(p('a.txt'));
  type(documents, 'a.txt', 'zero\n');
  const write = sandbox.fs.write(p('a.txt'), 'one\nTWO\n');
  await write;
  await documents.save(p('a.txt'));
  expect(await sandbox.fs.readText(p('a.txt'))).toBe('zero\none\nTWO\n');
});

test('a deleted file keeps its text, and saving brings it back', async () => {
  const { sandbox, documents } = await setUp({ 'd/a.txt': 'one\n' }, false);
  await documents.open(p('d/a.txt'));
  await sandbox.fs.remove(p('d'));
  await until(() => documents.files.get().get(p('d/a.txt'))!.deleted);
  await documents.save(p('d/a.txt'));
  expect(await sandbox.fs.readText(p('d/a.txt'))).toBe('one\n');
  expect(documents.files.get().get(p('d/a.txt'))!.deleted).toBe(false);
});

test('a file that is deleted while it waits for a decision is only deleted, and can be written again', async () => {
  const { sandbox, documents } = await setUp({ 'a.txt': 'one\n' }, false);
  await documents.open(p('a.txt'));
  type(documents, 'a.txt', 'mine ');
  await sandbox.fs.write(p('a.txt'), 'theirs\n');
  await until(() => documents.files.get().get(p('a.txt'))!.conflict !== undefined);
  await sandbox.fs.remove(p('a.txt'));
  await until(() => documents.files.get().get(p('a.txt'))!.deleted);
  expect(documents.files.get().get(p('a.txt'))!.conflict).toBeUndefined();
  await documents.save(p('a.txt'));
  expect(await sandbox.fs.readText(p('a.txt'))).toBe('mine one\n');
});

test('what something else deleted is not written again by itself; closing its tab gives the text back', async () => {
  const { sandbox, documents } = await setUp({ 'a.txt': 'one\n' });
  await documents.open(p('a.txt'));
  // Typed at the moment of the deletion: no report of it has come yet.
  await sandbox.fs.remove(p('a.txt'));
  type(documents, 'a.txt', 'typed ');
  await documents.saveAll();
  await until(() => documents.files.get().get(p('a.txt'))!.deleted);
  expect(await sandbox.fs.exists(p('a.txt'))).toBe(false);
  expect(documents.hasUnsaved()).toBe(true);
  const text = await documents.close(p('a.txt'));
  expect(text).toBe('typed one\n');
  await documents.retype(p('a.txt'), text!);
  expect(await sandbox.fs.readText(p('a.txt'))).toBe('typed one\n');
});

test('a save does not go over what is not text any more', async () => {
  const { sandbox, documents } = await setUp({ 'a.txt': 'one\n' }, false);
  await documents.open(p('a.txt'));
  type(documents, 'a.txt', 'typed ');
  const bytes = Uint8Array.from([0xff, 0, 1]);
  await sandbox.fs.write(p('a.txt'), bytes);
  await documents.save(p('a.txt'));
  expect(documents.files.get().get(p('a.txt'))!.saveError).toContain('now it contains NUL bytes');
  expect(await sandbox.fs.read(p('a.txt'))).toEqual(bytes);
  expect(bufferOf(documents, 'a.txt').getText()).toBe('typed one\n');
});

test('bytes, pictures and broken paths are shown as what they are; encodings are kept', async () => {
  const utf16 = Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x62, 0]);
  const { sandbox, documents } = await setUp({
    'x.dat': Uint8Array.from([0, 1, 2]),
    'x.png': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0]),
    'x.svg': '<svg/>',
    'utf16.txt': utf16,
  });
  for (const name of ['x.dat', 'x.png', 'x.svg', 'utf16.txt', 'none']) await documents.open(p(name));
  const kinds = [...documents.files.get().values()].map((file) => file.view.kind);
  expect(kinds).toEqual(['binary', 'image', 'text', 'text', 'failed']);
  type(documents, 'utf16.txt', '!', 2);
  await documents.save(p('utf16.txt'));
  expect([...(await sandbox.fs.read(p('utf16.txt')))]).toEqual([...utf16, 0x21, 0]);
});

test('closing saves; with autosave off it hands the text back', async () => {
  const saving = await setUp({ 'a.txt': 'a', 'b.txt': 'b' });
  await saving.documents.open(p('a.txt'));
  await saving.documents.open(p('b.txt'));
  type(saving.documents, 'b.txt', '!');
  expect(await saving.documents.close(p('b.txt'))).toBeUndefined();
  expect(await saving.sandbox.fs.readText(p('b.txt'))).toBe('!b');
  expect(saving.documents.active.get()).toBe(p('a.txt'));

  const manual = await setUp({ 'a.txt': 'a' }, false);
  await manual.documents.open(p('a.txt'));
  type(manual.documents, 'a.txt', '!');
  const text = await manual.documents.close(p('a.txt'));
  expect([text, await manual.sandbox.fs.readText(p('a.txt'))]).toEqual(['!a', 'a']);
  await manual.documents.retype(p('a.txt'), text!);
  expect(manual.documents.files.get().get(p('a.txt'))!.dirty).toBe(true);
});

test('a renamed folder takes its open files along, unsaved text too', async () => {
  const { sandbox, documents } = await setUp({ 'd/a.txt': 'a', 'd/b.txt': 'b' }, false);
  await documents.open(p('d/a.txt'));
  await documents.open(p('d/b.txt'));
  type(documents, 'd/a.txt', '!');
  await sandbox.fs.move(p('d'), p('e'));
  await documents.moved(p('d'), p('e'));
  expect(allTabs(documents.sides.get())).toEqual([p('e/a.txt'), p('e/b.txt')]);
  expect(documents.active.get()).toBe(p('e/b.txt'));
  expect(bufferOf(documents, 'e/a.txt').getText()).toBe('!a');
});

test('mixed line endings become the common one', () => {
  expect(evenLines('a\r\nb\r\nc\n')).toBe('a\r\nb\r\nc\r\n');
  expect(evenLines('a\nb\nc\r\n')).toBe('a\nb\nc\n');
});

// Group 15: taking back what agents did to files. Nothing is touched that no tool wrote, whatever kind of file it is and whoever changed it since.
import { describe, expect, test } from 'vitest';
import type { ScriptedPart } from '../../../lib/agent/scripted-model';
import { setup } from '../../../lib/session/testing';

const root = '/home/project';
const write = (path: string, content = 'agent\n'): ScriptedPart => ({ tool: 'write', input: { path, content } });
const edit = (path: string, oldString: string, newString: string): ScriptedPart => ({
  tool: 'edit',
  input: { path, oldString, newString },
});
const patch = (text: string): ScriptedPart => ({
  tool: 'apply_patch',
  input: { patch: `*** Begin Patch\n${text}\n*** End Patch` },
});

async function turn(files: Record<string, string | Uint8Array>, calls: ScriptedPart[], editing?: 'patch') {
  const reads = Object.keys(files)
    .filter((path) => typeof files[path] === 'string')
    .map((path): ScriptedPart => ({ tool: 'read', input: { path } }));
  const made = await setup([...(reads.length > 0 ? [reads] : []), calls, ['done']], {
    memory: { files },
    ...(editing ? { settings: () => ({ editing }) } : {}),
  });
  made.session.setMode('auto');
  await made.session.send('go');
  const { fs } = made.sandbox;
  return {
    ...made,
    text: (path: string) => fs.readText(`${root}/${path}`),
    exists: (path: string) => fs.exists(`${root}/${path}`),
    person: (path: string, content: string | Uint8Array) => fs.write(`${root}/${path}`, content),
  };
}

describe('undo', () => {
  test('user-created: a file that the person made beside the agent’s stays', async () => {
    const { session, person, exists } = await turn({}, [write('new/a.ts')]);
    await person('new/mine.ts', 'mine');
    expect((await session.undo()).restored).toEqual(['new/a.ts']);
    expect([await exists('new/a.ts'), await exists('new/mine.ts')]).toEqual([false, true]);
  });

  test('user-modified: the agent’s lines go, the person’s stay', async () => {
    const { session, person, text } = await turn({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' }, [
      edit('a.txt', 'one', 'ONE'),
    ]);
    await person('a.txt', 'ONE\ntwo\nthree\nfour\nFIVE\n');
    expect(await session.undo()).toMatchObject({ restored: ['a.txt'], conflicts: [] });
    expect(await text('a.txt')).toBe('one\ntwo\nthree\nfour\nFIVE\n');
  });

  test('user-modified: where both touched the same line, nothing is guessed', async () => {
    const { session, person, text } = await turn({ 'a.txt': 'one\n' }, [edit('a.txt', 'one', 'ONE')]);
    await person('a.txt', 'ONE and more\n');
    expect((await session.undo()).conflicts).toEqual([{ path: 'a.txt', reason: 'it was changed since' }]);
    expect(await text('a.txt')).toBe('ONE and more\n');
  });

  test('rename: the old name is back and the new one gone', async () => {
    const move = patch('*** Update File: old.txt\n*** Move to: sub/new.txt\n@@\n-one\n+ONE');
    const { session, text, exists } = await turn({ 'old.txt': 'one\n' }, [move], 'patch');
    expect([await exists('old.txt'), await text('sub/new.txt')]).toEqual([false, 'ONE\n']);
    await session.undo();
    expect([await text('old.txt'), await exists('sub/new.txt')]).toEqual(['one\n', false]);
  });

  test('binary: a file that is no text comes back byte by byte', async () => {
    const bytes = Uint8Array.from([0, 255, 1, 254, 13, 10, 0]);
    const { session, sandbox, exists } = await turn({ 'x.bin': bytes }, [patch('*** Delete File: x.bin')], 'patch');
    expect(await exists('x.bin')).toBe(false);
    await session.undo();
    expect([...(await sandbox.fs.read(`${root}/x.bin`))]).toEqual([...bytes]);
  });

  test('ignored: what .gitignore hides is taken back too', async () => {
    const { session, exists } = await turn({ '.gitignore': 'dist/\n' }, [write('dist/out.js')]);
    expect((await session.undo()).restored).toEqual(['dist/out.js']);
    expect(await exists('dist/out.js')).toBe(false);
  });

  test('large: four megabytes come back whole', async () => {
    const line = `${'x'.repeat(79)}\n`;
    const before = `first\n${line.repeat(52_000)}`;
    const { session, text } = await turn({ 'big.txt': before }, [edit('big.txt', 'first', 'FIRST')]);
    expect((await text('big.txt')).startsWith('FIRST\n')).toBe(true);
    await session.undo();
    expect((await text('big.txt')) === before).toBe(true);
  });

  test('two sessions: each takes back its own lines of one file', async () => {
    const { session, sessions, sandbox, model, text } = await turn({ 'a.txt': '1\n2\n3\n4\n5\n6\n' }, [
      edit('a.txt', '1\n', 'one\n'),
    ]);
    const other = await sessions.create();
    other.setMode('auto');
    const steps: ScriptedPart[][] = [
      [{ tool: 'read', input: { path: 'a.txt' } }],
      [edit('a.txt', '6\n', 'six\n')],
      ['done'],
    ];
    const again = await setup(steps);
    Object.assign(model, { doStream: again.model.doStream });
    await other.send('go');
    expect(await sandbox.fs.readText(`${root}/a.txt`)).toBe('one\n2\n3\n4\n5\nsix\n');
    await session.undo();
    expect(await text('a.txt')).toBe('1\n2\n3\n4\n5\nsix\n');
    await other.undo();
    expect(await text('a.txt')).toBe('1\n2\n3\n4\n5\n6\n');
  });

  test('byte order mark and line endings come back as they were', async () => {
    const before = '\uFEFFone\r\ntwo\r\n';
    const { session, sandbox } = await turn({ 'a.txt': before }, [edit('a.txt', 'one', 'ONE')]);
    await session.undo();
    expect([...(await sandbox.fs.read(`${root}/a.txt`))]).toEqual([...new TextEncoder().encode(before)]);
  });

  test('a file whose deletion is taken back is not written over one that the person put there', async () => {
    const { session, person, text } = await turn({ 'a.txt': 'old\n' }, [patch('*** Delete File: a.txt')], 'patch');
    await person('a.txt', 'mine\n');
    expect((await session.undo()).conflicts).toHaveLength(1);
    expect(await text('a.txt')).toBe('mine\n');
  });
});

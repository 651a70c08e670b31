// Group 15: taking back what agents did to files. Nothing is touched that no tool wrote, whatever kind of file it is and whoever changed it since.
import { parsePatch } from 'diff';
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

describe('undo of what is more than bytes', () => {
  test('bits: a program that was deleted, or moved, may be run again', async () => {
    const script = '#!/bin/sh\necho hi\n';
    const { sandbox, session, model } = await setup([[], []], {
      memory: { files: { 'run.sh': script, 'bin/tool.sh': script } },
      settings: () => ({ editing: 'patch' }),
    });
    for (const path of ['run.sh', 'bin/tool.sh']) await sandbox.fs.setMode(`${root}/${path}`, 0o755);
    const calls = patch(
      '*** Delete File: run.sh\n*** Update File: bin/tool.sh\n*** Move to: lib/tool.sh\n@@\n-echo hi\n+echo ho',
    );
    Object.assign(model, { doStream: (await setup([[calls], ['done']])).model.doStream });
    session.setMode('auto');
    await session.send('go');
    expect((await sandbox.fs.stat(`${root}/lib/tool.sh`)).mode).toBe(0o755);
    await session.undo();
    for (const path of ['run.sh', 'bin/tool.sh']) {
      expect(await sandbox.fs.readText(`${root}/${path}`)).toBe(script);
      expect((await sandbox.fs.stat(`${root}/${path}`)).mode).toBe(0o755);
    }
    expect(await sandbox.fs.exists(`${root}/lib`)).toBe(false);
  });

  test('folders: those that were made for its files go with them, those in which something is stay', async () => {
    const { session, sandbox, exists, person } = await turn({ 'was/a.txt': 'a\n' }, [
      write('one/two/three/x.txt'),
      write('one/y.txt'),
      write('kept/z.txt'),
      write('was/b.txt'),
    ]);
    await person('kept/mine.txt', 'mine\n');
    await sandbox.fs.remove(`${root}/was/a.txt`);
    await session.undo();
    expect([await exists('one'), await exists('kept/mine.txt'), await exists('kept/z.txt')]).toEqual([
      false,
      true,
      false,
    ]);
    // It was there before, and that it is empty is the person's doing.
    expect([await exists('was'), await exists('was/b.txt')]).toEqual([true, false]);
  });

  test('folders: a file alone', async () => {
    const { session, exists } = await turn({}, [write('one/two/x.txt'), write('one/y.txt')]);
    await session.revert(`${root}/one/two/x.txt`);
    expect([await exists('one/two'), await exists('one/y.txt')]).toEqual([false, true]);
    await session.revert(`${root}/one/y.txt`);
    expect(await exists('one')).toBe(false);
  });

  test('a folder where the file was, a file where its folder was: told, the rest is taken back', async () => {
    const { session, sandbox, person, text } = await turn(
      { 'a.txt': 'one\n', 'sub/b.txt': 'one\n', 'c.txt': 'one\n' },
      [edit('a.txt', 'one', 'ONE'), edit('sub/b.txt', 'one', 'ONE'), edit('c.txt', 'one', 'ONE')],
    );
    await sandbox.fs.remove(`${root}/a.txt`);
    await person('a.txt/mine.txt', 'mine\n');
    await sandbox.fs.remove(`${root}/sub`);
    await person('sub', 'mine\n');
    expect((await session.changes()).map(({ shown, isEditedSince }) => [shown, isEditedSince])).toEqual([
      ['a.txt', true],
      ['c.txt', false],
      ['sub/b.txt', true],
    ]);
    expect(await session.undo()).toMatchObject({
      restored: ['c.txt'],
      conflicts: [
        { path: 'a.txt', reason: 'a folder of that name is there now' },
        { path: 'sub/b.txt', reason: 'a file is there now where its folder was' },
      ],
    });
    expect([await text('a.txt/mine.txt'), await text('sub'), await text('c.txt')]).toEqual([
      'mine\n',
      'mine\n',
      'one\n',
    ]);
  });

  test('what a command wrote meanwhile stays, also in a file of the agent', async () => {
    const { session, sandbox, text, exists } = await turn({ 'a.txt': '1\n2\n3\n4\n5\n' }, [edit('a.txt', '1', 'one')]);
    await sandbox.fs.write(`${root}/a.txt`, 'one\n2\n3\n4\nfive\n');
    await sandbox.fs.write(`${root}/out/bundle.js`, 'built');
    expect(await session.undo()).toMatchObject({ restored: ['a.txt'], conflicts: [] });
    expect([await text('a.txt'), await exists('out/bundle.js')]).toEqual(['1\n2\n3\n4\nfive\n', true]);
  });

  test('who speaks while a turn is taken back is heard after it', async () => {
    const { session, sandbox, text } = await turn({ 'a.txt': 'one\n' }, [edit('a.txt', 'one', 'ONE')]);
    const { read } = sandbox.fs;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    sandbox.fs.read = async (path) => {
      await held;
      return read(path);
    };
    const undone = session.undo();
    const again = session.undo();
    const alone = session.revert(`${root}/a.txt`);
    const said = session.send('what else?');
    letGo();
    expect((await undone).restored).toEqual(['a.txt']);
    expect((await again).restored).toEqual([]);
    expect(await alone).toEqual({ restored: [], conflicts: [] });
    await said;
    expect(await text('a.txt')).toBe('one\n');
    const { messages, status } = session.state();
    expect(status).toEqual({ kind: 'idle' });
    expect(messages.map(({ role, end }) => [role, end])).toEqual([
      ['user', undefined],
      ['assistant', 'done'],
    ]);
  });

  test.each([
    ['elsewhere in the file: merged', 'one\n2\n3\n4\nfive\n', '1\n2\n3\n4\nfive\n'],
    ['in the same line: left alone', 'ONE!\n2\n3\n4\n5\n', undefined],
  ])('what is typed and not saved, %s', async (_where, typed, wanted) => {
    const unsaved = new Map<string, string>();
    const path = `${root}/a.txt`;
    const { session, sandbox } = await setup([[edit('a.txt', '1', 'one')], ['done']], {
      memory: { files: { 'a.txt': '1\n2\n3\n4\n5\n' } },
      buffers: {
        unsavedPaths: () => [...unsaved.keys()],
        unsaved: (one) => (unsaved.has(one) ? new TextEncoder().encode(unsaved.get(one)) : undefined),
        async write(one, contents) {
          if (!unsaved.delete(one)) return false;
          await sandbox.fs.write(one, contents);
          return true;
        },
        moved: async () => {},
        saveAll: async () => {},
      },
    });
    session.setMode('auto');
    await session.send('go');
    unsaved.set(path, typed);
    const { conflicts } = await session.undo();
    expect(conflicts).toHaveLength(wanted === undefined ? 1 : 0);
    expect(unsaved.get(path) ?? (await sandbox.fs.readText(path))).toBe(wanted ?? typed);
  });
});

describe('one hunk of a finished edit', () => {
  const block = (run: string) => `{\n ${run}();\n}\n\n\n`;
  const middle = 'a\nb\nc\nd\ne\nf\n';
  const before = `${block('run')}${middle}${block('run')}end\n`;
  const oneHunk = (made: Awaited<ReturnType<typeof turn>>, at = 0) => {
    const part = made.session
      .state()
      .messages.flatMap((message) => message.parts)
      .filter((one) => one.type === 'tool');
    const hunk = parsePatch((part.at(-1)!.meta as { diff: string }).diff)[0]!.hunks[at]!;
    return (path = 'a.txt') => made.session.revertHunk(`${root}/${path}`, hunk);
  };
  const change = edit('a.txt', ` run();\n}\n\n\n${middle}`, ` walk();\n}\n\n\n${middle}`);

  test.each([
    ['nobody wrote since', (text: string) => text, before],
    ['lines came before it', (text: string) => `first\nsecond\n${text}`, `first\nsecond\n${before}`],
    ['its last line has no end any more', (text: string) => text.trimEnd(), before.trimEnd()],
  ])('%s', async (_what, person, wanted) => {
    const made = await turn({ 'a.txt': before }, [change]);
    const revert = oneHunk(made);
    const changed = person(await made.text('a.txt'));
    await made.person('a.txt', changed);
    const outcome = await revert();
    expect(await made.text('a.txt')).toBe(wanted);
    if ('putBack' in outcome) await outcome.putBack();
    expect(await made.text('a.txt')).toBe(changed);
  });

  test('the person’s own same lines elsewhere are not taken for it, and it is not taken back twice', async () => {
    const made = await turn({ 'a.txt': before }, [change]);
    const revert = oneHunk(made);
    const mine = `${block('fly')}${middle}${block('walk')}end\n`;
    await made.person('a.txt', mine);
    expect(await revert()).toEqual({ conflict: 'those lines are not there any more as the agent left them.' });
    expect(await made.text('a.txt')).toBe(mine);
    const other = `${block('walk')}${middle}${block('walk')}end\n`;
    await made.person('a.txt', other);
    expect(await revert()).toHaveProperty('putBack');
    expect(await revert()).toHaveProperty('conflict');
    expect(await made.text('a.txt')).toBe(`${block('run')}${middle}${block('walk')}end\n`);
  });

  test('of two, with Windows line endings, after a reload; deleted, or a folder: told', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
    const made = await turn({ 'a.txt': `${lines.join('\r\n')}\r\n` }, [
      {
        tool: 'multiedit',
        input: {
          edits: [
            { path: 'a.txt', oldString: 'line 3\n', newString: 'three\n' },
            { path: 'a.txt', oldString: 'line 20\n', newString: 'twenty\n' },
          ],
        },
      },
    ]);
    const revert = oneHunk(made, 1);
    await revert();
    expect(await made.text('a.txt')).toBe(`${lines.join('\r\n').replace('line 3\r', 'three\r')}\r\n`);
    await made.sandbox.fs.remove(`${root}/a.txt`);
    expect(await revert()).toEqual({ conflict: 'it was deleted since.' });
    await made.person('a.txt/x', '');
    expect(await revert()).toEqual({ conflict: 'a folder of that name is there now.' });
  });
});

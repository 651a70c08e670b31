import { describe, expect, test, vi } from 'vitest';
import { type ScriptedStep, scriptedModel } from '../agent/scripted-model';
import { realBash } from '../tools/testing';
import { createSessions } from './sessions';
import { last, setup, store, tools, until } from './testing';

describe('after a reload', () => {
  test('what was running is interrupted, and the model is told so', async () => {
    const { session, sandbox } = await setup(
      [['Working.', { tool: 'bash', input: { command: 'echo up; sleep 30' } }]],
      {
        ownRules: () => [{ permission: 'bash', pattern: '*', effect: 'allow' }],
      },
    );
    void session.send('go');
    await until(() => tools(session)[0]?.output === 'up\n');
    await new Promise((resolve) => setTimeout(resolve, 600));
    // The tab dies: a second world opens the same database.
    const model = scriptedModel([['I see.']]);
    const sessions = await createSessions({
      projectId: 'p',
      defaultModel: 'scripted',
      sandbox,
      store,
      resolveModel: () => model,
    });
    expect(sessions.list()).toMatchObject([{ id: session.id, title: 'go' }]);
    const again = await sessions.open(session.id);
    expect(again.state().status).toEqual({ kind: 'idle' });
    expect(last(again).end).toBe('interrupted');
    expect(tools(again)[0]).toMatchObject({ state: 'interrupted', tool: 'bash' });
    await again.send('what happened?');
    expect(JSON.stringify(model.requests[0]!.prompt)).toContain('The call was stopped before it ended.');
    await session.stop();
  });

  test('a clock that was set back between two tabs does not turn the conversation around', async () => {
    const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000);
    const { session, sandbox } = await setup([['one']]);
    await session.send('first');
    ahead.mockRestore();
    // Another tab has made no ids yet.
    vi.resetModules();
    const another = await import('./sessions');
    const sessions = await another.createSessions({
      projectId: 'p',
      defaultModel: 'scripted',
      sandbox,
      store,
      resolveModel: () => scriptedModel([['two']]),
    });
    await (await sessions.open(session.id)).send('second');
    const { messages } = (await store.loadSession(session.id))!;
    const said = messages
      .flatMap((message) => message.parts)
      .flatMap((part) => (part.type === 'text' ? part.text : []));
    expect(said).toEqual(['first', 'one', 'second', 'two']);
  });

  test('a call and what it overwrites are saved before it can have an effect', async () => {
    const saved: string[] = [];
    const { session } = await setup(
      [[{ tool: 'bash', input: { command: 'x' } }], [{ tool: 'write', input: { path: 'a', content: 'new' } }], ['ok']],
      {
        memory: {
          commands: {
            bash: async () => {
              const parts = (await store.loadSession(session.id))!.messages.flatMap((message) => message.parts);
              saved.push(...parts.map((part) => (part.type === 'tool' ? `${part.tool} ${part.inputText}` : part.type)));
              return 0;
            },
          },
        },
      },
    );
    session.setMode('auto');
    await session.send('go');
    expect(saved).toEqual(['text', 'step', 'bash {"command":"x"}']);
    const writes = await store.loadWrites(session.id, last(session).id);
    expect(writes.map((write) => [write.path, write.before, new TextDecoder().decode(write.after!)])).toEqual([
      ['/home/project/a', null, 'new'],
    ]);
  });

  test('a finished conversation is the same', async () => {
    const { session, sandbox } = await setup([
      [{ reasoning: 'r' }, { tool: 'glob', input: { pattern: '*' } }],
      ['done'],
    ]);
    await session.send('go');
    const sessions = await createSessions({
      projectId: 'p',
      defaultModel: 'x',
      sandbox,
      store,
      resolveModel: () => scriptedModel([[]]),
    });
    const again = await sessions.open(session.id);
    expect(again.state()).toEqual(session.state());
  });

  test('list, rename and delete', async () => {
    const { session, sessions } = await setup([['a']]);
    await session.send('first');
    const other = await sessions.create();
    expect(
      sessions
        .list()
        .map((one) => one.id)
        .sort(),
    ).toEqual([session.id, other.id].sort());
    await sessions.rename(session.id, 'Better');
    expect(session.state().title).toBe('Better');
    await sessions.delete(other.id);
    expect(sessions.list()).toMatchObject([{ id: session.id, title: 'Better' }]);
    expect(await store.loadSession(other.id)).toBeUndefined();
    await expect(sessions.open(other.id)).rejects.toThrow('does not exist');
  });
});

describe('undo', () => {
  const files = { 'a.txt': 'one\n', 'b.txt': 'two\n' };
  const script: ScriptedStep[] = [
    [
      { tool: 'read', input: { path: 'a.txt' } },
      { tool: 'read', input: { path: 'b.txt' } },
    ],
    [
      { tool: 'edit', input: { path: 'a.txt', oldString: 'one', newString: 'ONE' } },
      { tool: 'edit', input: { path: 'b.txt', oldString: 'two', newString: 'TWO' } },
      { tool: 'write', input: { path: 'sub/new.txt', content: 'n\n' } },
      { tool: 'bash', input: { command: 'echo hi' } },
    ],
    [{ tool: 'edit', input: { path: 'a.txt', oldString: 'ONE', newString: '1' } }],
    ['done'],
  ];
  test('takes back what the tools wrote, and only that', async () => {
    const { session, sandbox } = await setup(script, { memory: { files, commands: { bash: realBash } } });
    session.setMode('auto');
    await session.send('change them');
    expect(await sandbox.fs.readText('/home/project/a.txt')).toBe('1\n');
    await sandbox.fs.write('/home/project/mine.txt', 'mine');
    await sandbox.fs.write('/home/project/b.txt', 'TWO, and mine\n');
    expect(session.state().canUndo).toBe(true);
    const report = await session.undo();
    expect(report).toEqual({
      restored: ['a.txt', 'sub/new.txt'],
      conflicts: [{ path: 'b.txt', reason: 'it was changed since' }],
      commands: ['echo hi'],
      prompt: 'change them',
    });
    expect(await sandbox.fs.readText('/home/project/a.txt')).toBe('one\n');
    expect(await sandbox.fs.exists('/home/project/sub/new.txt')).toBe(false);
    expect(await sandbox.fs.readText('/home/project/mine.txt')).toBe('mine');
    expect(session.state()).toMatchObject({ messages: [], canUndo: false });
    expect((await store.loadSession(session.id))!.messages).toEqual([]);
  });

  test('works after a reload', async () => {
    const { session, sandbox } = await setup(script, { memory: { files, commands: { bash: realBash } } });
    session.setMode('auto');
    await session.send('change them');
    const sessions = await createSessions({
      projectId: 'p',
      defaultModel: 'x',
      sandbox,
      store,
      resolveModel: () => scriptedModel([[]]),
    });
    const again = await sessions.open(session.id);
    expect((await again.undo()).restored.sort()).toEqual(['a.txt', 'b.txt', 'sub/new.txt']);
    expect(await sandbox.fs.readText('/home/project/b.txt')).toBe('two\n');
  });

  test('what the person typed elsewhere in the file stays', async () => {
    const lines = ['one', 'b', 'c', 'd', 'e', 'f', 'g', 'last'];
    const { session, sandbox } = await setup(
      [[{ tool: 'edit', input: { path: 'a.txt', oldString: 'one', newString: 'ONE' } }], ['done']],
      { memory: { files: { 'a.txt': lines.join('\n') } } },
    );
    session.setMode('auto');
    await session.send('change it');
    await sandbox.fs.write('/home/project/a.txt', lines.join('\n').replace('one', 'ONE').replace('last', 'mine'));
    expect(await session.undo()).toMatchObject({ restored: ['a.txt'], conflicts: [] });
    expect(await sandbox.fs.readText('/home/project/a.txt')).toBe(lines.join('\n').replace('last', 'mine'));
  });

  test('a new file that the person went on with, and one that they deleted, are left alone', async () => {
    const { session, sandbox } = await setup([
      [
        { tool: 'write', input: { path: 'new.txt', content: 'n\n' } },
        { tool: 'write', input: { path: 'gone.txt', content: 'g\n' } },
      ],
      ['done'],
    ]);
    session.setMode('auto');
    await session.send('make them');
    await sandbox.fs.write('/home/project/new.txt', 'n and mine\n');
    await sandbox.fs.remove('/home/project/gone.txt');
    expect(await session.undo()).toMatchObject({
      restored: [],
      conflicts: [{ path: 'new.txt', reason: 'it was changed since' }],
    });
    expect(await sandbox.fs.readText('/home/project/new.txt')).toBe('n and mine\n');
  });
});

describe('the changes of a conversation', () => {
  const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.bin': Uint8Array.of(0, 1, 2) };
  const patch =
    '*** Begin Patch\n*** Update File: b.txt\n*** Move to: moved.txt\n@@\n-two\n+TWO\n*** Delete File: c.bin\n*** End Patch';
  const first: ScriptedStep = [{ tool: 'edit', input: { path: 'a.txt', oldString: 'one', newString: 'ONE' } }];
  const second: ScriptedStep = [{ tool: 'edit', input: { path: 'a.txt', oldString: 'ONE', newString: 'One' } }];

  test('moved and deleted files, text or not; each may be taken back alone', async () => {
    const { session, sandbox } = await setup([[{ tool: 'apply_patch', input: { patch } }], ['done']], {
      memory: { files },
      settings: () => ({ editing: 'patch' }),
    });
    session.setMode('auto');
    await session.send('go');
    expect((await session.changes()).map(({ shown, change, diff }) => [shown, change, diff?.additions])).toEqual([
      ['b.txt', 'deleted', 0],
      ['c.bin', 'deleted', undefined],
      ['moved.txt', 'created', 1],
    ]);
    expect(await session.revert('/home/project/c.bin')).toEqual({ restored: ['c.bin'], conflicts: [] });
    expect(await sandbox.fs.read('/home/project/c.bin')).toEqual(Uint8Array.of(0, 1, 2));
    expect((await session.changes()).map((one) => one.shown)).toEqual(['b.txt', 'moved.txt']);
  });

  test('edits of several turns are one change of a file, which says when somebody went on editing', async () => {
    const { session, sandbox } = await setup([first, ['first'], second, ['second']], { memory: { files } });
    session.setMode('auto');
    await session.send('one');
    await session.send('two');
    const [change] = await session.changes();
    expect(change).toMatchObject({ shown: 'a.txt', change: 'changed', isEditedSince: false });
    expect(change!.diff!.diff).toContain('-one\n+One');
    await sandbox.fs.write('/home/project/a.txt', 'mine\n');
    expect(await session.changes()).toMatchObject([{ shown: 'a.txt', isEditedSince: true }]);
    const { conflicts } = await session.revert('/home/project/a.txt');
    expect(conflicts).toEqual([{ path: 'a.txt', reason: 'it was changed since' }]);
    expect(await sandbox.fs.readText('/home/project/a.txt')).toBe('mine\n');
  });

  test('two conversations: one does not take the other’s work back', async () => {
    const { session, sessions, sandbox } = await setup([first, ['first']], { memory: { files } });
    session.setMode('auto');
    await session.send('one');
    const other = await sessions.create();
    expect(await other.changes()).toEqual([]);
    expect((await other.undo()).restored).toEqual([]);
    expect(await sandbox.fs.readText('/home/project/a.txt')).toBe('ONE\n');
  });
});

// A tab can die at any moment. Here it dies before and after every single write to the database, in a run with files, a command, a sub-agent and words
// that wait: whatever it was, another tab finds a conversation that is whole, knows every effect, and goes on.
import { expect, test } from 'vitest';
import { type ScriptedPart, scriptedModel } from '../agent/scripted-model';
import { createMemorySandbox } from '../sandbox/memory';
import type { Message } from './messages';
import type { SessionStore } from './session-store';
import { createSessions } from './sessions';
import { store, tools } from './testing';
import type { Session } from './types';

const writing = (path: string): ScriptedPart => ({ tool: 'write', input: { path, content: `${path}\n` } });
const root: ScriptedPart[][] = [
  ['Looking.', { tool: 'read', input: { path: 'known.txt' } }, writing('a.txt')],
  [
    { tool: 'todo', input: { todos: [{ content: 'the rest', status: 'pending' }] } },
    { tool: 'bash', input: { command: 'touch effect' } },
    { tool: 'task', input: { agent: 'general', description: 'A part', prompt: 'You are the child.' } },
    { tool: 'write', input: { path: 'known.txt', content: 'changed\n' } },
  ],
  ['All done.'],
];
const child: ScriptedPart[][] = [[writing('child.txt')], ['The child is done.']];

/** Says what comes next by what it is shown, so that it goes on wherever it was cut. */
const model = () => {
  let calls = 0;
  return scriptedModel([
    ({ prompt, tools: offered }) => {
      const last = prompt.findLastIndex(
        (message) => message.role === 'user' && !JSON.stringify(message).includes('was cut here'),
      );
      const steps = prompt.slice(last).filter((message) => message.role === 'tool').length;
      if (JSON.stringify(prompt[last]).includes('and tell me')) return ['Told.'];
      const script = offered!.some((one) => one.name === 'task') ? root : child;
      return script[Math.min(steps, script.length - 1)]!.map((part) =>
        typeof part === 'object' && 'tool' in part ? { ...part, id: `call_${++calls}_${Math.random()}` } : part,
      );
    },
  ]);
};

const isWrite = (name: string) => /^(save|delete|claim)/.test(name);

/** A tab whose `at`th write is its last: it is made or not, and nobody hears of it. */
function tabDyingAt(at: number, isMade: boolean) {
  let writes = 0;
  let die = () => {};
  const dead = new Promise<void>((resolve) => {
    die = resolve;
  });
  const dying = new Proxy(store, {
    get(target, name: keyof SessionStore) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        const never = new Promise(() => {});
        if (writes >= at) return never;
        if (!isWrite(name) || ++writes < at) return method.apply(target, args);
        if (isMade) await method.apply(target, args);
        die();
        return never;
      };
    },
  });
  return { store: dying, dead, writes: () => writes };
}

const isSettled = (session: Session) =>
  tools(session).every(({ state }) => state === 'done' || state === 'error' || state === 'interrupted');
const textOf = ({ parts }: Message) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

async function dieAndGoOn(at: number, isMade: boolean): Promise<boolean> {
  const effects: string[] = [];
  const sandbox = await createMemorySandbox({
    files: { 'known.txt': 'as it was\n' },
    commands: {
      bash: ({ args }) => {
        effects.push(args.at(-1)!);
        return Promise.resolve(0);
      },
    },
  });
  const world = (under: SessionStore) =>
    createSessions({
      projectId: `p-${at}-${isMade}`,
      defaultModel: 'scripted',
      sandbox,
      store: under,
      resolveModel: model,
    });
  const tab = tabDyingAt(at, isMade);
  let first: Session | undefined;
  let isHeard = false;
  const run = async () => {
    first = await (await world(tab.store)).create();
    first.setMode('auto');
    const over = first.send('go');
    await first.send('and tell me', 'queue');
    isHeard = true;
    await over;
  };
  const end = await Promise.race([run().then(() => 'over'), tab.dead.then(() => 'dead')]);

  const sessions = await world(store);
  const listed = sessions.list()[0];
  if (listed === undefined) {
    // Shown at once, and what was said in it was still on its way.
    expect({ effects, isHeard }).toEqual({ effects: [], isHeard: false });
    return end === 'dead';
  }
  const again = await sessions.open(listed.id);
  const { messages, inbox } = again.state();
  const place = `write ${at}, ${isMade ? 'made' : 'not made'}`;
  // Whole: every call settled, nothing twice, in its order, what was said once and with its words.
  expect(isSettled(again), place).toBe(true);
  const ids = messages.flatMap((message) => [message.id, ...message.parts.map((part) => part.id)]);
  expect(new Set(ids).size, place).toBe(ids.length);
  const made = first === undefined ? [] : tools(first).map((part) => part.callId);
  const found = tools(again).map((part) => part.callId);
  expect(made.slice(0, found.length), place).toEqual(found);
  const spoken = [
    ...messages.filter((message) => message.role === 'user').map(textOf),
    ...inbox.map((prompt) => prompt.text),
  ];
  expect(spoken, place).toEqual(['go', 'and tell me'].slice(0, spoken.length));
  if (isHeard) expect(spoken.length, place).toBe(2);
  expect(messages.filter((message) => message.role === 'assistant' && message.end === undefined)).toEqual([]);
  // What was done is known.
  if (effects.length > 0) expect(tools(again).filter((part) => part.tool === 'bash').length, place).toBe(1);

  // It goes on to its end, and what waited is heard.
  again.setMode('auto');
  const last = messages.at(-1);
  if (last === undefined) await again.send('go');
  else if (last.end !== 'done') await again.retry();
  else if (inbox.length > 0) {
    again.takeBack(inbox[0]!.id);
    await again.send('and tell me');
  }
  const state = again.state();
  expect(state.status, place).toEqual({ kind: 'idle' });
  expect(
    state.messages.map((message) => message.end),
    place,
  ).toEqual(state.messages.map((message) => (message.role === 'user' ? undefined : 'done')));
  expect(isSettled(again), place).toBe(true);
  expect(state.messages.map(textOf).join('\n'), place).toContain('All done.');
  expect((await store.loadSession(again.id))!.messages, place).toEqual(state.messages);
  for (const saved of await store.list(`p-${at}-${isMade}`))
    if (saved.parentId !== undefined) expect(isSettled(await sessions.open(saved.id)), place).toBe(true);

  // Every change of a file was recorded: undo takes them back, those of the dead tab too.
  for (let turn = 0; turn < 3; turn++) expect((await again.undo()).conflicts, place).toEqual([]);
  expect(again.state().messages, place).toEqual([]);
  expect(await sandbox.fs.readText('/home/project/known.txt'), place).toBe('as it was\n');
  for (const path of ['a.txt', 'child.txt'])
    expect(await sandbox.fs.exists(`/home/project/${path}`), `${place}: ${path}`).toBe(false);
  return end === 'dead';
}

test.each([false, true])('at every write, made: %s', { timeout: 120_000 }, async (isMade) => {
  let at = 1;
  while (await dieAndGoOn(at, isMade)) at++;
  expect(at).toBeGreaterThan(25);
});

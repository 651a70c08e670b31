// A long day of an agent, over each provider's real wire format: fifty steps with two sub-agents at once, questions to the person, a refusal, a
// full context in the middle of a task, a stop, and a tab that dies. At its end no part is running and nothing is lost.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMemorySandbox } from '@/lib/sandbox/memory';
import type { Message, ToolPart } from '@/lib/session/messages';
import { openSessionStore, type SessionStore } from '@/lib/session/session-store';
import type { Session } from '@/lib/session/types';
import { type FakeProvider, startFakeProvider, type WireRequest } from './fake-provider';
import { formats, parts, tools, wholePath } from './whole-path';
import { wireEvents, wireFaults } from './wire-calls';
import type { WirePart } from './wire-formats';

let provider: FakeProvider;
afterEach(() => provider.close());

const lastStep = 50;
const stopAt = 20;
const dieAt = 35;
const refuseAt = 10;
const summaryText = '## Objective\nWrite the files.\n## Work\nHalf of it.\n## Next\nThe next file.';
const isOver = (part: ToolPart) => part.state === 'done' || part.state === 'error' || part.state === 'interrupted';

/** A database that a dead tab can't reach any more: what it had under way never ends. */
function mortal(store: SessionStore): { store: SessionStore; die(): void } {
  let isDead = false;
  const dying = new Proxy(store, {
    get(target, name: keyof SessionStore) {
      const method = target[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => (isDead ? new Promise(() => {}) : method.apply(target, args));
    },
  });
  return {
    store: dying,
    die: () => {
      isDead = true;
    },
  };
}

/** Read at the beginning of the run, changed after the summary; the person changes the second in between. */
const known = ['key.txt', 'stale.txt'] as const;
const todos = [{ content: 'Write every file', status: 'in_progress' }];

/** What the model says, by whose request it is and how often that one has asked. */
function plan(model: string, onStep: (step: number) => void) {
  /** Only who knows the file as it is may replace it, or find a line in it that is indented otherwise. */
  const changing = (path: string): WirePart =>
    model.includes('gpt-5')
      ? {
          tool: 'apply_patch',
          input: { patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-old\n+new\n*** End Patch` },
        }
      : { tool: 'write', input: { path, content: '  new\n' } };
  const writing = (path: string, content: string): WirePart =>
    model.includes('gpt-5')
      ? { tool: 'apply_patch', input: { patch: `*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch` } }
      : { tool: 'write', input: { path, content: `${content}\n` } };
  const count = { root: 0, summaries: 0, 'child-1': 0, 'child-2': 0 };
  /** Calls of the person's conversation, as they were sent. */
  const sent: WirePart[] = [];
  /** Whose each request was. */
  const asked: ('root' | 'child' | 'summary')[] = [];
  let hasChanged = false;
  const task = (name: string): WirePart => ({
    tool: 'task',
    input: { agent: 'general', description: `Task ${name}`, prompt: `You are ${name}.` },
  });
  const beginning: WirePart[] = [
    { tool: 'todo', input: { todos } },
    ...known.map((path): WirePart => ({ tool: 'read', input: { path } })),
  ];
  function rootStep(step: number): WirePart[] {
    if (step === 0) return [{ text: 'Two tasks.' }, task('child-1'), task('child-2')];
    if (step === stopAt || step === dieAt)
      return [{ tool: 'bash', input: { command: `hang ${step}` } }, writing(`late${step}.txt`, 'late')];
    if (step < lastStep - 1)
      return [
        { reasoning: `Step ${step}.` },
        ...(step === 1 ? beginning : []),
        { tool: 'read', input: { path: `in${step}.txt` } },
        writing(`f${step}.txt`, `file ${step}`),
      ];
    return [{ text: 'All done.' }];
  }
  function answer({ body }: WireRequest): { parts: WirePart[] } {
    const offered = JSON.stringify(body.tools ?? []);
    if (!offered.includes('"name":"read"')) {
      count.summaries++;
      asked.push('summary');
      return { parts: [{ text: summaryText }] };
    }
    if (!offered.includes('"name":"task"')) {
      asked.push('child');
      const name = JSON.stringify(body).includes('You are child-1.') ? 'child-1' : 'child-2';
      const step = count[name]++;
      if (step < 3) return { parts: [{ tool: 'read', input: { path: `in${step}.txt` } }] };
      return { parts: step === 3 ? [writing(`${name}.txt`, name)] : [{ text: `${name} has written its file.` }] };
    }
    asked.push('root');
    onStep(count.root);
    const parts = rootStep(count.root++);
    if (count.summaries === 1 && !hasChanged) {
      hasChanged = true;
      parts.push(...known.map(changing));
    }
    sent.push(...parts.filter((part) => 'tool' in part));
    return { parts };
  }
  return { answer, asked, count, sent };
}

/** Answers every question, one with a no. Questions of what is to be cut off stay open. */
function person(session: Session): { refused: string[]; asked: number } {
  const seen = { refused: [] as string[], asked: 0 };
  const answered = new Set<string>();
  session.subscribe(() => {
    for (const ask of session.state().asks) {
      const about = JSON.stringify(ask.request);
      if (answered.has(ask.id) || about.includes('late')) continue;
      answered.add(ask.id);
      seen.asked++;
      const refuse = about.includes(`f${refuseAt}.txt`);
      if (refuse) seen.refused.push(`f${refuseAt}.txt`);
      queueMicrotask(() =>
        session.answer(ask.id, refuse ? { kind: 'reject', message: 'not this one' } : { kind: 'once' }),
      );
    }
  });
  return seen;
}

describe.each(formats)('$name', ({ model }) => {
  test('a run of fifty steps through everything that can happen to it', { timeout: 120_000 }, async () => {
    const script = plan(model, (step) => {
      if (step === 3) void sandbox.fs.write('/home/project/stale.txt', '  old of the person\n');
    });
    provider = await startFakeProvider((request) => script.answer(request));
    const sandbox = await createMemorySandbox({
      files: Object.fromEntries([
        ...Array.from({ length: lastStep }, (_, at) => [`in${at}.txt`, `input ${at} ${'lorem ipsum '.repeat(220)}\n`]),
        ...known.map((path) => [path, '  old\n']),
      ]),
      commands: {
        bash: ({ args, out, signal }) => {
          out(`${args.at(-1)} began\n`);
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(143), { once: true }));
        },
      },
    });
    const store = await openSessionStore(`long-run-${model}`);
    const session = {
      ownRules: () => [
        { permission: 'bash', pattern: '*', effect: 'allow' as const },
        { permission: 'task', pattern: '*', effect: 'allow' as const },
      ],
      contextTokensOf: () => 30_000,
    };
    const options = { url: provider.url, model, session };
    const firstTab = mortal(store);
    const first = await wholePath({ ...options, world: { sandbox, store: firstTab.store } });
    first.session.setMode('ask');
    const before = person(first.session);
    const hanging = (of: Session, step: number) =>
      vi.waitFor(
        () => {
          const part = tools(of).findLast((one) => one.tool === 'bash');
          expect(part).toMatchObject({ state: 'running', input: { command: `hang ${step}` } });
          expect(of.state().asks).toHaveLength(1);
        },
        { timeout: 60_000, interval: 10 },
      );

    // To the stop, with a command that runs and a question that is open.
    let over = first.session.send('go');
    await hanging(first.session, stopAt);
    await first.session.stop();
    await over;
    expect(first.session.state()).toMatchObject({ status: { kind: 'idle' }, asks: [] });
    expect(tools(first.session).filter((part) => !isOver(part))).toEqual([]);

    // On to where the tab dies.
    over = first.session.retry();
    await hanging(first.session, dieAt);
    await first.session.send('and tell me', 'queue');
    const calls = tools(first.session).map((part) => part.callId);
    firstTab.die();

    // Another tab.
    const second = await wholePath({ ...options, world: { sandbox, store } });
    const again = await second.sessions.open(first.session.id);
    expect(again.state()).toMatchObject({ status: { kind: 'idle' }, asks: [], mode: 'ask' });
    expect(again.state().messages.at(-1)!.end).toBe('interrupted');
    expect(tools(again).map((part) => part.callId)).toEqual(calls);
    expect(tools(again).filter((part) => !isOver(part))).toEqual([]);
    const after = person(again);
    await again.retry();

    // Nothing runs.
    const state = again.state();
    expect(state).toMatchObject({ status: { kind: 'idle' }, asks: [], questions: [], inbox: [] });
    expect(state.messages.at(-1)!.end).toBe('done');
    const children = tools(again).filter((part) => part.tool === 'task');
    expect(children.map((part) => part.state)).toEqual(['done', 'done']);
    for (const part of children) {
      const child = await second.sessions.open(part.meta!.sessionId as string);
      expect(tools(child).map((one) => one.state)).toEqual(['done', 'done', 'done', 'done']);
      expect(child.state().messages.at(-1)!.end).toBe('done');
    }

    // Nothing is lost: every call that was sent is there, with its input, settled once.
    const own = tools(again);
    expect(own.map((part) => part.tool)).toEqual(script.sent.map((part) => 'tool' in part && part.tool));
    expect(own.map((part) => JSON.stringify(part.input)).sort()).toEqual(
      script.sent.map((part) => JSON.stringify('tool' in part && part.input)).sort(),
    );
    expect(new Set(own.map((part) => part.callId)).size).toBe(own.length);
    expect(
      own
        .filter((part) => part.state === 'interrupted')
        .map((part) => part.tool === 'bash' || JSON.stringify(part.input).includes('late')),
    ).toEqual(Array(4).fill(true));
    expect(
      own.filter((part) => part.state === 'error' && !part.inputText.includes('stale.txt')).map((part) => part.output),
    ).toEqual([expect.stringContaining('not this one')]);
    const steps = parts(again).filter((part) => part.type === 'step').length;
    expect(steps).toBeGreaterThanOrEqual(lastStep);
    expect(steps).toBe(script.count.root);
    const summaries = parts(again).filter((part) => part.type === 'summary');
    expect(summaries.length).toBeGreaterThanOrEqual(1);
    expect(summaries.length).toBe(script.count.summaries);
    expect(before.refused).toEqual([`f${refuseAt}.txt`]);
    expect(before.asked + after.asked).toBeGreaterThanOrEqual(lastStep - 4);

    // What was queued was heard, and the files are those that were allowed.
    expect(state.messages.filter((message) => message.role === 'user').flatMap(textsOf)).toEqual(['go', 'and tell me']);
    const { paths } = await sandbox.search.files({ path: '/home/project', pattern: '**/*' });
    const written = paths
      .map((path) => path.slice('/home/project/'.length))
      .filter((path) => !path.startsWith('in') && !known.some((one) => one === path));
    const wanted = Array.from({ length: lastStep }, (_, step) => step)
      .filter((step) => step > 0 && step < lastStep - 1 && ![stopAt, dieAt, refuseAt].includes(step))
      .map((step) => `f${step}.txt`);
    expect(written.sort()).toEqual([...wanted, 'child-1.txt', 'child-2.txt'].sort());
    for (const step of [1, 19, 21, 48])
      expect(await sandbox.fs.readText(`/home/project/f${step}.txt`)).toBe(`file ${step}\n`);

    // What is kept is what is shown.
    expect((await store.loadSession(again.id))!.messages).toEqual(state.messages);
    // Wherever the run was cut, no provider saw a call without its result, nor a result without its call.
    const sent = provider.requests.map(wireEvents);
    expect(sent.map(wireFaults)).toEqual(sent.map(() => []));
    const longest = sent.at(-1)!;
    const results = longest.filter((event) => event.kind === 'result');
    expect(results.length).toBeGreaterThan(10);
    for (const one of results) expect(wireFaults(longest.filter((event) => event !== one))).not.toEqual([]);

    // The summary came in the middle of a task: what was read before it is changed after it.
    const all = parts(again);
    const summaryAt = all.findIndex((part) => part.type === 'summary');
    const use = (path: string) =>
      all.flatMap((part, at) => (part.type === 'tool' && part.inputText.includes(path) ? [{ at, part }] : []));
    for (const path of known) {
      const [read, change, ...more] = use(path);
      expect(more).toEqual([]);
      expect(read).toMatchObject({ part: { tool: 'read', state: 'done' } });
      expect(read!.at).toBeLessThan(summaryAt);
      expect(change!.at).toBeGreaterThan(summaryAt);
    }
    // The model does not see the reading any more, and what it knows of the files still counts: the one changes, the person's is not overwritten.
    expect(use('key.txt')[1]!.part.state).toBe('done');
    expect(await sandbox.fs.readText('/home/project/key.txt')).toBe('  new\n');
    expect(use('stale.txt')[1]!.part.state).toBe('error');
    expect(await sandbox.fs.readText('/home/project/stale.txt')).toBe('  old of the person\n');
    const summarised = script.asked.indexOf('summary');
    const beforeIt = provider.requests[script.asked.lastIndexOf('root', summarised)]!;
    const afterIt = provider.requests[script.asked.indexOf('root', summarised)]!;
    const textOf = (request: WireRequest) => JSON.stringify(request.body);
    expect(textOf(beforeIt)).toContain('key.txt');
    expect(textOf(afterIt)).not.toContain('key.txt');
    expect(textOf(afterIt)).toContain('The next file.');
    expect(textOf(afterIt).length).toBeLessThan(textOf(beforeIt).length);
    // So does the list of what is to do, there and in the other tab.
    expect(textOf(afterIt)).toContain('[>] Write every file');
    expect(state.todos).toEqual(todos);
    void over;
  });
});

const textsOf = (message: Message) => message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));

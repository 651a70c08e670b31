// Tasks of other agents: what they may, where they ask, how they end, what they cost.
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { type ScriptedPart, scriptedModel } from '../agent/scripted-model';
import { builtInAgents } from '../registry/agents';
import { last, setup, texts, tools, until } from './testing';

/** A model that is asked by the person with `go`, and by its own tasks with what `tasks` answers. */
function answering(root: (step: number) => ScriptedPart[], tasks: (prompt: string, step: number) => ScriptedPart[]) {
  const steps = { root: 0, task: 0 };
  return scriptedModel([
    (options: LanguageModelV4CallOptions) => {
      const first = options.prompt.find((message) => message.role === 'user')!;
      const text = (first.content as { text: string }[])[0]!.text;
      return text === 'go' ? root(steps.root++) : tasks(text, steps.task++);
    },
  ]);
}
const task = (prompt: string, more: Record<string, unknown> = {}): ScriptedPart => ({
  tool: 'task',
  input: { agent: 'explore', description: 'Look', prompt, ...more },
});

describe('a task', () => {
  test('has a conversation of its own, its last words are the result, its tokens are counted', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('find a')] : ['thanks']),
      (_prompt, step) => (step === 0 ? [{ tool: 'glob', input: { pattern: '*' } }] : ['It is in a.txt.']),
    );
    const { session, sessions } = await setup(model, { memory: { files: { 'a.txt': 'a' } } });
    session.setMode('auto');
    await session.send('go');
    const [part] = tools(session);
    expect(part).toMatchObject({ state: 'done', title: 'Look', meta: { agent: 'explore', calls: 1 } });
    expect(part!.output).toMatch(/^It is in a\.txt\.\n\n\(task ses_/);
    expect(texts(session)).toEqual(['go', 'thanks']);
    // Two steps here, two there.
    expect(session.state().usage.outputTokens).toBe(40);
    // The list shows the person's conversations only; the other one can be opened from the call.
    expect(sessions.list().map((one) => one.id)).toEqual([session.id]);
    const child = await sessions.open(part!.meta!.sessionId as string);
    expect(child.state()).toMatchObject({ parentId: session.id, agent: 'explore' });
    const childRequest = model.requests[1]!;
    expect(childRequest.tools!.map((one) => one.name)).toEqual(['bash', 'glob', 'grep', 'job', 'read']);
  });

  test('can’t do what its role denies, whatever the mode', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('write')] : ['ok']),
      (_prompt, step) => (step === 0 ? [{ tool: 'bash', input: { command: 'echo x > new.txt' } }] : ['denied']),
    );
    const { session, sandbox, sessions } = await setup(model);
    session.setMode('auto');
    await session.send('go');
    const child = await sessions.open(tools(session)[0]!.meta!.sessionId as string);
    expect(tools(child)[0]).toMatchObject({ state: 'error', output: expect.stringContaining('denies edit') });
    expect(await sandbox.fs.exists('/home/project/new.txt')).toBe(false);
  });

  test('inherits what the project denies', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('read', { agent: 'general' })] : ['ok']),
      (_prompt, step) => (step === 0 ? [{ tool: 'read', input: { path: 'secret.txt' } }] : ['no']),
    );
    const { session, sessions } = await setup(model, {
      memory: { files: { 'secret.txt': 's' } },
      ownRules: () => [{ permission: 'read', pattern: 'secret.txt', effect: 'deny' }],
    });
    session.setMode('auto');
    await session.send('go');
    const child = await sessions.open(tools(session)[0]!.meta!.sessionId as string);
    expect(tools(child)[0]!.state).toBe('error');
  });

  test('asks the person in their own conversation; two at once; one waits while the other goes on', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('one', { agent: 'general' }), task('two')] : ['both done']),
      (prompt) =>
        prompt === 'two'
          ? ['two is done']
          : model.requests.at(-1)!.prompt.some((message) => message.role === 'tool')
            ? ['one is done']
            : [{ tool: 'write', input: { path: 'a.txt', content: 'A' } }],
    );
    const { session, sandbox } = await setup(model, {
      ownRules: () => [{ permission: 'task', pattern: '*', effect: 'allow' }],
    });
    const over = session.send('go');
    await until(() => session.state().asks.length === 1 && tools(session)[1]!.state === 'done');
    const [ask] = session.state().asks;
    expect(ask).toMatchObject({ tool: 'write', agent: 'general', rootCallId: tools(session)[0]!.callId });
    expect(tools(session)[0]!.state).toBe('running');
    session.answer(ask!.id, { kind: 'once' });
    await over;
    expect(await sandbox.fs.readText('/home/project/a.txt')).toBe('A');
    expect(tools(session)[0]!.output).toContain('one is done');
    // Its writes belong to the turn: undo takes them back.
    expect((await session.undo()).restored).toEqual(['a.txt']);
    expect(await sandbox.fs.exists('/home/project/a.txt')).toBe(false);
  });

  test('stop ends it, and nothing runs any more', async () => {
    const model = answering(
      () => [task('hang')],
      () => [{ hang: true }],
    );
    const { session, sessions } = await setup(model);
    session.setMode('auto');
    const over = session.send('go');
    await until(() => tools(session)[0]?.meta?.sessionId !== undefined);
    await session.stop();
    await over;
    expect(tools(session)[0]!.state).toBe('interrupted');
    const child = await sessions.open(tools(session)[0]!.meta!.sessionId as string);
    expect(last(child).end).toBe('stopped');
    expect(child.state().status.kind).toBe('idle');
  });

  test('can be gone on with by its id, and only by the conversation that started it', async () => {
    let id = '';
    const model = answering(
      (step) =>
        step === 0
          ? [task('first')]
          : step === 1
            ? [task('second', { taskId: id })]
            : step === 2
              ? [task('third', { taskId: 'ses_other' })]
              : ['ok'],
      (_prompt, step) => [`answer ${step}`],
    );
    const { session } = await setup(model);
    session.setMode('auto');
    session.subscribe(() => {
      id = (tools(session)[0]?.meta?.sessionId as string) ?? id;
    });
    await session.send('go');
    expect(tools(session).map((part) => [part.state, part.output?.split('\n')[0]])).toEqual([
      ['done', 'answer 0'],
      ['done', 'answer 1'],
      ['error', 'There is no task ses_other of this conversation. Leave taskId out to start a new one.'],
    ]);
    expect(tools(session)[1]!.meta!.sessionId).toBe(id);
  });

  test('does not start others, and says why', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('nest', { agent: 'general' })] : ['ok']),
      () => ['done'],
    );
    const { session } = await setup(model);
    session.setMode('auto');
    await session.send('go');
    expect(model.requests[1]!.tools!.map((one) => one.name)).not.toContain('task');
    expect(session.offer().tools.map(({ tool }) => tool.name)).toContain('task');
  });

  test('that fails tells why, and how to go on', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('break')] : ['ok']),
      () => [{ breaks: new Error('kaputt') }],
    );
    const { session } = await setup(model);
    session.setMode('auto');
    await session.send('go');
    expect(tools(session)[0]).toMatchObject({
      state: 'error',
      output: expect.stringMatching(/kaputt[\s\S]*taskId ses_/),
    });
  });
});

describe('a task that gives no sign of life', () => {
  test('is told of, then stopped; the agent that waits hears it and goes on', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('hang'), task('work')] : ['I do without']),
      (prompt) => (prompt === 'hang' ? ['Half of it.', { hang: true }] : ['worked']),
    );
    const { session, sessions } = await setup(model, { taskSilenceMs: 300 });
    session.setMode('auto');
    const told: unknown[] = [];
    session.subscribe(() => {
      const { silentMs } = tools(session)[0]?.meta ?? {};
      if (silentMs !== undefined) told.push(silentMs);
    });
    await session.send('go');
    const [hung, worked] = tools(session);
    expect(told.length).toBeGreaterThan(0);
    expect(hung).toMatchObject({
      state: 'error',
      output: expect.stringMatching(/gave no sign of life[\s\S]*Half of it\.[\s\S]*taskId ses_/),
    });
    expect(worked!.state).toBe('done');
    expect(last(session).end).toBe('done');
    expect(texts(session).at(-1)).toBe('I do without');
    const child = await sessions.open(hung!.meta!.sessionId as string);
    expect(child.state().status.kind).toBe('idle');
    expect(last(child).end).toBe('stopped');
  });

  test('is not meant: one that waits for the person, and one whose command is silent', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('ask', { agent: 'general' }), task('run', { agent: 'general' })] : ['fine']),
      (prompt) => {
        if (model.requests.at(-1)!.prompt.some((message) => message.role === 'tool')) return [`${prompt} is over`];
        return prompt === 'ask'
          ? [{ tool: 'write', input: { path: 'a.txt', content: 'A' } }]
          : [{ tool: 'bash', input: { command: 'sleep 1.2' } }];
      },
    );
    const { session } = await setup(model, {
      taskSilenceMs: 300,
      ownRules: () => ['task', 'bash'].map((permission) => ({ permission, pattern: '*', effect: 'allow' })),
    });
    const over = session.send('go');
    await until(() => tools(session)[1]?.state === 'done' && session.state().asks.length === 1);
    session.answer(session.state().asks[0]!.id, { kind: 'once' });
    await over;
    expect(tools(session).map((part) => part.state)).toEqual(['done', 'done']);
  });
});

describe('a task that is stopped', () => {
  test('by a refusal without a word stops whoever started it; what its siblings did is kept', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('ask', { agent: 'general' }), task('look')] : ['went on']),
      (prompt) => (prompt === 'ask' ? [{ tool: 'write', input: { path: 'a.txt', content: 'A' } }] : ['seen']),
    );
    const { session } = await setup(model, {
      ownRules: () => [{ permission: 'task', pattern: '*', effect: 'allow' }],
    });
    const over = session.send('go');
    await until(() => session.state().asks.length === 1 && tools(session)[1]?.state === 'done');
    session.answer(session.state().asks[0]!.id, { kind: 'reject' });
    await over;
    expect(tools(session).map((part) => part.state)).toEqual(['error', 'done']);
    expect(last(session).end).toBe('stopped');
    expect(texts(session)).toEqual(['go']);
  });

  test('by a question that nobody answers ends the turn, which says so', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('ask', { agent: 'general' })] : ['went on']),
      () => [{ tool: 'write', input: { path: 'a.txt', content: 'A' } }],
    );
    const { session } = await setup(model, {
      askTimeoutMs: 50,
      ownRules: () => [{ permission: 'task', pattern: '*', effect: 'allow' }],
    });
    await session.send('go');
    expect(session.state().asks).toEqual([]);
    expect(tools(session)[0]).toMatchObject({ state: 'error', output: expect.stringContaining('Nobody answered') });
    expect(last(session).end).toBe('stopped');
  });

  test('in its own conversation, or at its limit of steps, is not taken for done', async () => {
    const model = answering(
      (step) => (step === 0 ? [task('hang'), task('steps')] : ['I heard']),
      (prompt) =>
        prompt === 'hang'
          ? ['Half.', { hang: true }]
          : ['More.', { tool: 'glob', input: { pattern: String(Math.random()) } }],
    );
    const { session, sessions } = await setup(model, { maxSteps: 2 });
    session.setMode('auto');
    const over = session.send('go');
    await until(() => tools(session)[0]?.meta?.sessionId !== undefined && tools(session)[1]?.state === 'error');
    const child = await sessions.open(tools(session)[0]!.meta!.sessionId as string);
    await until(() => texts(child).includes('Half.'));
    await child.stop();
    await over;
    const [hung, long] = tools(session);
    expect(hung!.output).toMatch(
      /stopped before it was done: The person stopped it\. What it had said by then: Half\./,
    );
    expect(long!.output).toMatch(/stopped before it was done: Paused after 2 steps/);
    expect(texts(session).at(-1)).toBe('I heard');
  });
});

test('an agent that is not there any more is nobody: the turn waits until the person chooses another one', async () => {
  const reviewer = { ...builtInAgents[1]!, name: 'reviewer' };
  let agents = [...builtInAgents, reviewer];
  const { session, model } = await setup([['reviewed'], ['built']], { agents: () => agents });
  session.setAgent('reviewer');
  await session.send('look');
  expect(texts(session).at(-1)).toBe('reviewed');
  agents = [...builtInAgents];
  await session.send('again');
  expect(session.state().status).toMatchObject({
    kind: 'failed',
    error: { message: expect.stringMatching(/^The agent reviewer is not there any more/), retryable: true },
  });
  expect(model.requests).toHaveLength(1);
  session.setAgent('build');
  await session.retry();
  expect(texts(session).at(-1)).toBe('built');
  expect(last(session).agent).toBe('build');
});

test('plan mode writes plans and nothing else', async () => {
  const { session, sandbox, model } = await setup([
    [
      { tool: 'write', input: { path: 'a.txt', content: 'x' } },
      { tool: 'write', input: { path: '.opencode/plans/p.md', content: 'plan' } },
      { tool: 'bash', input: { command: 'rm -rf src' } },
    ],
    ['ok'],
  ]);
  session.setMode('auto');
  session.setAgent('plan');
  await session.send('plan it');
  expect(tools(session).map((part) => part.state)).toEqual(['error', 'done', 'error']);
  expect(await sandbox.fs.exists('/home/project/a.txt')).toBe(false);
  expect(JSON.stringify(model.requests[0]!.prompt[0])).toContain('plan mode');
  expect(last(session).agent).toBe('plan');
});

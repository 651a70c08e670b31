// What agents may cost, which model answers as them, and where they may write.
import { describe, expect, test } from 'vitest';
import { type ScriptedPart, scriptedModel } from '../agent/scripted-model';
import { type Agent, builtInAgents } from '../registry/agents';
import { last, setup, texts, tools, until } from './testing';

/** Each step costs ten cents: ten tokens come out. */
const priceOf = () => ({ input: 0, output: 10_000 });
const look: ScriptedPart = { tool: 'glob', input: { pattern: '*' } };
const agentsWith = (name: string, more: Partial<Agent>) => () =>
  builtInAgents.map((agent) => (agent.name === name ? { ...agent, ...more } : agent));
const write = (path: string): ScriptedPart => ({ tool: 'write', input: { path, content: 'x\n' } });
const task = (agent: string): ScriptedPart => ({ tool: 'task', input: { agent, description: 'Do', prompt: 'do it' } });
/** The person's conversation is the one that is offered the task tool. */
const byDepth = (root: (step: number) => ScriptedPart[], child: (step: number) => ScriptedPart[]) => {
  const steps = { root: 0, child: 0 };
  return scriptedModel([
    ({ tools: offered }) => (offered?.some((one) => one.name === 'task') ? root(steps.root++) : child(steps.child++)),
  ]);
};

describe('a budget', () => {
  test('of a conversation pauses it before the next step, and the person lets it go on for as much again', async () => {
    const { session, model } = await setup([[look], [look], [look], [look], ['done']], {
      priceOf,
      settings: () => ({ costUsd: 0.2 }),
    });
    await session.send('go');
    expect(model.requests).toHaveLength(2);
    expect(last(session)).toMatchObject({ end: 'failed', error: { kind: 'limit' } });
    expect(last(session).error!.message).toMatch(/^This conversation has cost \$0\.20, and the limit is \$0\.20\./);
    expect(tools(session).every((part) => part.state === 'done')).toBe(true);
    await session.retry();
    expect(model.requests).toHaveLength(4);
    expect(last(session).error!.message).toMatch(/cost \$0\.40, and the limit is \$0\.40/);
    await session.retry();
    expect(last(session)).toMatchObject({ end: 'done' });
    expect(texts(session).at(-1)).toBe('done');
  });

  test('counts what sub-agents cost, and stops them too', async () => {
    const model = byDepth(
      (step) => (step === 0 ? [task('explore')] : ['end']),
      () => [look],
    );
    const { session } = await setup(model, { priceOf, settings: () => ({ costUsd: 0.5 }) });
    session.setMode('auto');
    await session.send('go');
    expect(tools(session)[0]).toMatchObject({
      state: 'error',
      output: expect.stringContaining('The sub-agent failed: This conversation has cost $0.50'),
    });
    expect(last(session)).toMatchObject({ end: 'failed', error: { kind: 'limit' } });
    expect(model.requests).toHaveLength(5);
  });

  test('of an agent is one of each turn', async () => {
    const { session, model } = await setup([[look], [look], ['later']], {
      priceOf,
      agents: agentsWith('build', { costUsd: 0.2 }),
    });
    await session.send('go');
    expect(last(session).error!.message).toMatch(/^This turn of the agent has cost \$0\.20/);
    await session.send('another');
    expect(last(session).end).toBe('done');
    expect(model.requests).toHaveLength(3);
  });

  test('that can’t be watched says so once', async () => {
    const { session } = await setup([[look], ['done']], { settings: () => ({ costUsd: 1 }) });
    await session.send('go');
    const notices = last(session).parts.flatMap((part) => (part.type === 'notice' ? [part.text] : []));
    expect(notices).toEqual(['No price is known for scripted, so your limit of what this may cost can’t be watched.']);
  });
});

describe('the model of an agent', () => {
  const options = {
    agents: agentsWith('explore', { model: 'far/away' }),
    offersModel: (id: string) => id !== 'far/away',
  };
  const script = () =>
    byDepth(
      (step) => (step < 2 ? [task('explore')] : ['end']),
      () => ['found'],
    );

  test('that is not offered is asked about in every mode, and once for the conversation', async () => {
    const { session, sessions } = await setup(script(), options);
    session.setMode('auto');
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    expect(session.state().asks[0]!.request.title).toBe(
      'Let scripted answer as explore: its own model far/away is not offered here',
    );
    expect(session.state().asks[0]!.facts[0]!.always).toEqual([]);
    session.answer(session.state().asks[0]!.id, { kind: 'once' });
    await over;
    expect(tools(session).map((part) => part.state)).toEqual(['done', 'done']);
    const child = await sessions.open(tools(session)[0]!.meta!.sessionId as string);
    expect(last(child).model).toBe('scripted');
  });

  test('is not replaced when the person says no', async () => {
    const { session } = await setup(script(), options);
    session.setMode('auto');
    const over = session.send('go');
    await until(() => session.state().asks.length === 1);
    session.answer(session.state().asks[0]!.id, { kind: 'reject', message: 'do it yourself' });
    await until(() => session.state().asks.length === 1 && tools(session).length === 2);
    session.answer(session.state().asks[0]!.id, { kind: 'reject', message: 'no' });
    await over;
    expect(tools(session)[0]).toMatchObject({
      state: 'error',
      output: expect.stringContaining(
        'far/away, which is not offered here, and the person wants no other model for it. They say: do it yourself',
      ),
    });
  });

  test('that is offered answers', async () => {
    const { session, sessions } = await setup(script(), { ...options, offersModel: () => true });
    session.setMode('auto');
    await session.send('go');
    const child = await sessions.open(tools(session)[0]!.meta!.sessionId as string);
    expect(last(child).model).toBe('far/away');
  });
});

describe('the folders of an agent', () => {
  const options = { agents: agentsWith('build', { writable: ['docs'] }) };
  test('bind its tools and its commands, the project around them stays as it is', async () => {
    const { session, sandbox } = await setup([[write('src/a.ts'), write('docs/a.md')], ['done']], options);
    session.setMode('auto');
    await session.send('go');
    expect(tools(session).map((part) => part.state)).toEqual(['error', 'done']);
    expect(tools(session)[0]!.output).toMatch(/EROFS|read-only/);
    expect(await sandbox.fs.exists('/home/project/src/a.ts')).toBe(false);
    expect(await sandbox.fs.readText('/home/project/docs/a.md')).toBe('x\n');
  });

  test('bind the agents that it gives tasks to', async () => {
    const model = byDepth(
      (step) => (step === 0 ? [task('general')] : ['end']),
      (step) => (step === 0 ? [write('src/a.ts'), write('docs/b.md')] : ['tried']),
    );
    const { session, sandbox } = await setup(model, options);
    session.setMode('auto');
    await session.send('go');
    expect(await sandbox.fs.exists('/home/project/src/a.ts')).toBe(false);
    expect(await sandbox.fs.exists('/home/project/docs/b.md')).toBe(true);
  });
});

test('an agent’s temperature is the model’s, and other agents keep the provider’s', async () => {
  const { session, model } = await setup([['one'], ['two']], {
    agents: agentsWith('plan', { temperature: 0.2, topP: 0.9 }),
  });
  session.setAgent('plan');
  await session.send('go');
  session.setAgent('build');
  await session.send('go');
  expect(model.requests.map(({ temperature, topP }) => [temperature, topP])).toEqual([
    [0.2, 0.9],
    [undefined, undefined],
  ]);
});

// What goes on around the steps of a turn: words said meanwhile, lists, questions, names, summaries.
import { describe, expect, test, vi } from 'vitest';
import { estimatePromptTokens } from '../agent/compaction';
import { ModelError } from '../agent/run-error';
import { type ScriptedPart, type ScriptedStep, scriptedModel } from '../agent/scripted-model';
import { createSessions } from './sessions';
import { last, setup, store, texts, tools, until } from './testing';
import type { Session } from './types';

const promptText = (request: unknown) => JSON.stringify((request as { prompt: unknown }).prompt);

describe('said while a turn runs', () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
  const slow = { commands: { bash: () => pause().then(() => 0) } };
  const command: ScriptedPart = { tool: 'bash', input: { command: 'x' } };

  test('steering is heard at the next step, in the same turn', async () => {
    const { session, model } = await setup([[command], ['I hear you.']], { memory: slow });
    session.setMode('auto');
    const over = session.send('go');
    await until(() => tools(session)[0]?.state === 'running');
    await session.send('rather left');
    expect(session.state().inbox).toMatchObject([{ text: 'rather left', delivery: 'steer' }]);
    await over;
    expect(session.state().inbox).toEqual([]);
    expect(texts(session)).toEqual(['go', 'rather left', 'I hear you.']);
    expect(session.state().messages.map((message) => [message.role, message.end])).toEqual([
      ['user', undefined],
      ['assistant', 'done'],
      ['user', undefined],
      ['assistant', 'done'],
    ]);
    expect(promptText(model.requests[1])).toContain('rather left');
  });

  test('what is queued waits for the end, one at a time', async () => {
    const { session } = await setup([[command], ['one'], ['two'], ['three']], { memory: slow });
    session.setMode('auto');
    const over = session.send('go');
    await until(() => tools(session)[0]?.state === 'running');
    await session.send('second', 'queue');
    await session.send('third', 'queue');
    await over;
    expect(texts(session)).toEqual(['go', 'one', 'second', 'two', 'third', 'three']);
  });

  test('what is said while the answer is being saved is heard', async () => {
    const { session } = await setup([['one'], ['two']]);
    const { saveMessage } = store;
    let isSaid = false;
    const saving = vi.spyOn(store, 'saveMessage').mockImplementation(async (id, message) => {
      if (message.end === 'done' && !isSaid) {
        isSaid = true;
        await session.send('then');
      }
      return saveMessage(id, message);
    });
    await session.send('go').finally(() => saving.mockRestore());
    expect(texts(session)).toEqual(['go', 'one', 'then', 'two']);
    expect(session.state()).toMatchObject({ status: { kind: 'idle' }, inbox: [] });
  });

  test('a stop leaves the inbox to the person, over a reload too', async () => {
    const { session, sandbox } = await setup([[{ hang: true }]]);
    const over = session.send('go');
    await until(() => session.state().status.kind === 'running');
    await session.send('later', 'queue');
    await session.stop();
    await over;
    expect(session.state().inbox).toMatchObject([{ text: 'later' }]);
    const sessions = await createSessions({
      projectId: 'p',
      defaultModel: 'scripted',
      sandbox,
      store,
      resolveModel: () => scriptedModel([['ok']]),
    });
    const again = await sessions.open(session.id);
    const [prompt] = again.state().inbox;
    expect(again.takeBack(prompt!.id)).toBe('later');
    expect(again.takeBack(prompt!.id)).toBeUndefined();
    expect(again.state().inbox).toEqual([]);
  });
});

describe('the list of what is to do', () => {
  const todos = [{ content: 'a', status: 'pending' as const }];
  test('is shown, kept over a reload, and may be changed by the person', async () => {
    const { session, model } = await setup([
      [{ tool: 'todo', input: { todos } }],
      [{ tool: 'todo', input: {} }],
      ['ok'],
    ]);
    const stop = session.subscribe(() => {
      if (tools(session).length === 1 && tools(session)[0]!.state === 'done') {
        stop();
        session.setTodos([...todos, { content: 'b', status: 'completed' }]);
      }
    });
    await session.send('go');
    expect(tools(session).map((part) => part.output)).toEqual(['[ ] a', '[ ] a\n[x] b']);
    expect((await store.loadSession(session.id))!.session.todos).toHaveLength(2);
    expect(model.requests).toHaveLength(3);
  });
});

describe('questions', () => {
  const questions = [{ question: 'Which?', header: 'Which', options: [{ label: 'A' }, { label: 'B' }] }];
  const asking: ScriptedStep[] = [[{ tool: 'question', input: { questions } }], ['ok']];

  async function asked(answer: (session: Session, id: string) => void | Promise<void>) {
    const { session } = await setup(asking, { askTimeoutMs: 300 });
    const over = session.send('go');
    await until(() => session.state().questions.length === 1);
    await answer(session, session.state().questions[0]!.id);
    await over;
    expect(session.state().questions).toEqual([]);
    return session;
  }

  test('an answer goes to the model', async () => {
    const session = await asked((one, id) =>
      one.answerQuestion(id, { kind: 'answered', answers: [['B', 'and more']] }),
    );
    expect(tools(session)[0]).toMatchObject({ state: 'done', output: 'Which?\n  B; and more' });
    expect(texts(session).at(-1)).toBe('ok');
  });
  test('a dismissal with words goes to the model, without words it stops the turn', async () => {
    const told = await asked((one, id) => one.answerQuestion(id, { kind: 'dismissed', message: 'you decide' }));
    expect(tools(told)[0]!.output).toContain('you decide');
    expect(texts(told).at(-1)).toBe('ok');
    const silent = await asked((one, id) => one.answerQuestion(id, { kind: 'dismissed' }));
    expect(last(silent).end).toBe('stopped');
  });
  test('stop ends the wait; nobody at all is told to the model', async () => {
    const stopped = await asked((one) => one.stop());
    expect(tools(stopped)[0]!.state).toBe('interrupted');
    const alone = await asked(() => {});
    expect(tools(alone)[0]!.output).toContain('Nobody answered');
  });
});

describe('names', () => {
  const naming = (title: string): ScriptedStep[] => [
    ({ tools: offered }) => (offered === undefined ? [`"${title}"\n`] : ['done']),
    ({ tools: offered }) => (offered === undefined ? [`"${title}"\n`] : ['done']),
  ];
  test('the model names the conversation, and that is counted', async () => {
    const { session } = await setup(naming('Fixing the parser'), { canName: () => true });
    await session.send('please fix it');
    await until(() => session.state().title === 'Fixing the parser');
    expect(last(session).overhead?.outputTokens).toBe(10);
  });
  test('a name that the person gave stays', async () => {
    const { session, sessions } = await setup(naming('Other'), { canName: () => true });
    const over = session.send('please fix it');
    await sessions.rename(session.id, 'Mine');
    await over;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(session.state().title).toBe('Mine');
  });
});

describe('summaries', () => {
  const summary = '## Objective\nread it all\n## Work\nread a.txt\n## Next\nread on';
  const isSummarising = (prompt: string) => prompt.includes('You summarise a conversation');
  const reading =
    (answer: string): ScriptedStep =>
    (options) =>
      isSummarising(JSON.stringify(options.prompt))
        ? [answer]
        : JSON.stringify(options.prompt).includes('read on')
          ? ['finished']
          : [{ tool: 'read', input: { path: 'a.txt' } }];
  const files = { 'a.txt': `${'word '.repeat(20)}\n`.repeat(400) };

  test('a full context is summarised, the turn goes on, and the person still sees all of it', async () => {
    const forgotten: string[] = [];
    const { session, model } = await setup([reading(summary)], {
      memory: { files },
      contextTokensOf: () => 20_000,
      onForgotten: (id) => forgotten.push(id),
    });
    session.setTodos([{ content: 'keep me', status: 'pending' }]);
    await session.send('read it all');
    expect(session.state().status).toEqual({ kind: 'idle' });
    const parts = session.state().messages.flatMap((message) => message.parts);
    const made = parts.find((part) => part.type === 'summary');
    expect(made).toMatchObject({ text: summary });
    expect(made?.type === 'summary' && made.tokensAfter < made.tokensBefore).toBe(true);
    expect(texts(session)[0]).toBe('read it all');
    const after = promptText(model.requests.at(-1));
    expect(after).toContain('The summary is history');
    expect(after).toContain('keep me');
    expect(model.requests.filter((request) => isSummarising(promptText(request)))[0]!.tools).toBeUndefined();
    expect(last(session).overhead?.outputTokens).toBeGreaterThan(0);
    expect(new Set(forgotten)).toEqual(new Set([session.id]));
    await session.undo();
    expect(forgotten.length).toBeGreaterThan(1);
  });

  test('off means off', async () => {
    const { session, model } = await setup([reading(summary)], {
      memory: { files },
      contextTokensOf: () => 20_000,
      maxSteps: 3,
      settings: () => ({ compaction: false }),
    });
    await session.send('read it all');
    expect(model.requests.some((request) => isSummarising(promptText(request)))).toBe(false);
  });

  test('a provider that finds the prompt too long: one summary, then it goes on or stops', async () => {
    const tooLong = new ModelError({
      message: 'too long',
      retryable: false,
      kind: 'limit',
      overflow: true,
      status: 400,
    });
    const once: ScriptedStep = (options) => {
      const prompt = JSON.stringify(options.prompt);
      if (isSummarising(prompt)) return [summary];
      if (prompt.includes('read on')) return ['finished'];
      if (prompt.includes('tool-result')) throw tooLong;
      return [{ tool: 'read', input: { path: 'a.txt' } }];
    };
    const { session } = await setup([once], { memory: { files } });
    await session.send('read it all');
    expect(texts(session).at(-1)).toBe('finished');
    const never = await setup(
      [
        (options) =>
          isSummarising(JSON.stringify(options.prompt))
            ? [summary]
            : JSON.stringify(options.prompt).includes('tool-result') ||
                JSON.stringify(options.prompt).includes('read on')
              ? [{ breaks: tooLong }]
              : [{ tool: 'read', input: { path: 'a.txt' } }],
      ],
      { memory: { files } },
    );
    await never.session.send('read it all');
    expect(never.session.state().status).toMatchObject({ kind: 'failed', error: { kind: 'limit' } });
    expect(never.model.requests.filter((request) => isSummarising(promptText(request))).length).toBeLessThanOrEqual(2);
  });

  test('what is no summary is asked for once more, and one that does not shrink ends the turn', async () => {
    const { session, model } = await setup([reading('Sure, what next?')], {
      memory: { files },
      contextTokensOf: () => 20_000,
    });
    await session.send('read it all');
    expect(session.state().status).toMatchObject({ kind: 'failed', error: { kind: 'limit' } });
    expect(model.requests.filter((request) => isSummarising(promptText(request)))).toHaveLength(2);
    const long = await setup([reading(`${summary}${'x'.repeat(60_000)}`)], {
      memory: { files },
      contextTokensOf: () => 20_000,
    });
    await long.session.send('read it all');
    expect(long.session.state().status).toMatchObject({
      kind: 'failed',
      error: { message: expect.stringContaining('would not make it shorter') },
    });
  });

  test('on request, of a short conversation: the person is told, and nothing has failed', async () => {
    const { session } = await setup([['hello']]);
    await session.send('hi');
    expect(await session.compact()).toBe('short');
    expect(session.state().status).toEqual({ kind: 'idle' });
  });

  test('a window that the tools nearly fill: the first words are sent all the same', async () => {
    let windowTokens = 1e9;
    const { session, model } = await setup([['Hello.'], ['Still here.']], { contextTokensOf: () => windowTokens });
    await session.send('hi');
    const { prompt, tools } = model.requests[0]!;
    windowTokens = Math.ceil(estimatePromptTokens([prompt, tools]) * 1.1);
    const small = await setup([['Hello.']], { contextTokensOf: () => windowTokens });
    await small.session.send('hi');
    expect(small.session.state().status).toEqual({ kind: 'idle' });
    expect(texts(small.session)).toEqual(['hi', 'Hello.']);
  });

  test('a model with a smaller window than the conversation is long is shown what it can take of it', async () => {
    const most = 60_000;
    const shown: number[] = [];
    const small: ScriptedStep = (options) => {
      const prompt = JSON.stringify(options.prompt);
      if (isSummarising(prompt)) shown.push(prompt.length);
      if (prompt.length > most)
        throw new ModelError({ message: 'too long', retryable: false, kind: 'limit', overflow: true, status: 400 });
      return isSummarising(prompt) ? [summary] : ['Went on.'];
    };
    const lines = 'something was said here. '.repeat(400);
    const { session } = await setup([...Array(12).fill([lines]), small]);
    for (let turn = 0; turn < 12; turn++) await session.send(`question ${turn}`);
    await session.send('and now?');
    expect(texts(session).at(-1)).toBe('Went on.');
    expect(shown.length).toBeGreaterThan(1);
    expect(session.state().status).toEqual({ kind: 'idle' });
  });

  test('what is said while a summary is made is heard when it is there', async () => {
    const { session } = await setup([reading(summary)], { memory: { files }, maxSteps: 2 });
    await session.send('read it all');
    const over = session.compact();
    await session.send('go on');
    expect(await over).toBe('over');
    expect(session.state()).toMatchObject({ status: { kind: 'idle' }, inbox: [] });
    expect(texts(session)).toContain('go on');
  });

  test('on request, of a model that does not summarise: the person is told why, and the answer has not failed', async () => {
    const { session } = await setup([reading('no summary')], { memory: { files }, maxSteps: 2 });
    await session.send('read it all');
    await expect(session.compact()).rejects.toThrow('answered with something else');
    expect(session.state().status).toEqual({ kind: 'idle' });
  });

  test('on request, at rest', async () => {
    const { session, model } = await setup([reading(summary)], { memory: { files }, maxSteps: 2 });
    await session.send('read it all');
    expect(await session.compact()).toBe('over');
    expect(session.state().status).toEqual({ kind: 'idle' });
    await session.send('go on');
    expect(promptText(model.requests.at(-1))).not.toContain('word word');
  });
});

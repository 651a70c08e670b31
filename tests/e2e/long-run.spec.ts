// Journey: a long day of an agent in the real computer, over a provider's wire format: fifty steps with two sub-agents at once, questions, a summary in
// the middle, a stop and a reload while a command runs and a question is open. Nothing runs at its end, and nothing is lost.
import { type Page, test } from '@playwright/test';
import type { MessagePart, ToolPart } from '../../lib/session/messages';
import { type FakeProvider, startFakeProvider, type WireRequest } from '../providers/fake-provider';
import { wireEvents, wireFaults } from '../providers/wire-calls';
import type { WirePart } from '../providers/wire-formats';
import { agent, lastAnswer, question, say, sendButton, untilIdle } from './agent';
import { expect, reload, startProject } from './ide';
import { type OwnServer, startOwnServer } from './own-server';
import { shell } from './terminal';

const lastStep = 50;
const stopAt = 18;
const dieAt = 34;
/** Steps at which the person is asked. */
const asksEvery = 8;
const model = 'compatible/llama-test';

let provider: FakeProvider;
let server: OwnServer;
test.afterEach(async () => {
  await server?.kill();
  await provider?.close();
});

const writing = (path: string, content: string): WirePart => ({ tool: 'write', input: { path, content } });
const writesAt = (step: number) => step % asksEvery === 0;

/** What the model says, by whose request it is and how often that one has asked. `sent`: calls of the person's conversation. */
function plan() {
  const count = { root: 0, summaries: 0, 'child-1': 0, 'child-2': 0 };
  const sent: WirePart[] = [];
  /** Whose the requests of sub-agents were, in their order. */
  const children: string[] = [];
  const task = (name: string): WirePart => ({
    tool: 'task',
    input: { agent: 'general', description: `Task ${name}`, prompt: `You are ${name}.` },
  });
  function rootStep(step: number): WirePart[] {
    if (step === 0) return [{ text: 'Two tasks.' }, task('child-1'), task('child-2')];
    if (step === stopAt || step === dieAt)
      return [
        { tool: 'bash', input: { command: `echo began ${step}; sleep 1000 | cat` } },
        writing(`late${step}.txt`, 'late\n'),
      ];
    if (step >= lastStep - 1) return [{ text: 'All done.' }];
    return [
      { reasoning: `Step ${step}.` },
      { tool: 'read', input: { path: 'long.txt', offset: step, limit: 40 } },
      ...(writesAt(step) ? [writing(`f${step}.txt`, `file ${step}\n`)] : []),
    ];
  }
  function answer({ body }: WireRequest): { parts: WirePart[] } {
    const offered = JSON.stringify(body.tools ?? []);
    if (!offered.includes('"name":"read"')) {
      const isTitle = !JSON.stringify(body).includes('## Objective');
      if (!isTitle) count.summaries++;
      return { parts: [{ text: isTitle ? 'A long day' : '## Objective\nWrite the files.\n## Next\nThe next file.' }] };
    }
    if (!offered.includes('"name":"task"')) {
      const name = JSON.stringify(body).includes('You are child-1.') ? 'child-1' : 'child-2';
      children.push(name);
      const step = count[name]++;
      if (step === 0) return { parts: [{ tool: 'read', input: { path: 'long.txt', limit: 3 } }] };
      return {
        parts: step === 1 ? [writing(`${name}.txt`, `${name}\n`)] : [{ text: `${name} has written its file.` }],
      };
    }
    const parts = rootStep(count.root++);
    sent.push(...parts.filter((part) => 'tool' in part));
    return { parts };
  }
  return { answer, children, count, sent };
}

interface KeptSession {
  isChild: boolean;
  parts: MessagePart[];
  ends: (string | undefined)[];
}

/** What the browser's database holds of every conversation, not what is on the screen. */
function keptSessions(page: Page): Promise<KeptSession[]> {
  return page.evaluate(async () => {
    const result = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const db = await result(indexedDB.open('cloche-sessions'));
    const all = (name: string) => result(db.transaction(name).objectStore(name).getAll());
    const [sessions, messages, parts] = await Promise.all([all('sessions'), all('messages'), all('parts')]);
    db.close();
    return sessions.map((session) => ({
      isChild: session.parentId !== undefined,
      parts: parts.filter((one) => one.sessionId === session.id).map((one) => one.part),
      ends: messages.filter((one) => one.sessionId === session.id && one.role === 'assistant').map((one) => one.end),
    }));
  });
}

/** The conversation is idle, or stands at the question about this file. Every other question is answered with yes; `seen` gets their titles. */
async function allowUntil(page: Page, end: string, seen: Set<string>): Promise<void> {
  const cards = agent(page).getByRole('region', { name: /^The agent asks: / });
  await expect
    .poll(
      async () => {
        for (const card of await cards.all()) {
          // It may go, or move, while it is looked at: then the next round finds it.
          const title = await card.getAttribute('aria-label', { timeout: 500 }).catch(() => null);
          if (title === null || title.includes('late')) continue;
          seen.add(title);
          const button = card.getByRole('button', { name: /^Allow once/ });
          await button.click({ timeout: 500 }).catch(() => {});
        }
        return end === '' ? sendButton(page).count() : cards.filter({ hasText: end }).count();
      },
      { intervals: [50], timeout: 60_000 },
    )
    .toBe(1);
}

/** Those before it may be far from the screen and not drawn. */
const lastCommand = (page: Page) => agent(page).locator('[data-tool="bash"]').last();
const running = async (page: Page) => (await shell(page, 'ps aux | grep -c "[s]leep 1000"')).output.trim();

test('fifty steps, two sub-agents, questions, a summary, a stop and a reload: nothing runs at its end, and nothing is lost', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const script = plan();
  provider = await startFakeProvider((request) => script.answer(request));
  server = await startOwnServer(0, {
    OPENAI_COMPATIBLE_URL: `${provider.url}/v1`,
    OPENAI_COMPATIBLE_MODELS: 'llama-test',
    CLOCHE_MODEL_CONTEXT_TOKENS: JSON.stringify({ [model]: 32_000 }),
    CLOCHE_CHAT_STEPS_PER_MINUTE: '6000',
  });
  await page.addInitScript((id) => localStorage.setItem('cloche:model', id), model);
  await startProject(page, 'Blank Node', server.ide);
  await shell(
    page,
    'for i in $(seq 100); do echo "$i lorem ipsum dolor sit amet consectetur adipiscing"; done > long.txt',
  );

  // To the stop, with a command that runs and a question that is open.
  await say(page, 'go');
  const asked = new Set<string>();
  await allowUntil(page, `late${stopAt}.txt`, asked);
  await expect(lastCommand(page)).toContainText(`began ${stopAt}`);
  expect(await running(page)).not.toBe('0');
  await agent(page).getByLabel('Message to the agent').press('Escape');
  await untilIdle(page);
  await expect(agent(page).getByRole('region', { name: /^The agent asks/ })).toHaveCount(0);
  await expect(lastCommand(page)).toContainText('interrupted');
  await expect(lastAnswer(page)).toContainText('Stopped.');
  expect(await running(page)).toBe('0');
  await agent(page).getByRole('button', { name: 'Go on' }).click();

  // On to the reload, with both again and words that wait.
  await allowUntil(page, `late${dieAt}.txt`, asked);
  await expect(lastCommand(page)).toContainText(`began ${dieAt}`);
  await question(page, `Create late${dieAt}.txt`);
  await agent(page).getByLabel('Message to the agent').fill('and tell me');
  await agent(page).getByLabel('Message to the agent').press('Alt+Enter');
  await expect(agent(page).getByText('afterwards', { exact: true })).toBeVisible();
  await reload(page);
  await expect(lastCommand(page)).toContainText('interrupted');
  await lastCommand(page).getByRole('button', { name: /Run/ }).first().click();
  await expect(lastCommand(page).locator('pre').last()).toContainText(`began ${dieAt}`);
  await expect(lastAnswer(page)).toContainText('This answer was cut when the tab closed.');
  await expect(agent(page).getByRole('region', { name: /^The agent asks/ })).toHaveCount(0);
  await expect(agent(page).getByText('and tell me')).toBeVisible();
  await untilIdle(page);
  await agent(page).getByRole('button', { name: 'Go on' }).click();
  await expect(agent(page).getByRole('button', { name: 'Stop' })).toBeVisible();
  await allowUntil(page, '', asked);
  await untilIdle(page);
  await expect(lastAnswer(page)).toContainText('All done.');

  // Nothing runs, on the screen, in the computer or in what is kept; every call that was sent is there once, settled.
  await expect(agent(page).getByText('and tell me')).toBeVisible();
  await expect(agent(page).getByRole('list', { name: 'Not heard yet' })).toHaveCount(0);
  expect(
    (
      await shell(page, 'ps aux | grep -c "[s]leep"; ls f*.txt late* child*.txt 2>&1 | grep -v cannot | tr "\\n" " "')
    ).output.split('\n'),
  ).toEqual([
    '0',
    [
      'child-1.txt',
      'child-2.txt',
      ...steps()
        .filter((step) => writesAt(step))
        .map((step) => `f${step}.txt`),
    ]
      .sort()
      .join(' '),
  ]);
  const sessions = await keptSessions(page);
  const calls = sessions.map(({ parts }) => parts.filter((part): part is ToolPart => part.type === 'tool'));
  expect(calls.flat().filter(({ state }) => !['done', 'error', 'interrupted'].includes(state))).toEqual([]);
  expect(sessions.flatMap(({ ends }) => ends)).toEqual(sessions.flatMap(({ ends }) => ends.map(() => 'done')));
  expect(sessions.map(({ isChild }) => isChild).sort()).toEqual([false, true, true]);
  const own = calls[sessions.findIndex(({ isChild }) => !isChild)]!;
  expect(own.map(({ tool, input }) => ({ tool, input }))).toEqual(script.sent);
  expect(new Set(own.map(({ callId }) => callId)).size).toBe(own.length);
  expect(own.filter(({ state }) => state === 'interrupted').map(({ tool }) => tool)).toEqual([
    'bash',
    'write',
    'bash',
    'write',
  ]);
  expect(own.filter(({ state }) => state === 'error')).toEqual([]);
  const kept = sessions.find(({ isChild }) => !isChild)!.parts;
  expect(kept.filter((part) => part.type === 'step').length).toBe(script.count.root);
  expect(script.count.root).toBeGreaterThanOrEqual(lastStep);
  expect(script.count.summaries).toBeGreaterThanOrEqual(1);
  expect(kept.filter((part) => part.type === 'summary').length).toBe(script.count.summaries);
  // Each sub-agent began before the other one was over.
  for (const [one, other] of [['child-1', 'child-2'] as const, ['child-2', 'child-1'] as const])
    expect(script.children.indexOf(one)).toBeLessThan(script.children.lastIndexOf(other));
  // Two commands, the sub-agents' files and the person's.
  expect([...asked]).toHaveLength(2 + 2 + steps().filter(writesAt).length);
  expect(provider.requests.map(wireEvents).flatMap(wireFaults)).toEqual([]);
});

/** Those in which the model does its work. */
function steps(): number[] {
  return Array.from({ length: lastStep - 2 }, (_, at) => at + 1).filter((step) => step !== stopAt && step !== dieAt);
}

// A connection to the model that dies without a word: nobody but the page can end that wait.
import { expect, test } from 'vitest';
import { httpModel } from '../agent/http-model';
import { last, setup, texts } from './testing';

const event = (part: object) => `data: ${JSON.stringify(part)}\n\n`;
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const ending = `${event({ type: 'finish', finishReason: { unified: 'stop' }, usage })}data: [DONE]\n\n`;
const saying = (text: string) =>
  event({ type: 'text-start', id: '0' }) + event({ type: 'text-delta', id: '0', delta: text });

/** Sends these and then stays open, silent. `given`: told when it is given up. */
function silentAfter(text: string, given: () => void): Response {
  return new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      cancel: given,
    }),
  );
}

test('a stream that stalls is told and gone on with as one that was cut, before its first word and after', async () => {
  const given: string[] = [];
  const answers = [
    () => silentAfter(': ping\n\n', () => given.push('first')),
    () => silentAfter(saying('half '), () => given.push('second')),
    () => new Response(`${saying('and the rest')}${event({ type: 'text-end', id: '0' })}${ending}`),
  ];
  const model = httpModel({ modelId: 'a/b', silenceMs: 60, fetch: async () => answers.shift()!() });
  const { session } = await setup(model);
  const told = new Set<string>();
  session.subscribe(() => {
    const { status } = session.state();
    if (status.kind === 'retrying') told.add(status.message);
  });
  await session.send('go');
  expect(texts(session).slice(1)).toEqual(['half ', 'and the rest']);
  expect(last(session).end).toBe('done');
  expect([...told].join()).toContain('Nothing came from the model for');
  expect(given).toEqual(['first', 'second']);
});

test('an answer that never begins is given up, its request too', async () => {
  const aborted: boolean[] = [];
  const model = httpModel({
    modelId: 'a/b',
    openMs: 40,
    fetch: (_url, init) =>
      aborted.length === 0
        ? new Promise<Response>(() => init!.signal!.addEventListener('abort', () => aborted.push(true)))
        : Promise.resolve(new Response(`${saying('here')}${event({ type: 'text-end', id: '0' })}${ending}`)),
  });
  const { session } = await setup(model);
  await session.send('go');
  expect(aborted).toEqual([true]);
  expect(texts(session)).toContain('here');
});

test('a model that thinks for long is not given up while our server gives signs of life', async () => {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (let at = 0; at < 12; at++) {
        controller.enqueue(new TextEncoder().encode(': ping\n\n'));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      controller.enqueue(
        new TextEncoder().encode(`${saying('thought')}${event({ type: 'text-end', id: '0' })}${ending}`),
      );
      controller.close();
    },
  });
  let asked = 0;
  const model = httpModel({
    modelId: 'a/b',
    silenceMs: 800,
    fetch: async () => {
      asked++;
      return new Response(body);
    },
  });
  const { session } = await setup(model);
  await session.send('go');
  expect(texts(session)).toContain('thought');
  expect(asked).toBe(1);
});

test('Stop ends a silent wait at once', async () => {
  let given = false;
  const model = httpModel({
    modelId: 'a/b',
    fetch: async () =>
      silentAfter(saying('half'), () => {
        given = true;
      }),
  });
  const { session } = await setup(model);
  const sent = session.send('go');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await session.stop();
  await sent;
  expect(last(session).end).toBe('stopped');
  expect(given).toBe(true);
});

// Images and documents: from a tool or the person into the store, and from there to the model.
import { describe, expect, test } from 'vitest';
import { ModelError } from '../agent/run-error';
import { type ScriptedStep, scriptedModel } from '../agent/scripted-model';
import type { FitImage } from './fit-image';
import { setup, store, texts, tools } from './testing';

const png = (last: number) => Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, last]);
const pdf = new TextEncoder().encode('%PDF-1.7 fake');
/** Takes everything that does not end in 0. */
const fitImage: FitImage = async (bytes, mediaType) => {
  if (bytes.at(-1) === 0) throw new Error('no image data');
  return { bytes, mediaType, width: 1, height: 1 };
};
const readThen = (path: string): ScriptedStep[] => [[{ tool: 'read', input: { path } }], ['I see.']];

async function run(files: Record<string, Uint8Array | string>, path: string, model: string) {
  const script = scriptedModel(readThen(path));
  const given = await setup(script, { fitImage, memory: { files } });
  given.session.setModel(model);
  await given.session.send('look');
  const prompts = script.requests.map((request) => request.prompt);
  return { ...given, prompts, result: JSON.stringify(prompts[1]) };
}

describe('what read finds', () => {
  test('an image is kept once by its content and sent in the result; the conversation holds only its name', async () => {
    const { session, result } = await run({ 'a.txt': png(1) }, 'a.txt', 'anthropic/claude-x');
    const [part] = tools(session);
    expect(part).toMatchObject({ state: 'done', output: 'It is a PNG image, 9 bytes.' });
    const [file] = part!.attachments!;
    expect(file).toMatchObject({ mediaType: 'image/png', name: 'a.txt', id: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.stringify(part)).not.toContain('iVBORw');
    expect([...(await session.file(file!.id))!.bytes]).toEqual([...png(1)]);
    expect(result).toContain('"type":"content"');
    expect(result).toContain('iVBORw0KGgoB');
  });

  test('where results are only text it follows in the next message', async () => {
    const { prompts } = await run({ 'a.png': png(1) }, 'a.png', 'compatible/llava-13b');
    const messages = prompts[1]!;
    expect(messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(JSON.stringify(messages[3])).toContain('(a.png: see the next message.)');
    expect(messages[4]!.content[1]).toMatchObject({
      type: 'file',
      mediaType: 'image/png',
      data: { data: 'iVBORw0KGgoB' },
    });
  });

  test.each([
    ['a model without eyes', { 'a.png': png(1) }, 'a.png', 'compatible/llama', 'this model takes no images'],
    ['a model without documents', { 'a.pdf': pdf }, 'a.pdf', 'openai/gpt-4o', 'this model takes no PDF documents'],
    ['a broken image', { 'a.png': png(0) }, 'a.png', 'anthropic/claude-x', "can't be decoded (no image data)"],
  ])('%s is told so in words', async (_name, files, path, model, words) => {
    const { session, result } = await run(files as Record<string, Uint8Array>, path, model);
    expect(result).toContain(words);
    expect(result).not.toContain('"type":"file"');
    expect(session.state().status.kind).toBe('idle');
  });

  test('a page that is called an image is text', async () => {
    const { result } = await run({ 'a.png': '<html>' }, 'a.png', 'anthropic/claude-x');
    expect(result).toContain('1: <html>');
  });

  test('a document is sent as it is', async () => {
    const { result } = await run({ 'a.pdf': pdf }, 'a.pdf', 'anthropic/claude-x');
    expect(result).toContain('"mediaType":"application/pdf"');
  });
});

test('what the person shows goes with their words, also while a turn runs, and stays after a reload', async () => {
  const script = scriptedModel([['A cat.'], ['Still a cat.']]);
  const { session, sessions } = await setup(script, { fitImage });
  session.setModel('google/gemini-x');
  const { kept, notes } = await session.keep([
    { bytes: png(2), mediaType: 'image/png', name: 'cat.png' },
    { bytes: png(0), mediaType: 'image/png', name: 'broken.png' },
    { bytes: Uint8Array.from([1, 2]), mediaType: 'image/bmp', name: 'x.bmp' },
  ]);
  expect(kept.map((file) => file.name)).toEqual(['cat.png']);
  expect(notes).toHaveLength(2);
  await session.send('what is it?', 'steer', kept);
  expect(JSON.stringify(script.requests[0]!.prompt)).toContain('iVBORw0KGgoC');
  await session.dispose();
  const again = await sessions.open(session.id);
  await again.send('and now?');
  expect(JSON.stringify(script.requests[1]!.prompt)).toContain('iVBORw0KGgoC');
});

test('an image that the provider refuses is left out, once and for all, and said', async () => {
  let refused = 0;
  const plain = scriptedModel([[{ tool: 'read', input: { path: 'a.png' } }], ['Without it.'], ['Again.']]);
  const picky = {
    ...plain,
    doStream: (options: Parameters<typeof plain.doStream>[0]) => {
      if (JSON.stringify(options.prompt).includes('iVBORw')) {
        refused++;
        throw new ModelError({ message: 'Could not process image', retryable: false, kind: 'provider', status: 400 });
      }
      return plain.doStream(options);
    },
  };
  const { session } = await setup(picky, { fitImage, memory: { files: { 'a.png': png(1) } } });
  session.setModel('anthropic/claude-x');
  await session.send('look');
  expect(session.state().status.kind).toBe('idle');
  expect(texts(session)).toContain('Without it.');
  expect(refused).toBe(1);
  expect(JSON.stringify(session.state().messages)).toContain('refused an image');
  await session.send('more');
  expect(refused).toBe(1);
  expect(texts(session)).toContain('Again.');
});

test('another kind of refusal is not blamed on the image', async () => {
  const { session } = await setup(
    {
      ...scriptedModel([]),
      doStream: () => {
        throw new ModelError({ message: 'bad tool', retryable: false, kind: 'provider', status: 400 });
      },
    },
    { fitImage },
  );
  session.setModel('anthropic/claude-x');
  await session.send('look', 'steer', (await session.keep([{ bytes: png(1), mediaType: 'image/png' }])).kept);
  expect(session.state().status).toMatchObject({ kind: 'failed', error: { message: 'bad tool' } });
});

test('the newest images are sent up to 25 MiB, the older are named', async () => {
  const big = (last: number) => {
    const bytes = new Uint8Array(7_000_000);
    bytes.set(png(1));
    bytes[bytes.length - 1] = last;
    return bytes;
  };
  const script = scriptedModel([['Seen.']]);
  const { session } = await setup(script, { fitImage });
  session.setModel('anthropic/claude-x');
  const media = [1, 2, 3].map((last) => ({ bytes: big(last), mediaType: 'image/png', name: `${last}.png` }));
  await session.send('look', 'steer', (await session.keep(media)).kept);
  const content = script.requests[0]!.prompt[1]!.content as { type: string; text?: string; filename?: string }[];
  expect(content.map((part) => part.filename ?? part.text)).toEqual([
    'look',
    '[1.png was shown earlier and is left out here to save room. Read it again if you need it.]',
    '2.png',
    '3.png',
  ]);
});

test('bytes go with their session', async () => {
  const { session, sessions } = await setup([], { fitImage });
  const { kept } = await session.keep([{ bytes: png(1), mediaType: 'image/png' }]);
  expect(await store.loadBlob(session.id, kept[0]!.id)).toBeDefined();
  await sessions.delete(session.id);
  expect(await store.loadBlob(session.id, kept[0]!.id)).toBeUndefined();
});

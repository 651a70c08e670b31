// Programs over tools with the real provider packages: the description and the schema reach each provider, a program comes back in pieces, and only its
// result goes out again.
import { afterEach, expect, test } from 'vitest';
import { threadPlace } from '@/lib/tools/testing-program';
import { type FakeProvider, startFakeProvider } from './fake-provider';
import { formats, said, tools, wholePath } from './whole-path';

let provider: FakeProvider;
afterEach(() => provider.close());

const code = `const texts = await Promise.all(['a.txt', 'b.txt'].map((path) => tools.read({ path })));
console.log("lines:", texts.length);
return texts.map((text) => text.toUpperCase() + ' "quoted" \\u{1F40E}');`;

test.each(formats)('$name', async ({ model, path }) => {
  provider = await startFakeProvider([
    { parts: [{ text: 'I write a program.' }, { tool: 'execute', input: { title: 'Shout', code } }] },
    { parts: [{ text: 'Done.' }] },
  ]);
  const { session } = await wholePath({
    url: provider.url,
    model,
    session: { startProgram: threadPlace, settings: () => ({ programs: true }) },
  });
  await session.send('shout');
  expect(session.state().status).toEqual({ kind: 'idle' });
  expect(said(session)).toEqual(['shout', 'I write a program.', 'Done.']);
  expect(tools(session)).toMatchObject([{ tool: 'execute', state: 'done', title: 'Shout', meta: { calls: 2 } }]);
  const told = '[\n "ALPHA \\"quoted\\" 🐎",\n "BETA \\"quoted\\" 🐎"\n]\n\nPrinted:\nlines: 2';
  expect(tools(session)[0]!.output).toBe(told);
  expect(provider.requests.map((request) => request.url)).toEqual([path, path]);
  const [first, second] = provider.requests.map((request) => JSON.stringify(request.body));
  expect(first).toContain('Runs a JavaScript program that calls tools as functions.');
  expect(first).toContain('tools.read(input: { path: string;');
  expect(second).toContain('ALPHA');
  // What the program read is not what the model reads.
  expect(second).not.toContain('1: alpha');
});

// Whole runs with the real provider packages over a loopback server.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type FakeProvider, startFakeProvider, type WireStep } from './fake-provider';
import { formats, hostKey, parts, said, tools, wholePath } from './whole-path';

let provider: FakeProvider;
afterEach(() => provider.close());

async function setup(model: string, script: WireStep[], ownKey?: string) {
  provider = await startFakeProvider(script);
  return wholePath({ url: provider.url, model, ...(ownKey === undefined ? {} : { ownKey }) });
}

describe.each(formats)('$name', ({ name, model, path, key }) => {
  // Newer GPT models change files by patches.
  const isPatching = model.includes('gpt-5');
  const writing = isPatching
    ? { tool: 'apply_patch', input: { patch: '*** Begin Patch\n*** Add File: c.txt\n+alpha beta\n*** End Patch' } }
    : { tool: 'write', input: { path: 'c.txt', content: 'alpha beta\n' } };

  test('a run of three steps with reasoning, parallel tools and a written file', async () => {
    const { session, sandbox } = await setup(model, [
      {
        parts: [
          { reasoning: 'I should read both files.' },
          { text: 'Reading.' },
          { tool: 'read', input: { path: 'a.txt' } },
          { tool: 'read', input: { path: 'b.txt' } },
        ],
      },
      { parts: [writing] },
      { parts: [{ text: 'Joined them in c.txt.' }] },
    ]);
    await session.send('join a and b');
    expect(session.state().status).toEqual({ kind: 'idle' });
    expect(said(session)).toEqual(['join a and b', 'Reading.', 'Joined them in c.txt.']);
    expect(parts(session).find((part) => part.type === 'reasoning')).toMatchObject({
      text: 'I should read both files.',
    });
    expect(tools(session).map((part) => [part.tool, part.state, part.title])).toEqual([
      ['read', 'done', 'a.txt'],
      ['read', 'done', 'b.txt'],
      [writing.tool, 'done', 'c.txt'],
    ]);
    expect(await sandbox.fs.readText('/home/project/c.txt')).toBe('alpha beta\n');
    expect(session.state().usage.outputTokens).toBeGreaterThanOrEqual(45);
    expect(session.state().usage.inputTokens).toBeGreaterThanOrEqual(2700);
    expect(provider.requests.map((request) => request.url)).toEqual([path, path, path]);
    expect(provider.requests.map(key)).toEqual([hostKey, hostKey, hostKey]);
    // What the first step said, called and thought goes back as the provider needs it.
    const second = JSON.stringify(provider.requests[1]!.body);
    expect(second).toContain('1: alpha');
    expect(second).toContain('1: beta');
    if (name.startsWith('Anthropic')) expect(second).toContain('"signature":"sig-1"');
    if (name === 'OpenAI Responses') expect(second).toContain('"encrypted_content":"enc-1"');
    if (name === 'Google') expect(second).toContain('"thoughtSignature":"Z29vZ2xl"');
    if (name === 'OpenAI Responses') expect(provider.requests[0]!.body.store).toBe(false);
  });

  test('stop in the middle closes the connection to the provider', async () => {
    const { session } = await setup(model, [{ parts: [{ text: 'word '.repeat(400) }], delayMs: 20 }]);
    const run = session.send('talk');
    await vi.waitFor(() => expect(said(session)[1]).toContain('word'), { timeout: 4000 });
    await session.stop();
    await run;
    expect(session.state().messages.at(-1)!.end).toBe('stopped');
    await vi.waitFor(() => expect(provider.requests[0]).toMatchObject({ aborted: true, finished: false }), {
      timeout: 4000,
    });
  });

  test('429 is waited for and tried again', async () => {
    const limited = {
      status: 429,
      headers: { 'retry-after': '0.05' },
      body: { type: 'error', error: { type: 'rate_limit_error', message: 'slow down', code: 429 } },
    };
    const { session } = await setup(model, [limited, limited, { parts: [{ text: 'Now.' }] }]);
    const statuses: string[] = [];
    session.subscribe(() => statuses.push(session.state().status.kind));
    await session.send('hello');
    expect(said(session)).toEqual(['hello', 'Now.']);
    expect(provider.requests.length).toBe(3);
    expect(statuses).toContain('retrying');
  });

  test('a refused key is said so, once, and never shown', async () => {
    const refused = {
      status: 401,
      body: { type: 'error', error: { type: 'authentication_error', message: `invalid key ${hostKey}`, code: 401 } },
    };
    const { session, answers } = await setup(model, [refused]);
    await session.send('hello');
    expect(provider.requests.length).toBe(1);
    expect(session.state().status).toMatchObject({
      kind: 'failed',
      error: { kind: 'key', status: 401, retryable: false },
    });
    await vi.waitFor(() => expect(answers.length).toBe(1));
    expect(JSON.stringify([session.state(), answers])).not.toContain(hostKey);
  });
});

test("a person's own key is used for their request, and redacted from what comes back", async () => {
  const own = 'sk-ant-own-key-of-a-person';
  const refused = {
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message: `bad ${own}` } },
  };
  const { session } = await setup('anthropic/claude-test', [{ parts: [{ text: 'Hi.' }] }, refused], own);
  await session.send('hello');
  expect(provider.requests[0]!.headers['x-api-key']).toBe(own);
  await session.send('again');
  expect(JSON.stringify(session.state().status)).toContain('[key]');
  expect(JSON.stringify(session.state())).not.toContain(own);
});

test('a redirect does not carry the key away', async () => {
  const elsewhere = await startFakeProvider([{ parts: [{ text: 'Thank you for the key.' }] }]);
  try {
    const { session } = await setup('anthropic/claude-test', [
      { status: 307, headers: { location: `${elsewhere.url}/v1/messages` }, body: {} },
    ]);
    const run = session.send('hello');
    await vi.waitFor(() => expect(session.state().status.kind).toMatch(/retrying|failed/), { timeout: 4000 });
    await session.stop();
    await run;
    expect(provider.requests.length).toBeGreaterThan(0);
    expect(elsewhere.requests).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});

test('a stream that the provider breaks off is an error that can be tried again', async () => {
  const { session } = await setup('anthropic/claude-test', [
    { parts: [{ text: 'half of it '.repeat(500) }], delayMs: 5 },
  ]);
  const run = session.send('hello');
  await vi.waitFor(() => expect(said(session)[1]).toContain('half'), { timeout: 4000 });
  await provider.close();
  await run;
  expect(session.state().status).toMatchObject({ kind: 'failed', error: { retryable: true } });
});

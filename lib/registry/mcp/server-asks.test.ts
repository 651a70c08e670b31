// What servers ask in the middle of a call beside forms: answers of the model, pages to be visited, and what they tell meanwhile.
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AskQuestions } from '../../tools/question';
import { type Sample, SampleRefused, type SampleRequest } from '../../tools/sample';
import { contextFor } from '../../tools/testing';
import { builtInAgents } from '../agents';
import { offerFor } from '../registry';
import { closeAll, local, nobody, processSandbox, smallServer, started } from './testing';
import { callOn as call, namesOf } from './testing-calls';
import { judgeAddress } from './visit';

afterEach(closeAll);

const offering = (name: string, more = '') =>
  `'tools/list': () => ({ tools: [{ name: '${name}', inputSchema: { type: 'object' } ${more} }] })`;
/** A server whose only tool asks that and answers with what it got. */
const asking = (method: string, params: string) =>
  smallServer(
    's',
    `{ ${offering('t')}, 'tools/call': async (given, { ask }) => ({ content: [{ type: 'text', text: JSON.stringify(await ask('${method}', ${params})) }] }) }`,
  );
const program = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

describe('answers of the model', () => {
  const text = (words: string) => `{ role: 'user', content: { type: 'text', text: '${words}' } }`;

  test('a server gets what the person allowed: its own words go to the model, and nothing else', async () => {
    const heard: { request: SampleRequest; from: string }[] = [];
    const sample: Sample = async (request, { from }) => {
      heard.push({ request, from });
      return { model: 'a/b', text: 'Four.', calls: [], finishReason: 'stop' };
    };
    const servers = await started([
      asking(
        'sampling/createMessage',
        `{ messages: [${text('Two and two?')}], systemPrompt: 'Be short.', maxTokens: 99999999, temperature: 0.5, stopSequences: ['X'], includeContext: 'allServers', modelPreferences: { hints: [{ name: 'dear' }] } }`,
      ),
    ]);
    expect(JSON.parse(await call(servers, 's_t', {}, nobody, undefined, { sample }))).toEqual({
      role: 'assistant',
      model: 'a/b',
      stopReason: 'endTurn',
      content: { type: 'text', text: 'Four.' },
    });
    expect(heard).toEqual([
      {
        from: 's',
        request: {
          prompt: [
            { role: 'system', content: 'Be short.' },
            { role: 'user', content: [{ type: 'text', text: 'Two and two?' }] },
          ],
          tools: [],
          toolChoice: 'none',
          maxOutputTokens: 16_000,
          temperature: 0.5,
          stopSequences: ['X'],
          shown: 'System: Be short.\n\nUser: Two and two?',
        },
      },
    ]);
  });

  test('tools of the server come along with their calls and results, and calls come back as blocks', async () => {
    let heard: SampleRequest | undefined;
    const sample: Sample = async (request) => {
      heard = request;
      return {
        model: 'm',
        text: '',
        finishReason: 'tool-calls',
        calls: [{ callId: 'c2', tool: 'look', input: { at: 2 } }],
      };
    };
    const servers = await started([
      asking(
        'sampling/createMessage',
        `{ maxTokens: 10, tools: [{ name: 'look', inputSchema: { type: 'object' } }], toolChoice: { mode: 'required' }, messages: [${text('Look.')},
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } }] },
          { role: 'user', content: [{ type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'dark' }] }] }] }`,
      ),
    ]);
    expect(JSON.parse(await call(servers, 's_t', {}, nobody, undefined, { sample }))).toMatchObject({
      stopReason: 'toolUse',
      content: [{ type: 'tool_use', id: 'c2', name: 'look', input: { at: 2 } }],
    });
    expect(heard).toMatchObject({ toolChoice: 'required', tools: [{ name: 'look' }] });
    expect(heard!.prompt.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 1 } }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: 'dark' } }],
      },
    ]);
  });

  test('without a yes it gets the protocol’s error, and is not asked about again in this call', async () => {
    let asked = 0;
    const sample: Sample = async () => {
      asked++;
      throw new SampleRefused('The person said no.');
    };
    const servers = await started([
      smallServer(
        's',
        `{ ${offering('t')}, 'tools/call': async (given, { ask }) => { const one = () => ask('sampling/createMessage', { messages: [${text('x')}], maxTokens: 5 });
          return { content: [{ type: 'text', text: JSON.stringify([await one(), await one()]) }] }; } }`,
      ),
    ]);
    const [first, second] = JSON.parse(await call(servers, 's_t', {}, nobody, undefined, { sample }));
    expect(first).toMatchObject({ code: -1, message: expect.stringContaining('The person said no.') });
    expect(second).toMatchObject({ code: -1, message: expect.stringContaining('in this call') });
    expect(asked).toBe(1);
    // Where there is nobody to ask, nobody is asked.
    expect(JSON.parse(await call(servers, 's_t', {}))[0]).toMatchObject({ code: -1 });
  });

  test.each([
    ['a sound', `[{ role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } }]`, /Sounds/],
    ['no image', `[{ role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } }]`, /is none/],
    [
      'a result without its call',
      `[{ role: 'user', content: { type: 'tool_result', toolUseId: 'x', content: [] } }]`,
      /"x"/,
    ],
    ['too much', `[{ role: 'user', content: { type: 'text', text: 'x'.repeat(500000) } }]`, /More than 400000/],
    ['nothing', '[]', /messages/],
  ])('%s is refused by name', async (_name, messages, why) => {
    const sample = () => Promise.reject(new Error('must not be asked'));
    const servers = await started([asking('sampling/createMessage', `{ messages: ${messages}, maxTokens: 5 }`)]);
    const answer = JSON.parse(await call(servers, 's_t', {}, nobody, undefined, { sample }));
    expect(answer).toMatchObject({ code: -32603, message: expect.stringMatching(why) });
    expect(servers.states()[0]!.log.join('\n')).toMatch(why);
  });

  test('outside of a call nothing is asked', async () => {
    const servers = await started([
      smallServer(
        's',
        `{ ${offering('t')}, 'notifications/initialized': async (given, { ask }) => { globalThis.got = await ask('sampling/createMessage', { messages: [${text('x')}], maxTokens: 5 }); },
          'tools/call': async () => ({ content: [{ type: 'text', text: JSON.stringify(globalThis.got) }] }) }`,
      ),
    ]);
    const sample = () => Promise.reject(new Error('must not be asked'));
    expect(await call(servers, 's_t', {}, nobody, undefined, { sample })).toContain('No call of this server runs.');
  });
});

describe('pages to be visited', () => {
  const opening =
    (heard: unknown[]): AskQuestions =>
    async (questions, { address }) => {
      heard.push(address?.href ?? questions[0]!.options[0]!.label);
      return { kind: 'answered', answers: [['opened']] };
    };
  const request = (url: string) => `{ mode: 'url', message: 'Pay here.', elicitationId: 'e1', url: '${url}' }`;

  test('the person sees the whole address; opening it is a yes, saying no a decline, silence a cancel', async () => {
    const servers = await started([asking('elicitation/create', request('https://pay.example.org/a?b=c'))]);
    const heard: unknown[] = [];
    const answerTo = async (ask: AskQuestions) => JSON.parse(await call(servers, 's_t', {}, ask));
    expect(await answerTo(opening(heard))).toEqual({ action: 'accept' });
    expect(heard).toEqual(['https://pay.example.org/a?b=c']);
    expect(await answerTo(async () => ({ kind: 'dismissed', message: 'No.' }))).toEqual({ action: 'decline' });
    expect(await answerTo(async () => ({ kind: 'dismissed' }))).toEqual({ action: 'cancel' });
    expect(await answerTo(nobody)).toEqual({ action: 'cancel' });
  });

  test.each(['http://example.org/', 'javascript:alert(1)', 'file:///etc/passwd', 'https://bank.example@evil.example/'])(
    '%s is shown to nobody',
    async (url) => {
      const servers = await started([asking('elicitation/create', request(url))]);
      const heard: unknown[] = [];
      expect(JSON.parse(await call(servers, 's_t', {}, opening(heard)))).toMatchObject({ code: -32602 });
      expect(heard).toEqual([]);
    },
  );

  test('letters that look like others, numbers and the own machine are pointed out', () => {
    expect(judgeAddress('https://аpple.com/').warnings).toEqual([expect.stringContaining('look like others')]);
    expect(judgeAddress('https://93.184.216.34/').warnings).toEqual([expect.stringContaining('number')]);
    expect(judgeAddress('http://localhost:3000/x')).toMatchObject({
      host: 'localhost:3000',
      warnings: [expect.stringContaining('your own machine')],
    });
    expect(judgeAddress('https://example.org/').warnings).toEqual([]);
    for (const url of ['http://localhost.evil.example/', 'http://127.0.0.1.evil.example/'])
      expect(() => judgeAddress(url)).toThrow('Only https');
  });

  test('a call that wants a visit first is made again when the server says that it is over', async () => {
    const servers = await started([
      smallServer(
        's',
        `{ ${offering('t')}, 'tools/call': (given, { send }) => { if (globalThis.wanted) return { content: [{ type: 'text', text: 'paid' }] };
          globalThis.wanted = true; setTimeout(() => send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e1' } }), 300);
          throw Object.assign(new Error('first pay'), { code: -32042, data: { elicitations: [${request('https://pay.example.org/')}] } }); } }`,
      ),
    ]);
    const heard: unknown[] = [];
    const person: AskQuestions = (questions, context) => {
      if (context.address !== undefined) return opening(heard)(questions, context);
      heard.push('waits');
      return new Promise((_resolve, reject) =>
        context.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
      );
    };
    expect(await call(servers, 's_t', {}, person)).toBe('paid');
    expect(heard).toEqual(['https://pay.example.org/', 'waits']);
  });

  test('a call whose visit is declined fails with the reason', async () => {
    const servers = await started([
      smallServer(
        's',
        `{ ${offering('t')}, 'tools/call': () => { throw Object.assign(new Error('first pay'), { code: -32042, data: { elicitations: [${request('https://pay.example.org/')}] } }); } }`,
      ),
    ]);
    expect(await call(servers, 's_t', {}, async () => ({ kind: 'dismissed' }))).toMatch(/^!.*rather not/);
  });
});

test('what a server tells meanwhile: log lines of the wanted level, and that a resource changed since it was read', async () => {
  const servers = await started([
    smallServer(
      's',
      `{ initialize: ({ protocolVersion }) => ({ protocolVersion, serverInfo: { name: 's', version: '1' }, capabilities: { tools: {}, resources: { subscribe: true }, logging: {} } }),
         ${offering('change')}, 'resources/list': () => ({ resources: [{ uri: 'x:/a' }] }), 'resources/read': () => ({ contents: [{ uri: 'x:/a', text: 'a is 1' }] }),
         'resources/subscribe': ({ uri }) => { globalThis.hears = uri; return {}; },
         'logging/setLevel': ({ level }, { send }) => { send({ method: 'notifications/message', params: { level: 'error', logger: 'db', data: { now: level } } }); return {}; },
         'tools/call': (given, { send }) => { send({ method: 'notifications/resources/updated', params: { uri: globalThis.hears ?? 'x:/a' } }); return { content: [{ type: 'text', text: 'done' }] }; } }`,
    ),
  ]);
  await servers.setLogLevel('s', 'debug');
  await vi.waitUntil(() => servers.states()[0]!.log.includes('error (db): {"now":"debug"}'), { timeout: 20_000 });
  const conversation = { askQuestions: nobody };
  const run = async (name: string, input: object) => {
    const offer = offerFor({
      model: 'practice',
      agent: builtInAgents[0]!,
      mode: 'ask',
      sources: servers.sources(conversation),
    });
    const found = offer.tools.find(({ tool }) => tool.name === name)!.tool;
    return (await found.execute(input, contextFor(await processSandbox('/tmp')))).output;
  };
  const read = { server: 's', uri: 'x:/a' };
  // What was not read by this conversation is no news.
  expect(await run('s_change', {})).toBe('done');
  expect(await run('read_mcp_resource', read)).toBe('a is 1');
  expect(await run('s_change', {})).toMatch(/^done\n\n\[The server says that this changed since you read it: x:\/a\./);
  expect(await run('read_mcp_resource', read)).toBe('a is 1');
}, 30_000);

test('server-everything: an answer of the model, a page to visit, both ways of asking for it, and a task', async () => {
  const servers = await started([local('all', [process.execPath, program, 'stdio'])]);
  await vi.waitUntil(() => namesOf(servers).includes('all_simulate-research-query'), { timeout: 20_000 });
  const sample: Sample = async () => ({ model: 'a/b', text: 'An answer.', calls: [], finishReason: 'stop' });
  expect(
    await call(servers, 'all_trigger-sampling-request', { prompt: 'Hi' }, nobody, undefined, { sample }),
  ).toContain('An answer.');
  const open: AskQuestions = async () => ({ kind: 'answered', answers: [['I am done']] });
  const url = 'https://example.org/sign-in';
  expect(await call(servers, 'all_trigger-url-elicitation', { url }, open)).toMatch(/accept|complete/i);
  expect(
    await call(servers, 'all_trigger-url-elicitation', { url, errorPath: true, elicitationId: 'x1' }, open),
  ).toMatch(/accept|complete/i);
  expect(await call(servers, 'all_simulate-research-query', { topic: 'bees', ambiguous: false }, open)).toContain(
    'bees',
  );
}, 60_000);

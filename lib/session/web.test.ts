// A page of the web through a whole conversation: the question, what always covers, the answer, and a sub-agent that only looks.
import { expect, test } from 'vitest';
import { practiceModel } from '../agent/practice-model';
import { agentNamed, builtInAgents } from '../registry/agents';
import { builtInSource } from '../registry/built-in-source';
import { offerFor } from '../registry/registry';
import { webSource } from '../registry/web-source';
import { parseInTests } from '../tools/testing-html';
import { setup, texts, tools, until } from './testing';

const web = () => {
  const fetched: string[] = [];
  const source = webSource({
    parseHtml: parseInTests,
    search: async () => '',
    hasSearchKey: () => false,
    fetchPage: async ({ url }) => {
      fetched.push(url);
      const bytes = new TextEncoder().encode('<h1>Hello</h1>');
      return { kind: 'page', url, status: 200, type: 'text/html', bytes };
    },
  });
  return { fetched, sources: () => [builtInSource, source] };
};

test('the practice model fetches a page after the person said yes, and the rest of the host without another question', async () => {
  const { fetched, sources } = web();
  const { session } = await setup(practiceModel(), { sources });
  void session.send('fetch https://example.org/a?b=1');
  await until(() => session.state().asks.length === 1);
  expect(session.state().asks[0]!.request).toMatchObject({ title: 'Fetch example.org/a?b=1', permission: 'webfetch' });
  expect(fetched).toEqual([]);
  session.answer(session.state().asks[0]!.id, { kind: 'always', scope: 'session' });
  await until(() => session.state().status.kind === 'idle');
  expect(tools(session)[0]).toMatchObject({ tool: 'webfetch', state: 'done', title: 'example.org/a?b=1' });
  expect(tools(session)[0]!.output).toContain('# Hello');
  expect(texts(session).at(-1)).toContain('That is what https://example.org/a?b=1 says');
  void session.send('fetch https://example.org/c then fetch https://example.org.evil.org/');
  await until(() => session.state().asks.length === 1);
  expect(session.state().asks[0]!.request.title).toBe('Fetch example.org.evil.org');
  session.answer(session.state().asks[0]!.id, { kind: 'reject' });
  await until(() => session.state().status.kind === 'idle');
  expect(fetched).toEqual(['https://example.org/a?b=1', 'https://example.org/c']);
});

test.each([
  ['build', true],
  ['plan', true],
  ['explore', true],
])('%s has webfetch: %s; a rule of the person takes it away', (name, has) => {
  const agent = agentNamed(builtInAgents, name);
  const request = { model: 'practice', agent, mode: 'ask' as const, sources: web().sources() };
  expect(offerFor(request).tools.some(({ tool }) => tool.name === 'webfetch')).toBe(has);
  const ownRules = [{ permission: 'webfetch', pattern: '*', effect: 'deny' as const }];
  const offer = offerFor({ ...request, ownRules });
  expect(offer.tools.some(({ tool }) => tool.name === 'webfetch')).toBe(false);
  expect(offer.absent).toContainEqual({ name: 'webfetch', source: 'Cloche', why: 'A rule denies webfetch: *.' });
});

test('searches are there when some provider has a key, for those who only look too; else the reason is', () => {
  let hasKey = false;
  const source = webSource({
    parseHtml: parseInTests,
    fetchPage: () => Promise.reject(new Error('not in this test')),
    search: async () => '',
    hasSearchKey: () => hasKey,
  });
  const offer = () =>
    offerFor({ model: 'practice', agent: agentNamed(builtInAgents, 'explore'), mode: 'ask', sources: [source] });
  const why = 'No search provider has a key.';
  expect(offer().absent).toEqual([
    { name: 'codesearch', source: 'Cloche', why },
    { name: 'websearch', source: 'Cloche', why },
  ]);
  hasKey = true;
  expect(offer().tools.map(({ tool }) => tool.name)).toEqual(['codesearch', 'webfetch', 'websearch']);
});

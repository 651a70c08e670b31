import { expect, test } from 'vitest';
import type { McpPrompt, PromptText } from '../../lib/registry/mcp/prompts';
import { defaultTimeouts } from '../../lib/registry/mcp/server-config';
import type { McpServerState } from '../../lib/registry/mcp/server-state';
import {
  givenArguments,
  mentionableResources,
  NotSent,
  promptCommand,
  resourceCalls,
  spokenPrompt,
} from './mcp-spoken';
import { mentionAt, slashAt } from './mention';

const argument = (name: string, required = false) => ({ name, description: '', required });
const review: McpPrompt = {
  server: 'my server',
  name: 'review code',
  description: '',
  arguments: [argument('language', true), argument('focus')],
};

function connected(
  resources: unknown[],
  name = 'docs',
  kind: 'connected' | 'connecting' = 'connected',
): McpServerState {
  return {
    config: {
      kind: 'remote',
      name,
      url: 'https://x.org',
      headers: {},
      oauth: {},
      enabled: true,
      timeouts: defaultTimeouts,
    },
    status: { kind },
    label: '',
    instructions: undefined,
    logs: false,
    tools: [],
    resources,
    resourceTemplates: [],
    prompts: [],
    log: [],
  };
}

function said(...asked: (Record<string, string> | undefined)[]) {
  const got: unknown[] = [];
  const asks: unknown[] = [];
  const speak = (text: string): Promise<PromptText | undefined> =>
    spokenPrompt(
      text,
      {
        prompts: () => [review],
        getPrompt: async (...what) => {
          got.push(what);
          return { text: 'Review it.', media: [] };
        },
      },
      async (_prompt, given) => {
        asks.push(given);
        return asked.shift();
      },
    );
  return { speak, got, asks };
}

test('a prompt is typed by its server and name; its words go to its arguments in order, by name, and the last takes the rest', async () => {
  expect(promptCommand(review)).toBe('my_server:review_code');
  expect(givenArguments(review, 'ts what "is wrong"')).toEqual({ language: 'ts', focus: 'what is wrong' });
  expect(givenArguments(review, 'focus=speed "C #"')).toEqual({ focus: 'speed', language: 'C #' });
  expect(givenArguments({ ...review, arguments: [] }, 'anything')).toEqual({});
  const { speak, got, asks } = said();
  expect((await speak('/my_server:review_code ts'))?.text).toBe('Review it.');
  expect(got).toEqual([['my server', 'review code', { language: 'ts' }]]);
  expect(asks).toEqual([]);
  expect(await speak('/other:review_code ts')).toBeUndefined();
  expect(await speak('say /my_server:review_code ts')).toBeUndefined();
});

test('what is missing is asked for, and leaving the form sends nothing', async () => {
  const { speak, got, asks } = said({ language: 'go' }, undefined);
  await speak('/my_server:review_code');
  expect(got).toEqual([['my server', 'review code', { language: 'go' }]]);
  await expect(speak('/my_server:review_code focus=x')).rejects.toThrow(NotSent);
  expect(asks).toEqual([{}, { focus: 'x' }]);
  expect(got).toHaveLength(1);
});

test('a mentioned resource is read first, once, and only one that a connected server has', () => {
  const states = [
    connected([
      { uri: 'file:///a.md', name: 'a', description: 'The first.\nmore' },
      { uri: 'has space' },
      7,
      { uri: 'x:1' },
    ]),
    connected([{ uri: 'x:1' }], 'gone', 'connecting'),
    connected([{ uri: 'x:1' }], 'with space'),
  ];
  expect(mentionableResources(states).map(({ server, uri, description }) => [server, uri, description])).toEqual([
    ['docs', 'file:///a.md', 'a: The first.'],
    ['docs', 'x:1', ''],
  ]);
  const uris = (text: string) => resourceCalls(text, states).map(({ input }) => input.uri);
  expect(uris('Look at @docs:file:///a.md, and again (@docs:file:///a.md).')).toEqual(['file:///a.md']);
  expect(uris('@docs:x:1 @docs:nope @gone:x:1 me@docs:x:1')).toEqual(['x:1']);
  expect(resourceCalls('@docs:x:1', states)).toEqual([
    { tool: 'read_mcp_resource', input: { server: 'docs', uri: 'x:1' } },
  ]);
});

test('both are completed while they are typed', () => {
  expect(slashAt('/all:sim', 8)).toEqual({ start: 0, query: 'all:sim' });
  expect(mentionAt('see @docs:file:///a', 19)).toEqual({ start: 4, query: 'docs:file:///a' });
});

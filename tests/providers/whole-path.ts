// The whole path with the real provider packages: session → loop → HTTP model → the route → provider package → loopback server.
import 'fake-indexeddb/auto';
import { httpModel } from '@/lib/agent/http-model';
import { createMemorySandbox, type MemoryOptions } from '@/lib/sandbox/memory';
import type { Sandbox } from '@/lib/sandbox/sandbox';
import { createChatRoute } from '@/lib/server/chat';
import { readChatEnvironment } from '@/lib/server/chat-environment';
import type { ToolPart } from '@/lib/session/messages';
import type { SessionOptions } from '@/lib/session/session-options';
import { openSessionStore, type SessionStore } from '@/lib/session/session-store';
import { createSessions } from '@/lib/session/sessions';
import type { Session } from '@/lib/session/types';
import type { WireRequest } from './fake-provider';

/** The key of the host in these tests. */
export const hostKey = 'sk-host-key-that-nobody-sees';

/** One model per wire format. */
export const formats = [
  {
    name: 'Anthropic Messages',
    model: 'anthropic/claude-test',
    path: '/v1/messages',
    key: (request: WireRequest) => request.headers['x-api-key'],
  },
  { name: 'OpenAI Responses', model: 'openai/gpt-5-test', path: '/v1/responses', key: bearer },
  {
    name: 'Google',
    model: 'google/gemini-test',
    path: '/v1/models/gemini-test:streamGenerateContent?alt=sse',
    key: (request: WireRequest) => request.headers['x-goog-api-key'],
  },
  { name: 'OpenAI-compatible chat', model: 'compatible/llama-test', path: '/v1/chat/completions', key: bearer },
] as const;

function bearer(request: WireRequest): string | undefined {
  return request.headers.authorization?.replace('Bearer ', '');
}

export interface WholePath {
  /** Of the loopback server. */
  url: string;
  model: string;
  ownKey?: string;
  env?: Record<string, string>;
  files?: MemoryOptions['files'];
  session?: Partial<SessionOptions>;
  /** What outlives a tab: to open the same project again. */
  world?: { sandbox: Sandbox; store: SessionStore };
}

let database = 0;

/** A new session in mode `auto` whose model is served by the loopback server. `answers`: what the route sent, so far. */
export async function wholePath({ url, model, ownKey, env, files, session: more, world }: WholePath) {
  const baseUrl = `${url}/v1`;
  const route = createChatRoute(
    readChatEnvironment({
      ANTHROPIC_API_KEY: hostKey,
      ANTHROPIC_BASE_URL: baseUrl,
      ANTHROPIC_MODELS: 'claude-test',
      OPENAI_API_KEY: hostKey,
      OPENAI_BASE_URL: baseUrl,
      OPENAI_MODELS: 'gpt-5-test',
      GEMINI_API_KEY: hostKey,
      GOOGLE_BASE_URL: baseUrl,
      GOOGLE_MODELS: 'gemini-test',
      OPENAI_COMPATIBLE_URL: baseUrl,
      OPENAI_COMPATIBLE_API_KEY: hostKey,
      OPENAI_COMPATIBLE_MODELS: 'llama-test,kimi-test,llava-test',
      ...env,
    }),
  );
  const answers: string[] = [];
  // Node 20 collects a Request of which only the signal is still wanted, and then nobody hears of the abort. A server holds its own.
  const asked: Request[] = [];
  const browserFetch: typeof fetch = async (input, init) => {
    const headers = { ...(init!.headers as Record<string, string>), 'sec-fetch-site': 'same-origin' };
    const request = new Request(new URL(input as string, 'http://cloche.localhost:3000'), { ...init, headers });
    asked.push(request);
    const response = await route(request);
    const [seen, passed] = response.body!.tee();
    new Response(seen)
      .text()
      .then((text) => answers.push(text))
      .catch(() => {});
    return new Response(passed, { status: response.status, headers: response.headers });
  };
  const sandbox =
    world?.sandbox ?? (await createMemorySandbox({ files: { 'a.txt': 'alpha\n', 'b.txt': 'beta\n', ...files } }));
  const sessions = await createSessions({
    projectId: 'p',
    defaultModel: model,
    sandbox,
    store: world?.store ?? (await openSessionStore(`providers-${++database}`)),
    resolveModel: (modelId) => httpModel({ modelId, key: () => ownKey, fetch: browserFetch }),
    retryBaseDelayMs: 5,
    ...more,
  });
  const session = await sessions.create();
  session.setMode('auto');
  return { session, sessions, sandbox, route, answers };
}

/** All parts, in order. */
export const parts = (session: Session) => session.state().messages.flatMap((message) => message.parts);
/** All calls, in order. */
export const tools = (session: Session) => parts(session).filter((part): part is ToolPart => part.type === 'tool');
/** All texts, in order. */
export const said = (session: Session) => parts(session).flatMap((part) => (part.type === 'text' ? [part.text] : []));

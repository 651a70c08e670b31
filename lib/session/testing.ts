// For tests: a session on a memory sandbox, a scripted model and a fresh database per test.
import 'fake-indexeddb/auto';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type ScriptedStep, scriptedModel } from '../agent/scripted-model';
import { createMemorySandbox, type MemoryOptions } from '../sandbox/memory';
import { realBash } from '../tools/testing';
import type { ToolPart } from './messages';
import type { SessionOptions } from './session-options';
import { deleteSessionStore, openSessionStore, type SessionStore } from './session-store';
import { createSessions } from './sessions';
import type { Session } from './types';

/** Of the running test. */
export let store: SessionStore;
let number = 0;
beforeEach(async () => {
  store = await openSessionStore(`test-${++number}`);
});
afterEach(async () => {
  store.close();
  await deleteSessionStore(`test-${number}`);
});

/** `script`: the model's steps, or a model. */
export async function setup(
  script: ScriptedStep[] | LanguageModelV4,
  more: Partial<SessionOptions> & { memory?: MemoryOptions } = {},
) {
  const { memory, ...options } = more;
  const sandbox = await createMemorySandbox({ commands: { bash: realBash }, ...memory });
  const model = Array.isArray(script) ? scriptedModel(script) : script;
  const sessions = await createSessions({
    projectId: 'p',
    defaultModel: 'scripted',
    sandbox,
    store,
    resolveModel: () => model,
    retryBaseDelayMs: 1,
    ...options,
  });
  const session = await sessions.create();
  return { sandbox, sessions, session, model: model as ReturnType<typeof scriptedModel> };
}

/** All tool parts, in order. */
export const tools = (session: Session) =>
  session
    .state()
    .messages.flatMap((message) => message.parts)
    .filter((part): part is ToolPart => part.type === 'tool');
/** All texts, in order. */
export const texts = (session: Session) =>
  session
    .state()
    .messages.flatMap((message) => message.parts)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []));
/** The last message. */
export const last = (session: Session) => session.state().messages.at(-1)!;
/** Waits for a condition, at most four seconds. */
export async function until(condition: () => boolean) {
  await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 4000, interval: 5 });
}

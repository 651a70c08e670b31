// What hooks are told and may say, in the page's words. The session has types of the same structure: this folder knows nothing of sessions.

/** The call that a hook is about. */
export interface HookedCall {
  callId: string;
  tool: string;
  sessionId: string;
  agent: string;
}

/** As the session's `evaluatePermission` answers. */
export type HookWord = { effect: 'unchanged' } | { effect: 'ask' | 'deny'; message?: string };

/** What a step asks the provider for. */
export interface HookedSettings {
  temperature?: number;
  topP?: number;
  topK?: number;
  maxOutputTokens?: number;
}

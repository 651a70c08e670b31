// What is known of a server at a moment, as data that views draw from, and how that is said in words.
import type { McpServerConfig } from './server-config';

/** How it is with a server. */
export type McpStatus =
  | { kind: 'disabled' }
  /** The person has not said yet that it may start. */
  | { kind: 'untrusted' }
  | { kind: 'connecting' }
  | { kind: 'connected' }
  /** `retryAtMs`: it is tried again by itself (epoch). */
  | { kind: 'failed'; why: string; retryAtMs?: number }
  | { kind: 'needs-auth'; why: string };

/** Immutable; a new one for every change. Lists hold entries as the server sent them. */
export interface McpServerState {
  config: McpServerConfig;
  status: McpStatus;
  /** Its own name and version; empty until it was connected once. */
  label: string;
  instructions: string | undefined;
  tools: readonly unknown[];
  resources: readonly unknown[];
  resourceTemplates: readonly unknown[];
  prompts: readonly unknown[];
  /** Whether the server can be told how much to write into its log. */
  logs: boolean;
  /** The last lines of its log, of standard error and of what went wrong. */
  log: readonly string[];
}

/** Nothing is known of it yet. */
export function freshState(config: McpServerConfig, status: McpStatus): McpServerState {
  const lists = { tools: [], resources: [], resourceTemplates: [], prompts: [], log: [] };
  return { config, status, label: '', instructions: undefined, logs: false, ...lists };
}

/** Why it can't be called, as a sentence. */
export function whyNot(status: McpStatus): string {
  switch (status.kind) {
    case 'disabled':
      return 'It is turned off.';
    case 'untrusted':
      return 'The person has not allowed it to start.';
    case 'connecting':
      return 'It is still connecting.';
    case 'connected':
      return 'It is connected.';
    case 'failed':
      return status.why;
    case 'needs-auth':
      return `It wants the person to sign in. ${status.why}`;
  }
}

/** A failure of the protocol or the transport in words. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if ((error as { code?: unknown } | null)?.code === -32001) return `It did not answer in time (${message}).`;
  return message;
}

// What a session needs from outside: everything that a test replaces and the page decides.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelChoice } from '../agent/model-list';
import type { Rule } from '../permission/rules';
import type { Sandbox } from '../sandbox/sandbox';
import type { Tool } from '../tools/tool';
import type { SavedSession, SessionStore } from './session-store';

/** What a session needs from outside. */
export interface SessionOptions {
  sandbox: Sandbox;
  store: SessionStore;
  resolveModel(modelId: string): LanguageModelV4;
  priceOf?(modelId: string): ModelChoice['price'];
  /** The project's own rules, read anew for each decision. */
  ownRules?(): readonly Rule[];
  tools?: readonly Tool[];
  /** The project's instructions, when the person trusts it. */
  instructions?(): Promise<string | undefined>;
  /** How long a question waits for an answer. */
  askTimeoutMs?: number;
  retryBaseDelayMs?: number;
  maxSteps?: number;
  /** Called when title or time changed, for the list. */
  onSummary?(session: SavedSession): void;
}

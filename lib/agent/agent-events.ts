// The closed list of what can happen in a turn, in the order in which it happens. The session turns it into message parts.
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { SettledCall, ToolProgress } from '../tools/run-tool';
import type { RetryNotice } from './retry';

/** Provider data that must go back to the same model unchanged. */
export type ProviderEcho = Record<string, Record<string, unknown>>;

export type AgentEvent =
  | { type: 'step-start' }
  | { type: 'text-start' | 'reasoning-start'; id: string; echo?: ProviderEcho }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string; echo?: ProviderEcho }
  | { type: 'text-end' | 'reasoning-end'; id: string; echo?: ProviderEcho }
  | { type: 'tool-input-start'; callId: string; tool: string; echo?: ProviderEcho }
  | { type: 'tool-input-delta'; callId: string; delta: string }
  | { type: 'tool-call'; callId: string; tool: string; inputText: string; echo?: ProviderEcho }
  | { type: 'tool-progress'; callId: string; progress: ToolProgress }
  | { type: 'tool-settled'; callId: string; settled: SettledCall }
  | { type: 'step-finish'; usage: LanguageModelV4Usage }
  | { type: 'retry'; notice: RetryNotice }
  /** A step streams again after a retry. */
  | { type: 'retry-over' }
  | { type: 'notice'; text: string };

// What everything that a turn does is given.
import type { KeptOutputs } from '../tools/kept-outputs';
import type { Desk } from './desk';
import type { ProgramCalls } from './program-calls';
import type { ParentSession, SessionOptions } from './session-options';
import type { SessionRecord } from './session-record';
import type { TurnBudget } from './turn-budget';
import type { TurnTrace } from './turn-trace';

/** What the turns of one session work with. */
export interface TurnContext {
  record: SessionRecord;
  desk: Desk;
  options: SessionOptions;
  parent: ParentSession | undefined;
  trace: TurnTrace;
  budget: TurnBudget;
  outputs: KeptOutputs;
  programs: ProgramCalls;
}

/** Whose call it is, for the desk. */
export interface OwnCall {
  callId: string;
  sessionId: string;
  agent: string;
  rootCallId?: string;
}

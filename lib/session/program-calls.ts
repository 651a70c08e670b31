// Which calls have a program in them, and whose a program's call is: the tool that runs programs is offered before any call is made, and learns
// only later in which turn it runs.
import type { CallFromProgram } from '../tools/execute';
import type { SettledCall } from '../tools/run-tool';

/** The programs of one session. */
export interface ProgramCalls {
  /** While that call runs, `callTool` makes the calls of a program in it. Returns how that ends. */
  open(callId: string, callTool: (call: CallFromProgram) => Promise<SettledCall>): () => void;
  /** Never throws. */
  callTool(call: CallFromProgram): Promise<SettledCall>;
  /** Asks the person something for a call, at the call that they see: for one that a program made, that is the program's, whose clock stands still. */
  whileAsked<T>(callId: string, ask: (shownAt: string) => Promise<T>): Promise<T>;
}

/** Names the `number`th call of the program in a call. */
export function innerCallId(callId: string, number: number): string {
  return `${callId}/${number}`;
}

/** None yet. */
export function createProgramCalls(): ProgramCalls {
  const open = new Map<string, (call: CallFromProgram) => Promise<SettledCall>>();
  const inner = new Map<string, CallFromProgram>();
  return {
    open(callId, callTool) {
      open.set(callId, callTool);
      return () => void open.delete(callId);
    },
    async callTool(call) {
      const callTool = open.get(call.callId);
      if (callTool === undefined) return { state: 'interrupted' };
      const id = innerCallId(call.callId, call.number);
      inner.set(id, call);
      return callTool(call).finally(() => inner.delete(id));
    },
    async whileAsked(callId, ask) {
      const call = inner.get(callId);
      if (call === undefined) return ask(callId);
      call.report({ kind: 'asking' });
      return ask(call.callId).finally(() => call.report({ kind: 'running' }));
    },
  };
}

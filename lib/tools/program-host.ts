// One run of a program over tools, from our side: the budgets, the queue of its calls, and an end that always comes. The program is hostile; it
// can call what it was given, print, and say how it ended, and the first word that makes no sense ends it.
import { isAbortError } from '../std/signals';
import { type ProgramClock, programClock } from './program-clock';
import { heardWord, wordLimits } from './program-words';
import { ToolError } from './tool';

/** What one program may use. Times exclude waiting for the person. */
export interface ProgramBudget {
  wallMs: number;
  calls: number;
  /** Calls at the same time; more wait. */
  concurrent: number;
}

/** The side of a MessagePort that is needed. */
export interface ProgramPort {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

/** Makes one call; throws what ends the program. The clock is stopped while the person is asked. */
export type ProgramCall = (
  call: { number: number; tool: string; input: string },
  signal: AbortSignal,
  clock: ProgramClock,
) => Promise<{ ok: true; value: unknown } | { ok: false; message: string }>;

export interface ProgramRun {
  /** Starts it; what it says comes out of the port. */
  start(): ProgramPort;
  budget: ProgramBudget;
  signal: AbortSignal;
  call: ProgramCall;
}

/** How it ended, and what it printed by then. `calls`: how many it made; `left`: how many of them it did not wait for. */
export interface ProgramEnd {
  end: { kind: 'done'; text?: string } | { kind: 'failed'; message: string };
  printed: string;
  calls: number;
  left: number;
}

/** Runs it to its end: rejects only with what stops the call as a whole. When it settles no call of it runs any more. */
export async function runProgram({ start, budget, signal, call }: ProgramRun): Promise<ProgramEnd> {
  const over = new AbortController();
  const callSignal = AbortSignal.any([signal, over.signal]);
  const running = new Set<Promise<void>>();
  const queue: (() => Promise<void>)[] = [];
  let printed = '';
  let calls = 0;
  let lastId = 0;
  let left = 0;
  const port = start();
  const { promise: ended, resolve, reject } = Promise.withResolvers<ProgramEnd['end']>();
  const fail = (message: string) => resolve({ kind: 'failed', message });
  const clock = programClock(budget.wallMs, () => fail(programErrors.wall(budget.wallMs)));
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });

  function next(): void {
    while (running.size < budget.concurrent && queue.length > 0 && !callSignal.aborted) {
      const work = queue.shift()!().catch(reject);
      running.add(work);
      void work.finally(() => {
        running.delete(work);
        next();
      });
    }
  }

  async function answer(id: number, tool: string, input: string): Promise<void> {
    const number = id;
    const settled = await call({ number, tool, input }, callSignal, clock).catch((error: unknown) => {
      if (over.signal.aborted && isAbortError(error)) return undefined;
      throw error;
    });
    if (settled === undefined || over.signal.aborted) return;
    port.postMessage(settled.ok ? answerOf(id, settled.value) : { id, ...settled });
  }

  port.onmessage = ({ data }) => {
    if (over.signal.aborted) return;
    const word = heardWord(data);
    switch (word?.type) {
      case 'print':
        if (printed.length + word.text.length > wordLimits.print) return fail(programErrors.forged);
        printed += `${word.text}\n`;
        return;
      case 'call': {
        if (word.id !== lastId + 1) return fail(programErrors.forged);
        lastId = word.id;
        if (++calls > budget.calls) return fail(programErrors.calls(budget.calls));
        queue.push(() => answer(word.id, word.tool, word.input));
        return next();
      }
      case 'done':
        return resolve({ kind: 'done', ...(word.text === undefined ? {} : { text: word.text }) });
      case 'failed':
        return fail(word.message);
      case undefined:
        return fail(programErrors.forged);
    }
  };

  try {
    if (signal.aborted) throw signal.reason;
    const end = await ended;
    left = running.size + queue.length;
    return { end, printed, calls: Math.min(calls, budget.calls), left };
  } finally {
    over.abort(new DOMException('The program is over', 'AbortError'));
    port.onmessage = null;
    port.close();
    clock.end();
    signal.removeEventListener('abort', stop);
    await Promise.allSettled(running);
  }
}

function answerOf(id: number, value: unknown): object {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > wordLimits.value) return { id, ok: false, message: programErrors.answer(text.length) };
  return { id, ok: true, value: text };
}

/** Why a program was ended, or why a call of it has no answer. */
export const programErrors = {
  wall: (ms: number) =>
    `The program was stopped after ${ms / 1000} s. Do less in one program, or set timeoutMs (at most 600000); a loop that never ends looks like this too.`,
  calls: (most: number) =>
    `The program was stopped at its call ${most + 1}: it may make ${most}. Filter first (grep, glob), or do it in several programs.`,
  answer: (chars: number) =>
    `The answer has ${chars} characters, more than ${wordLimits.value}. Ask for less: a part of it, or a search in it.`,
  forged: 'The program was stopped: it spoke to Cloche behind the back of tools and console.',
};

/** For tools that run programs: the words of an end as an error. */
export function programFailure(message: string, printed: string): ToolError {
  const tail = printed.length > 8000 ? `…${printed.slice(-8000)}` : printed;
  return new ToolError(tail === '' ? message : `${message}\n\nPrinted before:\n${tail.trimEnd()}`);
}

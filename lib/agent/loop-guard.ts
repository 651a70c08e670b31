// A model that repeats itself burns the whole quota. Identical calls with identical results are counted across steps, so cycles count too:
// at the third the model is told, at the fifth the turn pauses. So are calls of one tool about one file that fail again and again, however they
// differ: that is guessing.
import { stableJson } from '../std/json';

export type GuardVerdict = 'fine' | 'nudge' | 'pause';

const nudgeAt = 3;
const pauseAt = 5;
const remembered = 40;
const failuresToNudge = 4;
const failuresToPause = 8;
/** What differs in every result of the same call: how long it took, and what our own things are called. */
const alwaysDifferent = /(?<!\d)\d+(?:\.\d+)? ?m?s\b|\bses_\w+|\bjob_\d+|\bprocess \d+/g;

export const loopGuardPrompt = {
  nudge:
    '(You have made this same call three times with the same result. It will not change. Do something else, or tell the person what you need.)',
  pause: (tool: string, what: string) => `Paused: ${tool} ${what}. Say how to go on, or try again.`,
  same: 'gave the same result to the same call five times',
  failed: 'failed eight times in a row',
  failing: (times: number) =>
    `(That was failure number ${times} in a row here. Do not guess again: read what is there, do it in another way, or tell the person what you need.)`,
};

/** What to do about a call that has ended. `words`: for the model (`nudge`), or what the tool did (`pause`). */
export interface GuardWord {
  verdict: GuardVerdict;
  words: string;
}

/** A call that has ended. */
export interface EndedCall {
  tool: string;
  input: unknown;
  output: string;
  failed: boolean;
}

export interface LoopGuard {
  see(call: EndedCall): GuardWord;
}

const fine: GuardWord = { verdict: 'fine', words: '' };

/** One per turn; `see` after each settled call. */
export function createLoopGuard(): LoopGuard {
  const calls: string[] = [];
  /** By tool and file: how often in a row. */
  const failures = new Map<string, number>();

  function failing({ tool, input, failed }: EndedCall): GuardWord {
    const about = `${tool}\n${String((input as { path?: unknown } | null)?.path ?? '')}`;
    const times = failed ? (failures.get(about) ?? 0) + 1 : 0;
    failures.set(about, times);
    if (times > 0 && times % failuresToPause === 0) return { verdict: 'pause', words: loopGuardPrompt.failed };
    return times > 0 && times % failuresToNudge === 0
      ? { verdict: 'nudge', words: loopGuardPrompt.failing(times) }
      : fine;
  }

  return {
    see(ended) {
      const { tool, input, output } = ended;
      const call = `${tool}\n${stableJson(input)}\n${output.replace(alwaysDifferent, '')}`;
      calls.push(call);
      if (calls.length > remembered) calls.shift();
      const count = calls.filter((other) => other === call).length;
      const failure = failing(ended);
      if (count >= pauseAt) return { verdict: 'pause', words: loopGuardPrompt.same };
      if (failure.verdict === 'pause') return failure;
      return count === nudgeAt ? { verdict: 'nudge', words: loopGuardPrompt.nudge } : failure;
    },
  };
}

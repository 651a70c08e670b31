// A model that repeats itself burns the whole quota. Identical calls with identical results are counted across steps, so cycles count too:
// at the third the model is told, at the fifth the turn pauses.
import { stableJson } from '../std/json';

export type GuardVerdict = 'fine' | 'nudge' | 'pause';

const nudgeAt = 3;
const pauseAt = 5;
const remembered = 40;

export const loopGuardPrompt = {
  nudge:
    '(You have made this same call three times with the same result. It will not change. Do something else, or tell the person what you need.)',
  pause: 'Paused: the same call was made five times with the same result. Say how to go on, or try again.',
};

export interface LoopGuard {
  see(tool: string, input: unknown, output: string): GuardVerdict;
}

/** One per turn; `see` after each settled call. */
export function createLoopGuard(): LoopGuard {
  const calls: string[] = [];
  return {
    see(tool, input, output) {
      // Durations differ in every run of the same command.
      const result = output.replace(/\d+(\.\d+)? ?m?s\b/g, '');
      const call = `${tool}\n${stableJson(input)}\n${result}`;
      calls.push(call);
      if (calls.length > remembered) calls.shift();
      const count = calls.filter((other) => other === call).length;
      return count >= pauseAt ? 'pause' : count === nudgeAt ? 'nudge' : 'fine';
    },
  };
}

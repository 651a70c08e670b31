// A worker in which a program of ours (the shell, an applet) has come to a clean end runs the next one: booting another costs ten times what most of
// them take. Only ever ours: no code of a guest has run in such a worker, and none ever will.
import type { ProcessEnvironment } from './environment';

/** After so many the worker ends: what they have left in memory goes with it. */
const MAX_RUNS = 200;

/** Programs of ours that this worker has run. */
let runs = 0;

/** Counts a program of ours that starts; true for the first. */
export function isFirstRun(): boolean {
  return ++runs === 1;
}

/** Whether nothing of the program that ends now is left in this worker but memory. */
export function canRunAnother({ nodeLoop, process, state }: ProcessEnvironment): boolean {
  const hearsSignals = process.eventNames().some((name: string | symbol) => String(name).startsWith('SIG'));
  return runs < MAX_RUNS && nodeLoop.isEmpty() && !hearsSignals && state.env.TZ === undefined;
}

/** Takes away what the program before has left in `state`, and lib's memory of its folder. */
export function forgetProgram({ nodeLoop, process, state }: ProcessEnvironment): void {
  if (runs === 0) return;
  process.chdir('/');
  for (const name of Object.keys(state.env)) delete state.env[name];
  nodeLoop.resume();
}

// Who an async function's promise belongs to. A run of one announces itself just before its promise reaches the caller (at its first await, or as it
// ends without one), and the call that gets the promise claims what was announced last. Calls that await at once claim nothing and pay nothing.
import { hooks, tellOfCall, tellOfShort } from '../modules/promise-hooks';
import { type Activation, FULFILLED, PENDING, REJECTED } from './activation';
import { countRejection, following, isPlain, recordCourse, recordThrower } from './promise-states';

const NOTHING = 0;
const RUNNING = 1;
const RETURNED = 2;
const THREW = 3;

let announced = NOTHING;
/** The run, what it returned or what it threw. */
let subject: unknown;

/** A run of an async function waits for the first time. */
export function announceRunning(run: Activation): void {
  run.state = PENDING;
  announced = RUNNING;
  subject = run;
}

/** One has returned without having waited. */
export function announceReturned(value: unknown): void {
  if (hooks) tellOfShort();
  announced = RETURNED;
  subject = value;
}

/** One has thrown without having waited. */
export function announceThrown(error: unknown): void {
  countRejection();
  recordThrower(error);
  if (hooks) tellOfShort();
  announced = THREW;
  subject = error;
}

/** What was announced is not the promise that the next call returns. */
export function forgetAnnounced(): void {
  announced = NOTHING;
}

/** Returns what a call gave, and notes how it settles if it is the promise of the async function that was announced. */
export function claim(value: unknown): unknown {
  if (announced !== NOTHING) claimAnnounced(value);
  return value;
}

function claimAnnounced(value: unknown): void {
  const what = announced;
  const found = subject;
  announced = NOTHING;
  subject = undefined;
  if (!isPlain(value)) return;
  if (hooks) tellOfCall(value, what === RUNNING ? (found as Activation) : undefined);
  if (what === RUNNING) recordCourse(value, found as Activation);
  else if (what === THREW) recordCourse(value, { state: REJECTED, value: found });
  else if (isPlain(found)) recordCourse(value, following(found));
  else recordCourse(value, { state: FULFILLED, value: found });
}

// What is known of promises without waiting. No browser tells the state of a promise synchronously, and the only way to ask (then)
// would mark a rejection as handled. So what makes, settles, awaits or follows promises writes down what it sees (async-context.ts, rewrite.ts);
// the rest is unknown. No reaction is ever added: V8's async stack traces end at a promise with two of them.

import { currentFrame } from '../modules/context-frame';
import {
  Activation,
  type Course,
  DERIVED,
  FOLLOWS,
  FOLLOWS_FULFILMENT,
  FOLLOWS_REJECTION,
  FULFILLED,
  PENDING,
  REJECTED,
} from './activation';

/** How a promise settled. */
export interface Settled {
  rejected: boolean;
  value: unknown;
}

/** Returning an object from a base constructor puts the derived class's private fields on that object. */
const Marked = function same(promise: object) {
  return promise;
} as unknown as new (
  promise: object,
) => object;

/** Promises can follow one another in a circle. */
const MOST_STEPS = 10_000;

/**
 * The note is one private field on the promise itself: 6 ns, where a second field costs as much again, asking first whether it is there 15 ns, and
 * a WeakMap with as many short-lived keys 1,500 ns.
 */
class Note extends Marked {
  #course: Course;

  constructor(promise: object, course: Course) {
    super(promise);
    this.#course = course;
  }

  static of(promise: object): Course | undefined {
    return #course in promise ? promise.#course : undefined;
  }

  static replace(promise: object, course: Course): void {
    if (#course in promise) promise.#course = course;
  }
}

/** The async context frames in which promises were rejected. */
const rejectedIn = new WeakMap<object, unknown>();

/** The frame in which `promise` was rejected with `reason`, as far as it is known. */
export function frameOfRejection(promise: object, reason: unknown): unknown {
  const course = Note.of(promise);
  if (course instanceof Activation) return course.frame;
  return rejectedIn.get(promise) ?? rejectedIn.get(reason as object);
}

/** An async function of whose promise nothing is known has thrown `error`. */
export function recordThrower(error: unknown): void {
  const frame = currentFrame();
  if (frame !== undefined && typeof error === 'object' && error !== null) rejectedIn.set(error, frame);
}

/** Writes the first note on a promise that has probably none. */
let rejections = 0;

/** Grows with every rejection that is noted: a browser tells of one that nobody handles only in a task of its own. */
export function rejectionCount(): number {
  return rejections;
}

/** An async function has thrown. */
export function countRejection(): void {
  rejections++;
}

function begin(promise: object, state: number, value: unknown): void {
  if (state === REJECTED) rejections++;
  const course = { state, value };
  try {
    new Note(promise, course);
  } catch {
    Note.replace(promise, course);
  }
}

function write(promise: object, state: number, value: unknown): void {
  if (state === REJECTED) rejections++;
  const course = Note.of(promise);
  if (!course) new Note(promise, { state, value });
  else if (course instanceof Activation) Note.replace(promise, { state, value });
  else {
    course.state = state;
    course.value = value;
  }
}

/** Writes it also on what the promise has followed: that settled the same way. */
function settle(promise: object, state: number, value: unknown): void {
  const course = Note.of(promise);
  const had = course?.state;
  const followed = course?.value;
  if (had === REJECTED || (had === FULFILLED && followed === value)) return;
  write(promise, state, value);
  if (had === FOLLOWS || had === (state === REJECTED ? FOLLOWS_REJECTION : FOLLOWS_FULFILMENT))
    settle(followed as object, state, value);
}

/** What is known by now of how `promise` settled. */
function read(promise: object): Settled | undefined {
  let at = promise;
  let only = FOLLOWS;
  for (let step = 0; step < MOST_STEPS; step++) {
    const course = Note.of(at);
    if (!course) return undefined;
    const { state, value } = course;
    const outcome =
      state === DERIVED ? (value as () => Settled | undefined)() : { rejected: state === REJECTED, value };
    if (state <= REJECTED || state === DERIVED) {
      const isOther = only === (outcome?.rejected ? FOLLOWS_FULFILMENT : FOLLOWS_REJECTION);
      return isOther ? undefined : outcome;
    }
    if (state > FOLLOWS_FULFILMENT) return undefined;
    if (state !== FOLLOWS) {
      // A promise that follows the one outcome of what follows the other alone.
      if (only !== FOLLOWS && only !== state) return undefined;
      only = state;
    }
    at = value as object;
  }
  return undefined;
}

const apply = Reflect.apply;
const getDescriptor = Reflect.getOwnPropertyDescriptor;
const getPrototypeOf = Object.getPrototypeOf;

/** Whether a promise resolved with `value` waits for it; undefined when only running the guest's code could tell. */
function isThenable(value: unknown): boolean | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  for (let at: object | null = value; at !== null; at = getPrototypeOf(at)) {
    const found = getDescriptor(at, 'then');
    if (found) return 'value' in found ? typeof found.value === 'function' : undefined;
  }
  return false;
}

/** The outcome of a promise that `trackPromises` or `recordSettled` saw settle; undefined when unknown. */
export function settledState(promise: object): Readonly<Settled> | undefined {
  const note = read(promise);
  // An object with a then may not have settled yet: its promise counts as unknown.
  return note && (note.rejected || isThenable(note.value) === false) ? note : undefined;
}

const PromisePrototype = Promise.prototype;
const nativeThen = PromisePrototype.then;
const settled = Promise.resolve();

/** Calls `then` with the microtasks that this many native reactions take, and no reaction of anyone's promise. */
export function after(ticks: number, then: () => void): void {
  let at: unknown = settled;
  for (let tick = 1; tick < ticks; tick++) at = apply(nativeThen, at, []);
  apply(nativeThen, at, [then]);
}

/** Whether `value` is a promise whose class adds nothing: awaiting it and asking its outcome run none of the guest's code. */
export function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && getPrototypeOf(value) === PromisePrototype;
}

/** Records the outcome of a promise that the engine itself settled or heard of. */
export function recordSettled(promise: object, rejected: boolean, value: unknown): void {
  settle(promise, rejected ? REJECTED : FULFILLED, value);
}

/** Records that an await of `awaited` gave or threw `value`, if it is a promise and not a thenable. */
export function recordAwaited(awaited: unknown, value: unknown, thrown = false): void {
  if (isPlain(awaited)) settle(awaited, thrown ? REJECTED : FULFILLED, value);
}

/**
 * Records that `promise` was resolved with `value`: it is fulfilled, or will do as the promise `value` does. `soon`: V8 hears of it only
 * when the caller returns. `isNew`: nothing is known of `promise` yet.
 */
export function recordResolved(promise: object, value: unknown, soon = false, isNew = false): void {
  if (!isPlain(value)) (isNew ? begin : write)(promise, FULFILLED, value);
  else if (value !== promise) {
    // Not before the microtasks in which V8 asks the other promise and hears its answer.
    after(soon ? 3 : 2, () => write(promise, FOLLOWS, value));
  }
}

/** Records that the reaction whose promise `derived` is has thrown. */
export function recordThrown(derived: object, error: unknown, frame = currentFrame()): void {
  if (frame !== undefined) rejectedIn.set(derived, frame);
  write(derived, REJECTED, error);
}

/** Records that `derived` is what a `then` on `source` made that lacks a reaction to its fulfilment or rejection. */
export function recordPassing(derived: object, source: object, fulfils: boolean, rejects: boolean): void {
  if (fulfils && rejects) return;
  begin(derived, fulfils ? FOLLOWS_REJECTION : rejects ? FOLLOWS_FULFILMENT : FOLLOWS, source);
}

/** Says how `promise` settles, unless something is known of that already. */
export function recordCourse(promise: object, course: Course): void {
  try {
    new Note(promise, course);
  } catch {
    // It has a note.
  }
}

/** Records that the outcome of `promise` is what `derive` says when it is asked. */
export function recordDerived(promise: object, derive: () => Settled | undefined): void {
  write(promise, DERIVED, derive);
}

/** Records that `promise` does as `source` does. */
export function recordFollowing(promise: object, source: object): void {
  write(promise, FOLLOWS, source);
}

/** Records that the run of an async function has returned `value`. */
export function settleActivation(run: Activation, value: unknown): void {
  if (isPlain(value)) following(value, run);
  else {
    run.state = FULFILLED;
    run.value = value;
  }
}

/** The course of the promise of an async function that is about to return the promise `value`; that of `run` where it has one. */
export function following(value: object, run: Course = { state: PENDING, value: undefined }): Course {
  run.state = PENDING;
  after(3, () => {
    run.state = FOLLOWS;
    run.value = value;
  });
  return run;
}

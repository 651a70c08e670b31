// What is known of how a promise settles, and what a run of an async function tells of its own: no browser shows the promise of a running async
// function, so the rewritten function keeps its outcome here, and whoever receives its promise links the two (promise-claims.ts).

export const FULFILLED = 0;
export const REJECTED = 1;
/** Settles as the promise in `value` does. */
export const FOLLOWS = 2;
/** The same where that rejects; where it fulfils, something else tells. */
export const FOLLOWS_REJECTION = 3;
export const FOLLOWS_FULFILMENT = 4;
/** The function in `value` derives the outcome from those of others. */
export const DERIVED = 5;
export const PENDING = 6;
/** The run has not waited yet: nobody has its promise. */
export const FRESH = 7;

/** How a promise settles, as one of the numbers above says; `value` is the promise's, its reason, or what the number means. */
export interface Course {
  state: number;
  value: unknown;
}

/** A run of an async function that has awaited: the course of its promise. */
export class Activation implements Course {
  state: number;
  value: unknown = undefined;
  /** The async context frame at its last await. */
  frame: unknown = undefined;
  /** What it waits for, or WAITING; undefined while it runs. */
  awaited: unknown = undefined;
  /** Of an async generator: calls of `next` and its siblings that it has not answered, and whether it hands them on. */
  requests = 0;
  delegates = false;
  /** It has waited in ways of the language's own (`for await`) that do not tell when they go on. */
  isUntold = false;

  constructor(state: number) {
    this.state = state;
  }
}

/** Stands in `awaited` for what need not be known. */
export const WAITING = Symbol('waiting');

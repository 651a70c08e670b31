// The functions of the realm's Promise that make promises, each noting what it knows of what it made (promise-states.ts).
import { inThisFrame } from '../modules/context-frame';
import { hooks } from '../modules/promise-hooks';
import { claim, forgetAnnounced } from './promise-claims';
import {
  after,
  isPlain,
  recordDerived,
  recordFollowing,
  recordResolved,
  recordThrown,
  type Settled,
  settledState,
} from './promise-states';
import { detailsOf } from './proxy-registry';

const { apply } = Reflect;

type Settle = (value?: unknown) => void;

let onSettledAgain: ((promise: object, value: unknown, isRejection: boolean) => void) | undefined;

/** `told` hears of each call that settles a promise which was settled or resolved before. */
export function tellOfSettledAgain(told: typeof onSettledAgain): void {
  onSettledAgain = told;
}

/** What stands for the functions that settle `promise`; anonymous and of one parameter, as they are. */
function recording(promise: object, resolve: Settle, reject: Settle): [resolve: Settle, reject: Settle] {
  let done = false;
  return [
    (value) => {
      const isFirst = !done;
      done = true;
      resolve(isFirst ? inThisFrame(value) : value);
      if (!isFirst) {
        onSettledAgain?.(promise, value, false);
        return;
      }
      recordResolved(promise, value, false, true);
      hooks?.settled?.(promise);
    },
    (reason) => {
      if (!done) {
        done = true;
        recordThrown(promise, reason);
        hooks?.settled?.(promise);
      } else onSettledAgain?.(promise, reason, true);
      reject(reason);
    },
  ];
}

/** The name of the frame that stands for the real constructor's in stack traces (stack-trace.ts). */
export const CONSTRUCTOR_NAME = 'Promise';

/** Returns what `new` is applied to where the text says `new Promise`: for the realm's own class a constructor that records. */
export function recordingConstructor(PromiseClass: PromiseConstructor): (named: unknown) => unknown {
  function construct(executor: (resolve: Settle, reject: Settle) => void): object {
    if (typeof executor !== 'function') return new PromiseClass(executor as never);
    let resolve: unknown;
    let reject: unknown;
    const promise = new PromiseClass((first, second) => {
      resolve = first;
      reject = second;
    });
    hooks?.init?.(promise);
    const given = recording(promise, resolve as Settle, reject as Settle);
    try {
      executor(given[0], given[1]);
    } catch (error) {
      given[1](error);
    }
    // An executor may be an async function, whose promise nobody gets.
    forgetAnnounced();
    return promise;
  }
  Object.defineProperty(construct, 'name', { value: CONSTRUCTOR_NAME });
  return (named) => (named === PromiseClass ? construct : named);
}

/** How each of these settles when its inputs have; undefined while that is open, or when only the order in which they settled would tell. */
const COMBINED: Record<string, (inputs: (Settled | undefined)[]) => Settled | undefined> = {
  all: (inputs) => firstOf(inputs, true) ?? whenAll(inputs, ({ value }) => value),
  allSettled: (inputs) =>
    whenAll(inputs, ({ rejected, value }) =>
      rejected ? { status: 'rejected', reason: value } : { status: 'fulfilled', value },
    ),
  any: (inputs) => firstOf(inputs, false),
  race: (inputs) => firstOf(inputs, true) ?? firstOf(inputs, false),
};

function firstOf(inputs: (Settled | undefined)[], rejected: boolean): Settled | undefined {
  return inputs.find((input) => input?.rejected === rejected);
}

function whenAll(inputs: (Settled | undefined)[], show: (input: Settled) => unknown): Settled | undefined {
  const values: unknown[] = [];
  for (const input of inputs) {
    if (!input) return undefined;
    values.push(show(input));
  }
  return { rejected: false, value: values };
}

/** Notes that `promise` combines `given`, of which nothing of the guest's is asked. */
function recordCombined(promise: object, given: readonly unknown[], combine: (typeof COMBINED)[string]): void {
  let isHeard = given.length === 0;
  after(1, () => {
    isHeard = true;
  });
  recordDerived(promise, () =>
    isHeard
      ? combine(given.map((each) => (isPlain(each) ? settledState(each) : { rejected: false, value: each })))
      : undefined,
  );
}

/** Replaces the functions of `Promise` that make promises by recording ones. Call it before lib copies them into its primordials. */
export function trackPromises(PromiseClass: PromiseConstructor): void {
  const { resolve, reject, withResolvers, try: attempt } = PromiseClass as any;
  const methods = {
    resolve(this: unknown, ...args: [unknown?]) {
      const value = args[0];
      const promise = apply(resolve, this, this === PromiseClass ? [inThisFrame(value)] : args) as object;
      if (this === PromiseClass && promise !== value) {
        recordResolved(promise, value, false, true);
        tellOfSettled(promise);
      }
      return promise;
    },
    reject(this: unknown, ...args: [unknown?]) {
      const promise = apply(reject, this, args) as object;
      if (this !== PromiseClass) return promise;
      recordThrown(promise, args[0]);
      tellOfSettled(promise);
      return promise;
    },
    withResolvers(this: unknown) {
      const made = apply(withResolvers, this, []) as PromiseWithResolvers<unknown>;
      if (this !== PromiseClass) return made;
      hooks?.init?.(made.promise);
      [made.resolve, made.reject] = recording(made.promise, made.resolve, made.reject);
      return made;
    },
    try(this: unknown, callback: unknown, ...args: unknown[]) {
      if (this !== PromiseClass || typeof callback !== 'function') return apply(attempt, this, [callback, ...args]);
      let outcome: Settled | undefined;
      const run = (): unknown => {
        try {
          const value = claim(apply(callback as never, undefined, args));
          outcome = { rejected: false, value };
          return value;
        } catch (error) {
          outcome = { rejected: true, value: error };
          throw error;
        }
      };
      const promise = apply(attempt, PromiseClass, [run]) as object;
      if (outcome?.rejected) recordThrown(promise, outcome.value);
      else if (outcome) recordResolved(promise, outcome.value);
      tellOfSettled(promise);
      return promise;
    },
  };
  for (const name of ['resolve', 'reject', 'withResolvers', 'try'] as const) replace(PromiseClass, name, methods[name]);
  for (const name of Object.keys(COMBINED)) {
    const original = (PromiseClass as any)[name];
    const combine = COMBINED[name] as (typeof COMBINED)[string];
    const method = {
      [name](this: unknown, ...args: [unknown?]) {
        const list = args[0];
        const given = this === PromiseClass && Array.isArray(list) && !detailsOf(list) ? [...list] : undefined;
        const promise = apply(original, this, args) as object;
        if (given) recordCombined(promise, given, combine);
        if (this === PromiseClass) hooks?.init?.(promise);
        return promise;
      },
    };
    replace(PromiseClass, name, method[name] as Function);
  }
}

/**
 * Replaces `finally` by a recording one that calls its callback as `inFrame` does. What it gives does as its promise does once the callback is done, unless that throws or
 * gives a promise that rejects.
 */
export function trackFinally(PromiseClass: PromiseConstructor, inFrame: (callback: Function) => () => unknown): void {
  const original = PromiseClass.prototype.finally;
  const method = {
    finally(this: Promise<unknown>, callback?: unknown) {
      claim(this);
      if (!isPlain(this) || typeof callback !== 'function') return apply(original, this, [callback]);
      const call = inFrame(callback);
      const called = (): unknown => {
        let result: unknown;
        try {
          result = claim(call());
        } catch (error) {
          recordThrown(derived, error);
          throw error;
        }
        if (!isPlain(result)) after(3, () => recordFollowing(derived, this));
        else {
          const given = result;
          recordDerived(derived, () => {
            const outcome = settledState(given);
            return outcome?.rejected ? outcome : outcome && settledState(this);
          });
        }
        return result;
      };
      const derived = apply(original, this, [called]) as object;
      return derived;
    },
  };
  replace(PromiseClass.prototype, 'finally', method.finally);
}

function tellOfSettled(promise: object): void {
  hooks?.init?.(promise);
  hooks?.settled?.(promise);
}

function replace(holder: object, name: string, replacement: Function): void {
  const original = (holder as any)[name] as Function | undefined;
  if (!original) return;
  Object.defineProperty(replacement, 'length', { configurable: true, value: original.length });
  Object.defineProperty(holder, name, { configurable: true, writable: true, enumerable: false, value: replacement });
}

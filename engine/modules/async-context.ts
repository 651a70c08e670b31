// The async context frame: one variable per process, saved by every promise reaction and await, restored when it continues. Browsers keep
// V8's own continuation data to themselves, so promise reactions are wrapped and awaits rewritten (rewrite.ts).
import { Activation, FRESH, PENDING, REJECTED, WAITING } from '../process/activation';
import { announceReturned, announceRunning, announceThrown, claim, forgetAnnounced } from '../process/promise-claims';
import { recordingConstructor, trackFinally } from '../process/promise-makers';
import {
  countRejection,
  recordAwaited,
  recordPassing,
  recordResolved,
  recordSettled,
  recordThrown,
  settleActivation,
} from '../process/promise-states';
import { installAsyncIteration } from './async-iteration';
import { frame, inThisFrame, runInFrame, setCurrentFrame } from './context-frame';
import { NAME } from './names';
import { hooks, passOutcome, tellOfEnd, tellOfReaction, tellOfResume, tellOfWait } from './promise-hooks';

/** A call of `then`: the frame it was made in, its promise and the one it made (where nothing of the guest is asked for it). */
interface Reacting {
  readonly saved: unknown;
  readonly source: object;
  derived: object | undefined;
  /** It has both reactions. */
  isWhole: boolean;
}

/** Wraps promise reactions and defines what rewritten code calls. Before primordials are captured. */
export function installAsyncContext(): void {
  const { getPrototypeOf } = Object;
  const PromisePrototype = Promise.prototype;
  const originalThen = PromisePrototype.then;
  const sourceOf = Function.prototype.toString;
  /**
   * V8 knows reactions of its own (Promise.all's, those of a promise that follows) by identity and shows async frames for them. They come in
   * pairs, and asking is slow.
   */
  const areNative = (onFulfilled: unknown, onRejected: unknown): boolean =>
    typeof onRejected === 'function' &&
    typeof onFulfilled === 'function' &&
    onFulfilled.name === '' &&
    onFulfilled.length === 1 &&
    sourceOf.call(onFulfilled) === 'function () { [native code] }';
  const inFrame = (saved: unknown, reaction: Function, value: unknown): unknown => {
    const outer = frame;
    setCurrentFrame(saved);
    try {
      return reaction(value);
    } finally {
      setCurrentFrame(outer);
    }
  };
  const react = (reaction: Function, value: unknown, { saved, derived, isWhole }: Reacting): unknown => {
    let result: unknown;
    try {
      result = claim(saved === frame ? reaction(value) : inFrame(saved, reaction, value));
    } catch (error) {
      if (derived) recordThrown(derived, error, saved);
      throw error;
    }
    if (derived) recordResolved(derived, result, true, isWhole);
    return saved === undefined ? result : runInFrame(saved, () => inThisFrame(result));
  };
  // What it returns has no name to be kept by the bundler, which would cost more than all the rest.
  const wrap = (given: unknown, rejected: boolean, made: Reacting): unknown => {
    const reaction = hooks && typeof given !== 'function' ? passOutcome(rejected) : given;
    if (typeof reaction !== 'function') return reaction;
    return (value: unknown) => {
      recordSettled(made.source, rejected, value);
      return hooks && made.derived
        ? tellOfReaction(made.derived, () => react(reaction, value, made))
        : react(reaction, value, made);
    };
  };
  // A method, so that it is no constructor, as the original.
  const { then } = {
    // biome-ignore lint/suspicious/noThenProperty: this is Promise.prototype.then
    then(this: Promise<unknown>, onFulfilled?: unknown, onRejected?: unknown) {
      if (!hooks && areNative(onFulfilled, onRejected))
        return originalThen.call(this, onFulfilled as any, onRejected as any);
      claim(this);
      const made: Reacting = { saved: frame, source: this, derived: undefined, isWhole: false };
      const derived = originalThen.call(
        this,
        wrap(onFulfilled, false, made) as any,
        wrap(onRejected, true, made) as any,
      );
      if (getPrototypeOf(derived) === PromisePrototype) {
        made.derived = derived;
        hooks?.init?.(derived, this);
        const [fulfils, rejects] = [typeof onFulfilled === 'function', typeof onRejected === 'function'];
        made.isWhole = fulfils && rejects;
        recordPassing(derived, this, fulfils, rejects);
      }
      return derived;
    },
  };
  Object.defineProperty(Promise.prototype, 'then', {
    value: then,
    writable: true,
    configurable: true,
    enumerable: false,
  });

  trackFinally(Promise, (callback) => {
    const saved = frame;
    return () => inFrame(saved, callback, undefined);
  });
  installRuns();
  installAsyncIteration();
}

/** The async function `called` as one that notes its promises, for a caller that does not. */
function claiming(called: unknown): unknown {
  if (typeof called !== 'function') return called;
  function mapped(this: unknown): unknown {
    // biome-ignore lint/complexity/noArguments: rest parameters would be an array more
    return claim(Reflect.apply(called as Function, this, arguments));
  }
  Object.defineProperty(mapped, 'name', { value: called.name, configurable: true });
  Object.defineProperty(mapped, 'length', { value: called.length, configurable: true });
  Object.setPrototypeOf(mapped, Object.getPrototypeOf(called));
  return mapped;
}

/** What rewritten async functions call (async-functions.ts says where). */
function installRuns(): void {
  const hidden = (name: string, value: unknown): void => {
    Object.defineProperty(globalThis, name, { value, writable: false, enumerable: false, configurable: false });
  };
  hidden(NAME.begin, () => new Activation(FRESH));
  hidden(NAME.quiet, () => new Activation(PENDING));
  const wait = (value: unknown, run: Activation): unknown => {
    run.frame = frame;
    run.awaited = WAITING;
    if (hooks) tellOfWait(run, claim(value));
    if (run.state === FRESH) announceRunning(run);
    else forgetAnnounced();
    return value;
  };
  hidden(NAME.wait, (value: unknown, run: Activation) => inThisFrame(wait(value, run)));
  hidden(NAME.hold, (value: unknown, run: Activation) => {
    wait(value, run);
    run.awaited = value;
    return inThisFrame(value);
  });
  hidden(NAME.each, (value: unknown, run: Activation) => {
    run.isUntold = true;
    return wait(value, run);
  });
  hidden(NAME.resume, (value: unknown, run: Activation) => {
    setCurrentFrame(run.frame);
    run.awaited = undefined;
    if (hooks) tellOfResume(run);
    forgetAnnounced();
    return value;
  });
  hidden(NAME.told, (value: unknown, run: Activation) => {
    setCurrentFrame(run.frame);
    recordAwaited(run.awaited, value);
    run.awaited = undefined;
    if (hooks) tellOfResume(run);
    forgetAnnounced();
    return value;
  });
  hidden(NAME.restore, (run: Activation) => {
    setCurrentFrame(run.frame);
    run.awaited = undefined;
    if (hooks) tellOfResume(run);
    forgetAnnounced();
  });
  const caught = (run: Activation | undefined, error: unknown): void => {
    if (run === undefined) return;
    const { awaited } = run;
    if (awaited === undefined && !run.isUntold) return;
    run.awaited = undefined;
    setCurrentFrame(run.frame);
    if (hooks) tellOfResume(run);
    forgetAnnounced();
    if (awaited !== undefined && awaited !== WAITING) recordAwaited(awaited, error, true);
  };
  hidden(NAME.caught, caught);
  // What is thrown now may have taken the place of what an await has thrown.
  hidden(NAME.finally, (run: Activation | undefined) => {
    if (run && run.awaited !== undefined) run.awaited = WAITING;
    caught(run, undefined);
  });
  const returns = (given: unknown, run: Activation | undefined): unknown => {
    const value = claim(given);
    if (run === undefined) announceReturned(value);
    else {
      if (hooks) tellOfEnd(run);
      if (run.state === PENDING) settleActivation(run, value);
    }
    return inThisFrame(value);
  };
  hidden(NAME.returns, returns);
  hidden(NAME.throws, (error: unknown, run: Activation | undefined) => {
    if (run === undefined) announceThrown(error);
    else {
      if (run.awaited !== undefined && run.awaited !== WAITING) recordAwaited(run.awaited, error, true);
      if (hooks) {
        tellOfResume(run);
        tellOfEnd(run);
      }
      run.state = REJECTED;
      run.value = error;
      countRejection();
    }
    return error;
  });
  hidden(NAME.claim, claim);
  hidden(NAME.mapped, claiming);
  hidden(NAME.drop, (value: unknown) => {
    forgetAnnounced();
    return value;
  });
  hidden(NAME.promise, recordingConstructor(Promise));
}

// Hooks on the life of promises (V8's Context::SetPromiseHooks), told by those places that make, await and settle promises. A run of an async
// function has no promise that anybody could show before its caller has it: until then an empty one stands for it, and ids pass on to the real one.
import type { Activation } from '../process/activation';

type Hook = (promise: object, parent?: object) => void;

/** What lib or a program wants to hear; undefined where nobody listens at all. */
interface Hooks {
  init?: Hook;
  before?: Hook;
  after?: Hook;
  settled?: Hook;
}

/** The run of an async function, as hooks know it. */
interface Told {
  /** Stands for its promise. */
  promise: object;
  /** The promise of the await that it waits in, and of the one after which it runs. */
  waiting: object | undefined;
  open: object | undefined;
}

export let hooks: Hooks | undefined;

const NativePromise = Promise;
const runs = new WeakMap<Activation, Told>();
let identity: symbol[] = [];
/** Stands for the promise of the call that ended last without having waited. */
let ended: object | undefined;

/** In V8's order; undefined where there is none. */
export function setPromiseHooks([init, before, after, settled]: unknown[]): void {
  hooks = [init, before, after, settled].some(Boolean) ? ({ init, before, after, settled } as Hooks) : undefined;
}

/** The symbols of async_hooks' ids, which a promise takes over from what stood for it. */
export function passOn(symbols: symbol[]): void {
  identity = symbols;
}

const empty = (): object => new NativePromise(() => {});

/** The reaction that a `then` without one has. */
export const passOutcome = (rejected: boolean) => (value: unknown) => {
  if (rejected) throw value;
  return value;
};

/** Runs the reaction that settles `derived`. */
export function tellOfReaction(derived: object, react: () => unknown): unknown {
  hooks?.before?.(derived);
  try {
    return react();
  } finally {
    hooks?.settled?.(derived);
    hooks?.after?.(derived);
  }
}

/** Somebody has got the promise of an async function: of `run`, or of the call that never waited. */
export function tellOfCall(promise: object, run: Activation | undefined): void {
  const stood: any = run ? runs.get(run)?.promise : ended;
  ended = undefined;
  if (stood) for (const symbol of identity) if (symbol in stood) (promise as any)[symbol] = stood[symbol];
}

/** An async function has ended without having waited. */
export function tellOfShort(): void {
  ended = empty();
  hooks?.init?.(ended);
  hooks?.settled?.(ended);
}

/** A run begins to wait. */
export function tellOfWait(run: Activation, value: unknown): void {
  let told = runs.get(run);
  if (!told) {
    runs.set(run, (told = { promise: empty(), waiting: undefined, open: undefined }));
    hooks?.init?.(told.promise);
  }
  let awaited = value;
  if (!(awaited instanceof NativePromise)) {
    awaited = empty();
    hooks?.init?.(awaited as object, told.promise);
    hooks?.settled?.(awaited as object);
  }
  told.waiting = empty();
  hooks?.init?.(told.waiting, awaited as object);
  close(told);
}

/** It goes on. */
export function tellOfResume(run: Activation): void {
  const told = runs.get(run);
  if (!told?.waiting) return;
  told.open = told.waiting;
  told.waiting = undefined;
  hooks?.before?.(told.open);
}

/** It has ended. */
export function tellOfEnd(run: Activation): void {
  const told = runs.get(run);
  if (!told) return;
  hooks?.settled?.(told.promise);
  close(told);
}

function close(told: Told): void {
  const { open } = told;
  told.open = undefined;
  if (!open) return;
  hooks?.settled?.(open);
  hooks?.after?.(open);
}

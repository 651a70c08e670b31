// The variable that holds the async context frame of what runs, one per process: the kernel of async-context.ts, apart so that whoever only keeps or
// restores a frame needs nothing of promises.

/** The frame that is current; the rest of the program reads it by `currentFrame`. */
export let frame: unknown;

/** The frame that is current on this stack; undefined outside any AsyncLocalStorage. */
export function currentFrame(): unknown {
  return frame;
}

export function setCurrentFrame(next: unknown): void {
  frame = next;
}

/** A thenable whose `then` is called in the current frame, as the job that calls it has that of whoever resolved a promise with it. */
export function inThisFrame(value: unknown): unknown {
  if (frame === undefined || typeof value !== 'object' || value === null || value instanceof Promise) return value;
  const { then } = value as { then?: unknown };
  if (typeof then !== 'function') return value;
  const saved = frame;
  // biome-ignore lint/suspicious/noThenProperty: it stands for a thenable
  return { then: (...given: unknown[]) => runInFrame(saved, () => Reflect.apply(then, value, given)) };
}

/** Runs `run` in the frame `inner`; the caller's is current again afterwards, also after an exception. */
export function runInFrame<Result>(inner: unknown, run: () => Result): Result {
  const outer = frame;
  frame = inner;
  try {
    return run();
  } finally {
    frame = outer;
  }
}

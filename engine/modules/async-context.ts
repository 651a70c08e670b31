// The async context frame: one variable per process, saved by every promise reaction and await, restored when it continues. Browsers keep
// V8's own continuation data to themselves, so promise reactions are wrapped and awaits rewritten (rewrite.ts).
import { NAME } from './rewrite';

let frame: unknown;

/** The frame that is current on this stack; undefined outside any AsyncLocalStorage. */
export function currentFrame(): unknown {
  return frame;
}

export function setCurrentFrame(next: unknown): void {
  frame = next;
}

/** Wraps promise reactions and defines what rewritten code calls. Before primordials are captured. */
export function installAsyncContext(): void {
  const originalThen = Promise.prototype.then;
  const wrap = (reaction: unknown): unknown => {
    if (typeof reaction !== 'function' || frame === undefined) return reaction;
    const saved = frame;
    return (value: unknown) => {
      const outer = frame;
      frame = saved;
      try {
        return (reaction as Function)(value);
      } finally {
        frame = outer;
      }
    };
  };
  // A method, so that it is no constructor, as the original.
  const { then } = {
    // biome-ignore lint/suspicious/noThenProperty: this is Promise.prototype.then
    then(this: Promise<unknown>, onFulfilled?: unknown, onRejected?: unknown) {
      return originalThen.call(this, wrap(onFulfilled) as any, wrap(onRejected) as any);
    },
  };
  Object.defineProperty(Promise.prototype, 'then', {
    value: then,
    writable: true,
    configurable: true,
    enumerable: false,
  });

  const hidden = (name: string, value: unknown): void =>
    void Object.defineProperty(globalThis, name, { value, configurable: true });
  hidden(NAME.frame, () => frame);
  hidden(NAME.restore, (saved: unknown) => {
    frame = saved;
  });
  hidden(NAME.resume, (saved: unknown, value: unknown) => {
    frame = saved;
    return value;
  });
}

// The async context of what is iterated asynchronously. An async generator goes on in the context of whoever asks it for more while it stands at a
// `yield`; where the question came earlier, in its own. `Array.fromAsync` waits by itself, so what it calls gets the context it was called in.
import { Activation, PENDING, WAITING } from '../process/activation';
import { forgetAnnounced } from '../process/promise-claims';
import { frame, inThisFrame, runInFrame, setCurrentFrame } from './context-frame';
import { NAME } from './names';

const { apply } = Reflect;

/** Publishes what rewritten async generators call and replaces what asks them. Before primordials are captured. */
export function installAsyncIteration(): void {
  const runs = new WeakMap<object, Activation>();
  /** The generator whose first step is being asked for: its body begins by telling of its run. */
  let starting: object | undefined;
  const hidden = (name: string, value: unknown): void => {
    Object.defineProperty(globalThis, name, { value, writable: false, enumerable: false, configurable: false });
  };
  hidden(NAME.generates, () => {
    const run = new Activation(PENDING);
    run.requests = 1;
    if (starting) runs.set(starting, run);
    starting = undefined;
    return run;
  });
  const stops = (value: unknown, run: Activation): unknown => {
    run.frame = frame;
    run.awaited = WAITING;
    return value;
  };
  hidden(NAME.yields, (value: unknown, run: Activation) => {
    run.requests--;
    return inThisFrame(stops(value, run));
  });
  hidden(NAME.delegates, (value: unknown, run: Activation) => {
    run.delegates = true;
    return stops(value, run);
  });
  hidden(NAME.goesOn, (value: unknown, run: Activation) => {
    setCurrentFrame(run.frame);
    run.awaited = undefined;
    run.delegates = false;
    forgetAnnounced();
    return value;
  });

  const { prototype } = Object.getPrototypeOf(async function* () {});
  for (const name of ['next', 'return', 'throw']) {
    const original = prototype[name];
    const method = {
      [name](this: object, ...given: [unknown?]): unknown {
        const run = runs.get(this);
        if (run) {
          if (run.requests === 0 || run.delegates) run.frame = frame;
          run.requests++;
          return apply(original, this, given);
        }
        starting = this;
        try {
          return apply(original, this, given);
        } finally {
          starting = undefined;
        }
      },
    };
    replace(prototype, name, method[name] as Function, original);
  }

  const { fromAsync } = Array as unknown as { fromAsync: Function };
  const method = {
    fromAsync(this: unknown, items: unknown, ...rest: [unknown?, unknown?]): unknown {
      const [map] = rest;
      if (typeof map === 'function') rest[0] = framed(map, undefined);
      return apply(fromAsync, this, [framedItems(items), ...rest]);
    },
  };
  replace(Array, 'fromAsync', method.fromAsync, fromAsync);
}

/** `called` in the context that is current now, as a method of `owner` if there is one. */
function framed(called: unknown, owner: unknown): unknown {
  if (typeof called !== 'function') return called;
  const saved = frame;
  return function (this: unknown, ...given: unknown[]): unknown {
    return runInFrame(saved, () => apply(called, owner ?? this, given));
  };
}

/** What iterates as `items` does, each step in the context that is current now. */
function framedItems(items: any): unknown {
  if (items === undefined || items === null) return items;
  const waits = items[Symbol.asyncIterator] ?? undefined;
  const method = waits ?? items[Symbol.iterator];
  if (typeof method !== 'function') return items;
  return {
    [waits ? Symbol.asyncIterator : Symbol.iterator]() {
      const iterator: any = apply(method, items, []);
      if (typeof iterator !== 'object' || iterator === null) return iterator;
      return {
        next: framed(iterator.next, iterator),
        get return() {
          return framed(iterator.return, iterator);
        },
      };
    },
  };
}

function replace(holder: any, name: string, replacement: Function, original: Function): void {
  Object.defineProperty(replacement, 'length', { value: original.length, configurable: true });
  Object.defineProperty(holder, name, { value: replacement });
}

// What is known of promises without waiting. No browser tells the state of a promise synchronously, and the only way to ask (then)
// would mark a rejection as handled. So the realm's Promise.resolve and Promise.reject write down what they settle; the rest is unknown.

interface Settled {
  rejected: boolean;
  value: unknown;
}

const settled = new WeakMap<object, Settled>();

/** The outcome of a promise made by Promise.resolve or Promise.reject since `trackPromises`; undefined when unknown. */
export function settledState(promise: object): Readonly<Settled> | undefined {
  return settled.get(promise);
}

/** Records the outcome of a promise that the engine itself settled. */
export function recordSettled(promise: object, rejected: boolean, value: unknown): void {
  settled.set(promise, { rejected, value });
}

/** Replaces `Promise.resolve` and `Promise.reject` by recording ones. Call it before lib copies them into its primordials. */
export function trackPromises(PromiseClass: PromiseConstructor): void {
  const { resolve, reject } = PromiseClass;
  const apply = Reflect.apply;
  const methods = {
    resolve(this: unknown, ...args: [unknown?]) {
      const promise = apply(resolve, this, args) as object;
      const value = args[0];
      // An object may be a thenable, whose end is not known yet.
      if (this === PromiseClass && ((typeof value !== 'object' && typeof value !== 'function') || value === null)) {
        settled.set(promise, { rejected: false, value });
      }
      return promise;
    },
    reject(this: unknown, ...args: [unknown?]) {
      const promise = apply(reject, this, args) as object;
      settled.set(promise, { rejected: true, value: args[0] });
      return promise;
    },
  };
  for (const name of ['resolve', 'reject'] as const) {
    const replacement = methods[name];
    Object.defineProperty(replacement, 'length', { configurable: true, value: 1 });
    Object.defineProperty(PromiseClass, name, {
      configurable: true,
      writable: true,
      enumerable: false,
      value: replacement,
    });
  }
}

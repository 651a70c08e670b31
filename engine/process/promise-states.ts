// What is known of promises without waiting. No browser tells the state of a promise synchronously, and the only way to ask (then)
// would mark a rejection as handled. So the realm's Promise.resolve and Promise.reject write down what they settle, and the engine what
// it hears of (unhandled rejections); the rest is unknown.

interface Settled {
  rejected: boolean;
  value: unknown;
}

/** Returning an object from a base constructor puts the derived class's private fields on that object. */
const Marked = function same(promise: object) {
  return promise;
} as unknown as new (
  promise: object,
) => object;

/** The note is a private field on the promise itself: 30 ns, where a WeakMap with as many short-lived keys costs 1,500. */
class Note extends Marked {
  #rejected: boolean;
  #value: unknown;

  constructor(promise: object, rejected: boolean, value: unknown) {
    super(promise);
    this.#rejected = rejected;
    this.#value = value;
  }

  static read(promise: object): Settled | undefined {
    return #value in promise ? { rejected: promise.#rejected, value: promise.#value } : undefined;
  }
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
  const note = Note.read(promise);
  // An object with a then may not have settled yet: its promise counts as unknown.
  return note && (note.rejected || isThenable(note.value) === false) ? note : undefined;
}

/** Records the outcome of a promise that the engine itself settled or heard of. */
export function recordSettled(promise: object, rejected: boolean, value: unknown): void {
  if (!Note.read(promise)) new Note(promise, rejected, value);
}

/** Replaces `Promise.resolve` and `Promise.reject` by recording ones. Call it before lib copies them into its primordials. */
export function trackPromises(PromiseClass: PromiseConstructor): void {
  const { resolve, reject } = PromiseClass;
  const methods = {
    resolve(this: unknown, ...args: [unknown?]) {
      const value = args[0];
      const promise = apply(resolve, this, args) as object;
      if (this === PromiseClass && promise !== value) new Note(promise, false, value);
      return promise;
    },
    reject(this: unknown, ...args: [unknown?]) {
      const promise = apply(reject, this, args) as object;
      if (this === PromiseClass) new Note(promise, true, args[0]);
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

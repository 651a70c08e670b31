// JavaScript objects as V8's templates make them for node_sqlite.cc: methods that can be enumerated, getters on each instance, and the C++
// part behind the object, which methods refuse to do without.

/** Ties objects to what stands behind them. */
export class Backing<State> {
  private readonly states = new WeakMap<object, State>();

  set(object: object, state: State): void {
    this.states.set(object, state);
  }

  /** The state behind `object`; throws V8's TypeError for another object. */
  of(object: unknown): State {
    const state = this.states.get(object as object);
    if (!state) throw new TypeError('Illegal invocation');
    return state;
  }
}

/** Puts methods on a prototype, each called with what stands behind `this`. */
export function defineMethods<State>(
  prototype: object,
  backing: Backing<State>,
  methods: Record<string, (state: State, ...args: any[]) => unknown>,
): void {
  for (const [name, run] of Object.entries(methods)) {
    const { [name]: value } = {
      [name](this: unknown, ...args: any[]) {
        return run(backing.of(this), ...args);
      },
    };
    Object.defineProperty(prototype, name, { value, writable: true, enumerable: true, configurable: true });
  }
}

/** Puts getters on one object. */
export function defineGetters(object: object, getters: Record<string, () => unknown>): void {
  for (const [name, get] of Object.entries(getters))
    Object.defineProperty(object, name, {
      // V8's getters have no name.
      get: Object.defineProperty(get, 'name', { value: '' }),
      enumerable: true,
      configurable: false,
    });
}

/** A class that only the engine makes instances of. */
export function closedClass(name: string, refuse: () => Error): Function & { prototype: any } {
  const { [name]: made } = {
    [name]: class {
      constructor() {
        throw refuse();
      }
    },
  };
  return made;
}

// V8's private symbols are invisible to reflection and work on every object. Here each is a symbol with an accessor on Object.prototype,
// backed by a WeakMap: assignment works as in C++, and nothing appears among an object's own keys.

/** Creates the symbols by key from their dumped descriptions. Objects without a prototype keep the value as a hidden own property. */
export function createPrivateSymbols(descriptions: Record<string, string>): Record<string, symbol> {
  const out: Record<string, symbol> = {};
  for (const [key, description] of Object.entries(descriptions)) {
    const symbol = Symbol(description);
    const values = new WeakMap<object, unknown>();
    Object.defineProperty(Object.prototype, symbol, {
      configurable: false,
      enumerable: false,
      get() {
        return values.get(this);
      },
      set(value) {
        if (value === undefined) values.delete(this);
        else values.set(this, value);
      },
    });
    out[key] = symbol;
  }
  return out;
}

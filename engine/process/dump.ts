// Revives what engine/build/extract.cts wrote: constants become themselves, functions and classes become placeholders that throw
// an error with their name, so that a call which nobody wrote can never pass in silence.

/** An error for a binding member that the engine does not have. `code` is Node's for a feature that a platform lacks. */
export function unsupported(name: string): Error {
  return Object.assign(new Error(`${name} is not available in this sandbox`), {
    code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
  });
}

/** Parsed JSON of the dump, see `serialise` in engine/build/extract.cts. */
export interface Dump {
  version: string;
  versions: Record<string, string>;
  /** Names of the language's objects in Node's V8, by path, separated by spaces. */
  intrinsics: Record<string, string>;
  release: Record<string, string>;
  bindings: Record<string, unknown>;
  builtinIds: string[];
  config: string;
  errorMap: unknown;
  cliOptions: unknown;
  cliOptionsInfo: unknown;
  /** Options that no thread has of its own: the process's and V8's. */
  perProcessOptions: string[];
  embedderOptions: unknown;
  envOptionsInputType: unknown;
  privateSymbols: Record<string, string>;
}

/** Symbols are shared by description within one realm, as Node's per-isolate symbols are. */
export class DumpReader {
  private readonly symbols = new Map<string, symbol>();

  symbol(description: string): symbol {
    let symbol = this.symbols.get(description);
    if (!symbol) this.symbols.set(description, (symbol = Symbol(description)));
    return symbol;
  }

  /** A fresh copy of a dumped value. `path` names placeholders, e.g. `fs.open`. */
  revive(value: any, path: string): any {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((item, index) => this.revive(item, `${path}[${index}]`));
    if ('$num' in value) return Number(value.$num);
    if ('$undef' in value) return undefined;
    if ('$big' in value) return BigInt(value.$big);
    if ('$sym' in value) return this.symbol(value.$sym);
    if ('$ta' in value) return this.typedArray(value.$ta, value.items);
    if ('$map' in value)
      return new Map(value.$map.map(([key, item]: any) => [this.revive(key, path), this.revive(item, path)]));
    if ('$set' in value) return new Set(value.$set.map((item: any) => this.revive(item, path)));
    if ('$fn' in value) return this.placeholder(value, path);
    const object = value.$np ? Object.create(null) : {};
    for (const key in value)
      if (key !== '$np' && key !== '$locked') object[key] = this.revive(value[key], `${path}.${key}`);
    if (value.$locked)
      for (const key of Object.keys(object)) {
        const enumerable = !value.$locked.includes(key);
        Object.defineProperty(object, key, { writable: false, configurable: false, enumerable });
      }
    return object;
  }

  private typedArray(type: string, items: number[]): ArrayBufferView {
    const Type = (globalThis as any)[type];
    return new Type(type.startsWith('Big') ? items.map((item) => BigInt(item)) : items);
  }

  private placeholder(
    shape: { $fn: string; prototype?: string[]; statics: Record<string, unknown> },
    path: string,
  ): any {
    const isClass = (shape.prototype && shape.prototype.length > 0) || /^[A-Z]/.test(shape.$fn);
    if (!isClass) {
      const name = shape.$fn;
      return {
        [name]() {
          throw unsupported(path);
        },
      }[name];
    }
    const Class = { [shape.$fn]: class {} }[shape.$fn];
    for (const key of shape.prototype ?? []) {
      Object.defineProperty(Class.prototype, key, {
        configurable: true,
        writable: true,
        value() {
          throw unsupported(`${path}#${key}`);
        },
      });
    }
    return Object.assign(Class, shape.statics);
  }
}

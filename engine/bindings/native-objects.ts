// What tells the functions and objects of C++ from those of JavaScript: names and lengths as the dump has them, methods that can be listed, and the mark
// that keeps an object with a handle inside from being cloned as if it were its few visible properties.

/** Prototypes of what stands for objects of C++. */
const prototypes = new WeakSet<object>();
const { getPrototypeOf, prototype: objectPrototype } = Object;

/** True of what stands for an object of C++. `object` is no proxy. */
export function isNative(object: object): boolean {
  for (let at = getPrototypeOf(object); at !== null && at !== objectPrototype; at = getPrototypeOf(at))
    if (prototypes.has(at)) return true;
  return false;
}

/** A native object's method that says how it travels in a message: the binding that revives it, and what that needs. */
export const TRAVELS = Symbol('travels');

/** A binding's function that makes the object from what `TRAVELS` gave. */
export const REVIVES = Symbol('revives');

/** The same for objects whose class hides what it is made of. */
export const travellers = new WeakMap<object, () => Travelling>();

/** What a native object is in a message; `data` is cloned as any value. */
export interface Travelling {
  binding: string;
  data: unknown;
}

/** A function as `serialise` of engine/build/extract.cts writes it. */
interface DumpedFunction {
  $fn: string;
  length: number;
  prototype?: string[];
}

const { defineProperty, getOwnPropertyDescriptor } = Object;

function setOnFunction(target: object, key: 'name' | 'length', value: string | number): void {
  if ((target as Record<string, unknown>)[key] !== value) defineProperty(target, key, { value, configurable: true });
}

/** Gives the functions and classes of a binding what `shape`, its dump, says of them. */
export function dressAsNative(binding: object, shape: Readonly<Record<string, unknown>>): void {
  for (const name in shape) {
    const dumped = shape[name] as DumpedFunction | null;
    if (dumped === null || typeof dumped !== 'object' || typeof dumped.$fn !== 'string') continue;
    const native = getOwnPropertyDescriptor(binding, name)?.value;
    // DOMException is lib's own, handed to a binding.
    if (typeof native !== 'function' || name === 'DOMException') continue;
    setOnFunction(native, 'name', dumped.$fn);
    setOnFunction(native, 'length', dumped.length);
    const { prototype } = native;
    if (!dumped.prototype || !prototype) continue;
    // A script is cloned as its visible properties, in Node too.
    if (/^[A-Z]/.test(name) && name !== 'ContextifyScript') prototypes.add(prototype);
    for (const key of dumped.prototype) {
      const own = getOwnPropertyDescriptor(prototype, key);
      if (!own?.configurable) continue;
      if (typeof own.value === 'function') setOnFunction(own.value, 'length', 0);
      else if (own.get) setOnFunction(own.get, 'name', '');
      own.enumerable = true;
      if (own.get) own.configurable = false;
      defineProperty(prototype, key, own);
    }
  }
}

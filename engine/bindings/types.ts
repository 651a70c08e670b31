// util.types: what kind of object something really is. Each test calls a method that only works on objects with that internal slot,
// so prototypes and Symbol.toStringTag cannot lie; where the language has no such method, the prototype chain decides.
import type { Binding } from '../process/environment';
import { namespaces } from '../process/namespace-registry';
import { detailsOf } from '../process/proxy-registry';

const apply = Reflect.apply;
const getPrototypeOf = Object.getPrototypeOf;
const objectPrototype = Object.prototype;
const objectToString = Object.prototype.toString;

type Test = (value: unknown) => boolean;

function getter(prototype: object, name: PropertyKey): (this: unknown) => unknown {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get as (this: unknown) => unknown;
}

/**
 * True where `method` does not throw. A throw costs microseconds, so what plainly descends from Object.prototype without `prototype` is
 * not tried: a Map whose prototype was replaced by an ordinary object counts as an object.
 */
function hasSlot(
  prototype: object,
  method: (this: any, ...args: any[]) => unknown,
  args: (value: object) => unknown[] = () => [],
): Test {
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    let descends = false;
    for (let at = value; at !== null; at = getPrototypeOf(at)) {
      if (at === prototype) descends = true;
      else if (at !== objectPrototype) {
        if (at !== value && detailsOf(at)) break;
        continue;
      }
      if (descends || at === value) break;
      return false;
    }
    if (detailsOf(value)) return false;
    try {
      apply(method, value, args(value));
      return true;
    } catch {
      return false;
    }
  };
}

/** True when `prototype` is on the chain of something that is no proxy. */
function inherits(value: unknown, prototype: object): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || detailsOf(value)) return false;
  for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) {
    if (at === prototype) return true;
    if (detailsOf(at)) return false;
  }
  return false;
}

const generatorFunction = getPrototypeOf(function* () {});
const asyncGeneratorFunction = getPrototypeOf(async function* () {});
const asyncFunction = getPrototypeOf(async () => {});
const generatorPrototype = generatorFunction.prototype;
const asyncGeneratorPrototype = asyncGeneratorFunction.prototype;
const mapIteratorPrototype = getPrototypeOf(new Map().entries());
const setIteratorPrototype = getPrototypeOf(new Set().values());
const typedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const typedArrayTag = getter(typedArrayPrototype, Symbol.toStringTag);

/** The class of a typed array, undefined for anything else. */
export function typedArrayName(value: unknown): string | undefined {
  return apply(typedArrayTag, value, []) as string | undefined;
}

const regExpSource = getter(RegExp.prototype, 'source');
const isRegExp = hasSlot(RegExp.prototype, regExpSource);
const promiseResolve = Promise.resolve;
const promiseThen = Promise.prototype.then;
const NativePromise = Promise;
const noop = (): void => {};

/**
 * Promise.resolve gives a promise back unchanged if its constructor is Promise, and only a promise: that tells a real one without touching
 * it. Of a subclass the chain must do.
 */
function isPromise(value: unknown): boolean {
  if (!inherits(value, NativePromise.prototype)) return false;
  if ((value as Promise<unknown>).constructor !== NativePromise) return true;
  const same = apply(promiseResolve, NativePromise, [value]);
  if (same === value) return true;
  apply(promiseThen, same, [noop, noop]);
  return false;
}

const isErrorSlot = (Error as { isError?(value: unknown): boolean }).isError;

function isNativeError(value: unknown): boolean {
  if (isErrorSlot) return isErrorSlot(value) && !inheritsDomException(value);
  if (typeof value !== 'object' || value === null || detailsOf(value)) return false;
  return !(Symbol.toStringTag in value) && apply(objectToString, value, []) === '[object Error]';
}

/** Error.isError is true for the browser's DOMException, which Node's tests of native errors do not count. */
const browserException = (globalThis as { DOMException?: { prototype: object } }).DOMException?.prototype;
function inheritsDomException(value: unknown): boolean {
  return browserException !== undefined && inherits(value, browserException);
}

function isArguments(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || detailsOf(value)) return false;
  return !(Symbol.toStringTag in value) && apply(objectToString, value, []) === '[object Arguments]';
}

const isArrayBuffer = hasSlot(ArrayBuffer.prototype, getter(ArrayBuffer.prototype, 'byteLength'));
const isSharedArrayBuffer: Test =
  typeof SharedArrayBuffer === 'undefined'
    ? () => false
    : hasSlot(SharedArrayBuffer.prototype, getter(SharedArrayBuffer.prototype, 'byteLength'));
const boxed: Record<string, Test> = {
  isNumberObject: hasSlot(Number.prototype, Number.prototype.valueOf),
  isStringObject: hasSlot(String.prototype, String.prototype.valueOf),
  isBooleanObject: hasSlot(Boolean.prototype, Boolean.prototype.valueOf),
  isBigIntObject: hasSlot(BigInt.prototype, BigInt.prototype.valueOf),
  isSymbolObject: hasSlot(Symbol.prototype, Symbol.prototype.valueOf),
};

/** The tests by their name in the binding. */
export const typeTests: Record<string, Test> = {
  ...boxed,
  // Nothing in a browser makes v8::External values.
  isExternal: () => false,
  isDate: hasSlot(Date.prototype, Date.prototype.getTime),
  isArgumentsObject: (value) => isArguments(value),
  isNativeError: (value) => isNativeError(value),
  isRegExp: (value) => value !== RegExp.prototype && isRegExp(value),
  isAsyncFunction: (value) =>
    typeof value === 'function' && (inherits(value, asyncFunction) || inherits(value, asyncGeneratorFunction)),
  isGeneratorFunction: (value) =>
    typeof value === 'function' && (inherits(value, generatorFunction) || inherits(value, asyncGeneratorFunction)),
  isGeneratorObject: (value) => inherits(value, generatorPrototype) || inherits(value, asyncGeneratorPrototype),
  isPromise: (value) => isPromise(value),
  isMap: hasSlot(Map.prototype, getter(Map.prototype, 'size')),
  isSet: hasSlot(Set.prototype, getter(Set.prototype, 'size')),
  isMapIterator: (value) => inherits(value, mapIteratorPrototype),
  isSetIterator: (value) => inherits(value, setIteratorPrototype),
  isWeakMap: hasSlot(WeakMap.prototype, WeakMap.prototype.has, (value) => [value]),
  isWeakSet: hasSlot(WeakSet.prototype, WeakSet.prototype.has, (value) => [value]),
  isArrayBuffer,
  isSharedArrayBuffer,
  isAnyArrayBuffer: (value) => isArrayBuffer(value) || isSharedArrayBuffer(value),
  isDataView: hasSlot(DataView.prototype, getter(DataView.prototype, 'buffer')),
  isProxy: (value) => detailsOf(value) !== undefined,
  isModuleNamespaceObject: (value) => typeof value === 'object' && value !== null && namespaces.has(value),
  isBoxedPrimitive: (value) => Object.values(boxed).some((test) => test(value)),
};

/** Named as native functions are: by nothing. */
export const types: Binding = ({ dumped }) => Object.assign(dumped('types'), typeTests);

// The util binding: what util.inspect and lib's internals see of objects that JavaScript alone does not show.
// Known deviation: a promise is pending until something told how it settled; that of an async function until it is awaited or followed (decision 4).
import type { Binding, ProcessEnvironment } from '../process/environment';
import { settledState } from '../process/promise-states';
import { detailsOf } from '../process/proxy-registry';
import { parseDotenv } from './dotenv';
import { previewEntries } from './entry-preview';
import { typedArrayName, typeTests } from './types';

const apply = Reflect.apply;
const ownKeys = Reflect.ownKeys;
const getDescriptor = Reflect.getOwnPropertyDescriptor;
const getPrototypeOf = Object.getPrototypeOf;
const promiseThen = Promise.prototype.then;

const ONLY_ENUMERABLE = 2;
const SKIP_SYMBOLS = 16;
/** The order that lib's guessHandleType expects. */
const HANDLE_TYPES = ['TCP', 'TTY', 'UDP', 'FILE', 'PIPE', 'UNKNOWN', 'INVALID'];

function isArrayIndex(key: string): boolean {
  const index = Number(key) >>> 0;
  return index !== 0xffffffff && String(index) === key;
}

function ownNonIndexProperties(object: object, filter: number): PropertyKey[] {
  return ownKeys(object).filter((key) => {
    if (typeof key === 'string' && isArrayIndex(key)) return false;
    if (typeof key === 'symbol' && filter & SKIP_SYMBOLS) return false;
    return !(filter & ONLY_ENUMERABLE) || getDescriptor(object, key)?.enumerable === true;
  });
}

/** Class names that an object keeps even when its prototype is gone. */
const SLOT_NAMES: [test: string, name: string][] = [
  ['isMap', 'Map'],
  ['isSet', 'Set'],
  ['isDate', 'Date'],
  ['isRegExp', 'RegExp'],
  ['isNativeError', 'Error'],
  ['isArrayBuffer', 'ArrayBuffer'],
  ['isSharedArrayBuffer', 'SharedArrayBuffer'],
  ['isDataView', 'DataView'],
  ['isWeakMap', 'WeakMap'],
  ['isWeakSet', 'WeakSet'],
  ['isArgumentsObject', 'Arguments'],
  ['isMapIterator', 'MapIterator'],
  ['isSetIterator', 'SetIterator'],
  ['isNumberObject', 'Number'],
  ['isStringObject', 'String'],
  ['isBooleanObject', 'Boolean'],
  ['isBigIntObject', 'BigInt'],
  ['isSymbolObject', 'Symbol'],
];

/** V8's GetConstructorName: the class that made the object, or the tag of what no class made. */
function constructorName(object: object): string {
  let name: string | undefined;
  for (let at: object | null = object; at !== null && !detailsOf(at) && name === undefined; at = getPrototypeOf(at)) {
    const Class = getDescriptor(at, 'constructor')?.value;
    if (typeof Class === 'function' && typeof Class.name === 'string' && Class.name !== '') name = Class.name;
  }
  if (name !== undefined && name !== 'Object') return name;
  if (Array.isArray(object)) return 'Array';
  const slot = typedArrayName(object) ?? SLOT_NAMES.find(([test]) => typeTests[test](object))?.[1];
  if (slot !== undefined) return slot;
  if (typeof object === 'function') return 'Function';
  for (let at: object | null = object; at !== null && !detailsOf(at); at = getPrototypeOf(at)) {
    const tag = getDescriptor(at, Symbol.toStringTag)?.value;
    if (typeof tag === 'string') return tag;
  }
  return 'Object';
}

/** Defines properties that load a builtin module when they are first read. */
function defineLazyProperties(environment: ProcessEnvironment) {
  return (target: object, id: string, keys: string[], enumerable = true): void => {
    for (const key of keys) {
      const define = (value: unknown): void => {
        Object.defineProperty(target, key, { writable: true, enumerable, configurable: true, value });
      };
      const accessors = {
        get [key]() {
          const value = environment.requireBuiltin(id)[key];
          define(value);
          return value;
        },
        set [key](value: unknown) {
          define(value);
        },
      };
      const { get, set } = Object.getOwnPropertyDescriptor(accessors, key) as PropertyDescriptor;
      Object.defineProperty(target, key, { enumerable, configurable: true, get, set });
    }
  };
}

/** Call sites of the caller of the binding's function, innermost first. */
function callSites(environment: ProcessEnvironment, count: number): any[] {
  const { stackTraceLimit } = Error;
  // Frames of the engine's own bundle are dropped afterwards.
  Error.stackTraceLimit = count + 8;
  const error = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return environment.traces.capture(error)?.slice(0, count) ?? [];
}

function handleType(environment: ProcessEnvironment, fd: number): number {
  const { descriptors, descriptions } = environment;
  const description = descriptors.get(fd);
  if (description < 0) return HANDLE_TYPES.indexOf('INVALID');
  if (descriptions.terminalOf(description)) return HANDLE_TYPES.indexOf('TTY');
  return HANDLE_TYPES.indexOf(
    descriptions.incoming(description) || descriptions.outgoing(description) ? 'PIPE' : 'FILE',
  );
}

export const util: Binding = (environment) => {
  const { dumped, privateSymbols } = environment;
  const binding = dumped('util');
  for (const test of Object.keys(typeTests)) if (test in binding) binding[test] = typeTests[test];
  const { constants } = binding;
  return Object.assign(binding, {
    privateSymbols,
    isArrayBufferView: ArrayBuffer.isView,
    isTypedArray: (value: unknown) => typedArrayName(value) !== undefined,
    isUint8Array: (value: unknown) => typedArrayName(value) === 'Uint8Array',
    shouldAbortOnUncaughtToggle: new Uint32Array(1),
    getPromiseDetails(promise: object) {
      if (!typeTests.isPromise(promise)) return undefined;
      const state = settledState(promise);
      if (!state) return [constants.kPending, undefined];
      return [state.rejected ? constants.kRejected : constants.kFulfilled, state.value];
    },
    getProxyDetails(proxy: unknown, full = true) {
      const details = detailsOf(proxy);
      return details && (full ? details : details[0]);
    },
    previewEntries,
    getOwnNonIndexProperties: ownNonIndexProperties,
    getConstructorName: constructorName,
    defineLazyProperties: defineLazyProperties(environment),
    isInsideNodeModules(frameLimit = 10) {
      for (const site of callSites(environment, Number(frameLimit))) {
        const script = site.getScriptNameOrSourceURL() ?? '';
        if (script !== '' && !script.startsWith('node:')) return /[/\\]node_modules[/\\]/.test(script);
      }
      return false;
    },
    getCallSites(count: number) {
      return callSites(environment, count + 1)
        .slice(1)
        .map((site) => ({
          __proto__: null,
          functionName: site.getFunctionName() ?? '',
          scriptId: '0',
          scriptName: site.getScriptNameOrSourceURL() ?? '',
          lineNumber: site.getLineNumber() ?? 0,
          columnNumber: site.getColumnNumber() ?? 0,
          column: site.getColumnNumber() ?? 0,
        }));
    },
    getCallerLocation() {
      const [, site] = callSites(environment, 2);
      const script = site?.getScriptNameOrSourceURL();
      return script ? [site.getLineNumber(), site.getColumnNumber(), script] : undefined;
    },
    sleep(ms: number) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    },
    parseEnv: (content: string) => Object.fromEntries(parseDotenv(content)),
    // V8 moves a small array off its heap when its buffer is read; a browser does not tell, and `true` only costs lib a copy.
    arrayBufferViewHasBuffer: () => true,
    constructSharedArrayBuffer: (length: number) => new SharedArrayBuffer(length),
    markPromiseAsHandled(promise: Promise<unknown>) {
      apply(promiseThen, promise, [undefined, () => {}]);
    },
    guessHandleType: (fd: number) => handleType(environment, fd),
  });
};

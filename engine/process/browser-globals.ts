// Saves the browser functions that the engine needs before the realm is cleaned for Node; nothing else may be read off the global later.
import type { BrowserGlobals } from './environment';

/** Captures the worker's globals. Call it before `cleanGlobals`. */
export function captureBrowserGlobals(): BrowserGlobals {
  const scope = globalThis as any;
  const indirectEval = scope.eval;
  return {
    postMessage: scope.postMessage.bind(scope),
    fetch: scope.fetch.bind(scope),
    crypto: scope.crypto,
    URL: scope.URL,
    URLPattern: scope.URLPattern,
    TextDecoder: scope.TextDecoder,
    TextEncoder: scope.TextEncoder,
    MessageChannel: scope.MessageChannel,
    MessagePort: scope.MessagePort,
    DOMException: scope.DOMException,
    structuredClone: scope.structuredClone.bind(scope),
    atob: scope.atob.bind(scope),
    btoa: scope.btoa.bind(scope),
    setTimeout: scope.setTimeout.bind(scope),
    clearTimeout: scope.clearTimeout.bind(scope),
    queueMicrotask: scope.queueMicrotask.bind(scope),
    performanceNow: scope.performance.now.bind(scope.performance),
    timeOrigin: scope.performance.timeOrigin,
    hardwareConcurrency: scope.navigator.hardwareConcurrency,
    Proxy: scope.Proxy,
    evaluate: (source) => indirectEval(source),
    runScript: scriptRunner(scope),
    addEventListener: scope.addEventListener.bind(scope),
    XMLHttpRequest: scope.XMLHttpRequest,
    createRunner: runnerFactory(scope.EventTarget, scope.Event),
    scheduler: scope.scheduler,
  };
}

/** importScripts of the text itself. */
function scriptRunner(scope: any): BrowserGlobals['runScript'] {
  const { Blob, URL } = scope;
  const { createObjectURL, revokeObjectURL } = URL;
  const importScripts = scope.importScripts?.bind(scope);
  return (source) => {
    const address = createObjectURL.call(URL, new Blob([source], { type: 'text/javascript' }));
    try {
      importScripts(address);
    } finally {
      revokeObjectURL.call(URL, address);
    }
  };
}

/** EventTarget's methods are cleaned away with the global object's prototype chain, so they are held here. */
function runnerFactory(Target: typeof EventTarget, EventType: typeof Event): BrowserGlobals['createRunner'] {
  const { addEventListener, dispatchEvent } = Target.prototype;
  return (listener) => {
    const target = new Target();
    addEventListener.call(target, 'run', listener);
    return () => void dispatchEvent.call(target, new EventType('run'));
  };
}

/** Names of the global object that are JavaScript's own (or that Node and the browser share unchanged). */
export const LANGUAGE_GLOBALS = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError EvalError
  RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array
  Uint32Array Int32Array Float16Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set Iterator WeakMap WeakSet
  WeakRef Proxy Reflect FinalizationRegistry SharedArrayBuffer decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite
  isNaN console WebAssembly SuppressedError DisposableStack AsyncDisposableStack`.split(/\s+/),
);

/**
 * Deletes what only browsers have, on the global object and its prototypes, so that Node's bootstrap defines its own. What a prototype does not give up
 * (constants of an interface: `TEMPORARY`, `PERSISTENT`) is covered: undefined, and not enumerated by `for (name in globalThis)`.
 */
export function cleanGlobals(): void {
  for (
    let object: object | null = globalThis;
    object && object !== Object.prototype;
    object = Object.getPrototypeOf(object)
  ) {
    for (const key of Object.getOwnPropertyNames(object)) {
      if (key === 'constructor' || (object === globalThis && LANGUAGE_GLOBALS.has(key))) continue;
      if (Object.getOwnPropertyDescriptor(object, key)?.configurable) delete (object as any)[key];
      else if (object !== globalThis)
        Object.defineProperty(globalThis, key, { value: undefined, writable: true, configurable: true });
    }
  }
}

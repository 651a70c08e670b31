// The `process` object as C++ creates it, before lib decorates it.
import type { Dump } from './dump';
import { applyTimeZone } from './time-zone';

export function createProcessObject(dump: Dump, exitInfoSymbol: symbol): any {
  // biome-ignore lint/complexity/useArrowFunction: Node's process has a constructor named process
  const constructor = { process: function () {} }.process;
  const prototype = Object.create(Object.prototype, {
    constructor: { value: constructor, writable: true, configurable: true, enumerable: false },
  });
  constructor.prototype = prototype;
  const process = Object.create(prototype);
  setReadOnly(process, {
    version: dump.version,
    versions: setReadOnly({}, dump.versions),
    arch: 'x64',
    platform: 'linux',
    release: { ...dump.release },
  });
  process[exitInfoSymbol] = new Int32Array(3);
  return process;
}

/** As C++ sets constants: not writable, but configurable. */
export function setReadOnly(target: any, values: Readonly<Record<string, unknown>>): any {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(target, name, { value, writable: false, enumerable: true, configurable: true });
  return target;
}

function environmentError(code: string, message: string): TypeError {
  return Object.assign(new TypeError(message), { code });
}

/** process.env: strings only, as node_env_var.cc. */
export function environmentProxy(ProxyType: ProxyConstructor, values: Record<string, string>): Record<string, string> {
  /** setenv refuses such names, and node does not tell. */
  const isName = (key: string): boolean => key !== '' && !key.includes('=');
  const store = (key: string, value: string): void => {
    if (!isName(key)) return;
    values[key] = value;
    if (key === 'TZ') applyTimeZone(value, ProxyType);
  };
  const own = (key: PropertyKey): boolean => Object.hasOwn(values, key);
  return new ProxyType(values, {
    get: (target, key) => {
      if (typeof key === 'symbol') return undefined as any;
      return own(key) ? target[key] : (Object.prototype as any)[key];
    },
    set(_, key, value) {
      if (typeof key === 'symbol' || typeof value === 'symbol')
        throw new TypeError('Cannot convert a Symbol value to a string');
      store(key, String(value));
      return true;
    },
    defineProperty(_, key, descriptor) {
      if (!('value' in descriptor)) {
        throw environmentError(
          'ERR_INVALID_OBJECT_DEFINE_PROPERTY',
          "'process.env' does not accept an accessor(getter/setter) descriptor",
        );
      }
      if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
        throw environmentError(
          'ERR_INVALID_OBJECT_DEFINE_PROPERTY',
          "'process.env' only accepts a configurable, writable, and enumerable data descriptor",
        );
      }
      store(String(key), String(descriptor.value));
      return true;
    },
    has: (_, key) => typeof key !== 'symbol' && own(key),
    deleteProperty(target, key) {
      if (typeof key !== 'symbol') delete target[key];
      if (key === 'TZ') applyTimeZone(undefined, ProxyType);
      return true;
    },
  });
}

// The url_pattern binding: the browser's own URLPattern, with what Node's says of wrong arguments. Where the browser has none the dumped placeholder stays.
import { unsupported } from '../process/dump';
import type { Binding } from '../process/environment';
import { nodeError } from './node-error';

const COMPONENTS = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'] as const;

export const urlPattern: Binding = ({ browser }) => {
  if (!browser.URLPattern) {
    return {
      URLPattern: class URLPattern {
        constructor() {
          throw unsupported('URLPattern');
        }
      },
    };
  }
  const Pattern = browser.URLPattern as new (...args: unknown[]) => any;
  const isInput = (value: unknown): boolean =>
    typeof value === 'string' || (typeof value === 'object' && value !== null);
  const wrong = (message: string): Error => nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', message);

  const patterns = new WeakMap<object, any>();
  const patternOf = (value: object): any => {
    const pattern = patterns.get(value);
    if (!pattern) throw new TypeError('Illegal invocation');
    return pattern;
  };
  const check = (input: unknown, base: unknown): void => {
    if (input !== undefined && !isInput(input)) throw wrong('URLPattern input needs to be a string or an object');
    if (base !== undefined && typeof base !== 'string') throw wrong('baseURL must be a string');
  };

  function URLPattern(this: object, ...args: unknown[]): void {
    if (!new.target) throw nodeError(TypeError, 'ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
    const [input, second] = args;
    if (input !== undefined && !isInput(input)) throw wrong('Input must be an object or a string');
    if (second !== undefined && !isInput(second)) throw wrong('second argument must be a string or object');
    try {
      patterns.set(this, new Pattern(...args));
    } catch {
      throw nodeError(TypeError, 'ERR_INVALID_URL_PATTERN', 'Failed to construct URLPattern');
    }
  }
  const { prototype } = URLPattern;
  const { constructor } = prototype;
  delete (prototype as { constructor?: unknown }).constructor;
  for (const name of [...COMPONENTS, 'hasRegExpGroups'])
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: object) {
        return patternOf(this)[name];
      },
    });
  Object.assign(prototype, {
    exec(...args: unknown[]): object | null {
      const pattern = patternOf(this);
      check(args[0], args[1]);
      const found = pattern.exec(...args);
      if (found === null) return null;
      const result: Record<string, unknown> = Object.create(null);
      for (const name of [...COMPONENTS, 'inputs'].sort())
        result[name] =
          name === 'inputs' ? found.inputs : { groups: { ...found[name].groups }, input: found[name].input };
      return result;
    },
    test(...args: unknown[]): boolean {
      const pattern = patternOf(this);
      check(args[0], args[1]);
      return pattern.test(...args);
    },
  });
  Object.defineProperty(prototype, 'constructor', { value: constructor, configurable: true, writable: true });
  return { URLPattern };
};

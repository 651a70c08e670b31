// V8's stack traces in a browser that has none of them. Node's lib and many packages (depd, jest, source-map-support) are written against
// `Error.prepareStackTrace` and call sites; Firefox has the same facts as text. The format: `JS_STACK_FORMAT` of SpiderMonkey, one line a frame,
// `function@script:line:column`, with what came between two turns of the event loop before it (`async*`, `promise callback*` …).

import type { CallSite } from './source-site';

interface Frame {
  name: string | null;
  /** Null for code of `eval` and `new Function`. */
  script: string | null;
  line: number;
  column: number;
  isAsync: boolean;
}

/** What a text does not tell, with the answer of V8's strict functions where there is one. */
const UNTOLD = {
  getTypeName: null,
  getMethodName: null,
  getFunction: undefined,
  getThis: undefined,
  getEvalOrigin: undefined,
  getPromiseIndex: null,
  getScriptHash: '',
  getPosition: 0,
  isNative: false,
  isConstructor: false,
  isPromiseAll: false,
};

/** V8's call site, as far as a text can tell. Its methods are its prototype's: source-map-support looks there. */
class TextSite implements CallSite {
  readonly #frame: Frame;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  getFunctionName(): string | null {
    return this.#frame.name;
  }

  getScriptNameOrSourceURL(): string | null {
    return this.#frame.script;
  }

  getFileName(): string | null {
    return this.#frame.script;
  }

  getLineNumber(): number {
    return this.#frame.line;
  }

  getColumnNumber(): number {
    return this.#frame.column;
  }

  isToplevel(): boolean {
    return this.#frame.name === null;
  }

  isEval(): boolean {
    return this.#frame.script === null;
  }

  isAsync(): boolean {
    return this.#frame.isAsync;
  }

  toString(): string {
    const { name, script, line, column, isAsync } = this.#frame;
    const place = `${script ?? '<anonymous>'}:${line}:${column}`;
    return `${isAsync ? 'async ' : ''}${name === null ? place : `${name} (${place})`}`;
  }

  static {
    Object.defineProperty(TextSite, 'name', { value: 'CallSite' });
    for (const [method, answer] of Object.entries(UNTOLD))
      Object.defineProperty(TextSite.prototype, method, { configurable: true, writable: true, value: () => answer });
  }
}

/** Reads a stack as SpiderMonkey writes it. What an event (a timer, a listener) began is the end of V8's traces, so it is of these. */
export function sitesOf(stack: string): CallSite[] {
  const sites: CallSite[] = [];
  let isAfterAwait = false;
  for (const text of stack.split('\n')) {
    // Names have none, paths of packages do.
    const at = text.indexOf('@');
    if (at < 0) continue;
    const [, cause, name] = /^(?:([\w ]+)\*)?(.*)$/s.exec(text.slice(0, at))!;
    if (cause !== undefined && cause !== 'async') break;
    // Callers from before an await have returned long since.
    if (isAfterAwait && cause === undefined) continue;
    isAfterAwait ||= cause === 'async';
    const site = siteAt(text.slice(at + 1), nameIn(name), cause === 'async');
    if (site !== undefined) sites.push(site);
  }
  return sites;
}

function siteAt(place: string, name: string | null, isAsync: boolean): CallSite | undefined {
  const wasm = /^(.*):wasm-function\[\d+\]:0x([\da-f]+)$/.exec(place);
  if (wasm) {
    const column = Number.parseInt(wasm[2], 16) + 1;
    return new TextSite({ name, script: `wasm://wasm/${wasm[1]}`, line: 1, column, isAsync });
  }
  const found = /^(.*):(\d+):(\d+)$/s.exec(place);
  if (!found) return undefined;
  const script = / line \d+ > (?:eval|Function)$/.test(found[1]) ? null : found[1];
  return new TextSite({ name, script, line: Number(found[2]), column: Number(found[3]), isAsync });
}

/** `outer/inner<` is a function of `outer` that was given to `inner`; `outer/<` has no name. */
function nameIn(path: string): string | null {
  const last = path.slice(path.lastIndexOf('/') + 1).replace(/<+$/, '');
  return last === '' ? null : last.replace('.prototype.', '.');
}

interface NativeStacks {
  /** The text of an error; undefined of what is none. */
  read(error: object): string | undefined;
  /** The text of this place below the function. */
  capture(below: unknown): string;
}

/** `Error.prototype.stack` and `Error.captureStackTrace` as V8 has them, over the browser's own. A stack is formatted when it is first read. */
export function v8Stacks({ read, capture }: NativeStacks) {
  const formatted = new WeakMap<object, { stack: unknown }>();

  function format(error: object, text: string): unknown {
    const { prepareStackTrace } = Error as { prepareStackTrace?: unknown };
    const sites = sitesOf(text);
    if (typeof prepareStackTrace === 'function') return prepareStackTrace.call(Error, error, sites);
    return [headOf(error), ...sites.map((site) => `    at ${site}`)].join('\n');
  }

  function own(target: object, value: unknown): void {
    Object.defineProperty(target, 'stack', { configurable: true, enumerable: false, writable: true, value });
  }

  return {
    stack: {
      configurable: true,
      enumerable: false,
      get(this: object): unknown {
        const known = formatted.get(this);
        if (known) return known.stack;
        const text = read(this);
        if (text === undefined) return undefined;
        const entry = { stack: undefined as unknown };
        // A formatter that reads the stack of its error sees none, as in V8.
        formatted.set(this, entry);
        entry.stack = format(this, text);
        return entry.stack;
      },
      set(this: object, value: unknown) {
        own(this, value);
      },
    },
    captureStackTrace: function captureStackTrace(target: object, below: unknown = captureStackTrace): void {
      const text = capture(below);
      Object.defineProperty(target, 'stack', {
        configurable: true,
        enumerable: false,
        get() {
          own(target, undefined);
          const stack = format(target, text);
          own(target, stack);
          return stack;
        },
        set(value: unknown) {
          own(target, value);
        },
      });
    },
  };
}

/** What V8 writes before the frames: the name that the class gives, not one that the error was given later. */
function headOf(error: object): string {
  const { name = 'Error' } = (Object.getPrototypeOf(error) ?? {}) as { name?: unknown };
  const { message = '' } = error as { message?: unknown };
  if (message === '') return String(name);
  return name === '' ? String(message) : `${name}: ${message}`;
}

/** Gives this realm V8's stack traces where it has SpiderMonkey's. Before lib sets `Error.prepareStackTrace`. */
export function installV8Stacks(): void {
  if (formatsStacks()) return;
  const stack = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  const { captureStackTrace } = Error;
  if (!stack?.get || typeof captureStackTrace !== 'function') return;
  const get = stack.get;
  const made = v8Stacks({
    read: (error) => get.call(error) as string | undefined,
    capture(below) {
      const carrier: { stack?: string } = {};
      captureStackTrace(carrier, below as Function);
      return carrier.stack ?? '';
    },
  });
  Object.defineProperty(Error.prototype, 'stack', made.stack);
  Object.defineProperty(Error, 'captureStackTrace', {
    configurable: true,
    enumerable: false,
    writable: true,
    value: made.captureStackTrace,
  });
  Error.stackTraceLimit = 10;
}

function formatsStacks(): boolean {
  const holder = Error as { prepareStackTrace?: unknown };
  holder.prepareStackTrace = () => formatsStacks;
  try {
    return (new Error().stack as unknown) === formatsStacks;
  } finally {
    delete holder.prepareStackTrace;
  }
}

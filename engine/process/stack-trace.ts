// Makes V8's stack traces what real Node would show: the engine's own frames disappear, and columns of rewritten scripts become those of
// their source. V8 asks `Error.prepareStackTrace`, which Node defines anyway; here it is an accessor around it.

import { CONSTRUCTOR_NAME } from './promise-makers';
import { type CallSite, PROMISE_FRAME, promiseConstructorSite, SourceSite } from './source-site';

/** What lib registers with `setPrepareStackTraceCallback`. */
export type PrepareStackTrace = (globalThis: unknown, error: unknown, trace: CallSite[]) => unknown;

/** How many frames of its own the engine puts on the stack between lib and V8, at most. */
const ENGINE_FRAMES = 8;

/** From a 1-based line and column of the compiled text to the column in the source; lines are the same in both. */
export type ColumnMapper = (line: number, column: number) => number;

export class StackTraces {
  private readonly mappers = new Map<string, ColumnMapper>();
  /** The URL of the engine's own bundle: its frames are not shown. */
  readonly engineScript: string;
  private callback: PrepareStackTrace | undefined;

  private readonly builtinColumn: (id: string, line: number, column: number) => number;

  /** `engineScript` is the URL of the engine's own bundle; `builtinColumn` maps columns of `node:<id>`. */
  constructor(engineScript: string, builtinColumn: (id: string, line: number, column: number) => number) {
    this.engineScript = engineScript;
    this.builtinColumn = builtinColumn;
  }

  setCallback(callback: PrepareStackTrace): void {
    this.callback = callback;
  }

  /** Says how to get from columns of the compiled `script` to those of its source. */
  registerMapper(script: string, mapper: ColumnMapper): void {
    this.mappers.set(script, mapper);
  }

  /** The 1-based column in the source. */
  sourceColumn(script: string, line: number, column: number): number {
    if (script.startsWith('node:')) return this.builtinColumn(script.slice(5), line, column);
    return this.mappers.get(script)?.(line, column) ?? column;
  }

  isEngineScript(script: string | null): boolean {
    return script === this.engineScript;
  }

  /** The script of the engine's own WebAssembly, once it is known. */
  private readonly engineWasm = new Set<string>();

  /** Notes the script name of WebAssembly of the engine. Called from a function of the engine that it calls; only the first time does anything. */
  learnWasm(): void {
    if (this.engineWasm.size > 0) return;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 10;
    this.learning = true;
    try {
      void new Error().stack;
    } finally {
      this.learning = false;
      Error.stackTraceLimit = limit;
    }
  }

  private learning = false;

  /** Machine code in real Node (the HTTP parser): a run of WebAssembly between frames of the engine. A guest's own is called by the guest. */
  private isEngineWasm(trace: CallSite[], index: number): boolean {
    const scriptOf = (at: number): string | null => trace[at]?.getScriptNameOrSourceURL() ?? null;
    const isWasm = (at: number): boolean => scriptOf(at)?.startsWith('wasm://') ?? false;
    if (!isWasm(index)) return false;
    let callee = index;
    while (isWasm(callee)) callee--;
    let caller = index;
    while (isWasm(caller)) caller++;
    if (!this.isEngineScript(scriptOf(callee))) return false;
    // A trace may end inside it.
    return caller === trace.length
      ? this.engineWasm.has(scriptOf(index) as string)
      : this.isEngineScript(scriptOf(caller));
  }

  /** The engine's stand-in for `Promise` calls the executor itself, where real Node's frame is V8's. */
  private isPromiseConstructor(trace: CallSite[], index: number): boolean {
    const site = trace[index] as CallSite;
    return (
      this.isEngineScript(site.getScriptNameOrSourceURL()) &&
      site.getFunctionName() === CONSTRUCTOR_NAME &&
      // Not where V8's own constructor refuses what it is given.
      trace[index - 1]?.toString() !== PROMISE_FRAME
    );
  }

  /** A module's body is a generator (decision 4), which the engine steps. Those of others go through the engine's `next` (async-iteration.ts). */
  private isModuleStep(trace: CallSite[], index: number): boolean {
    if (!/^(?:Async)?Generator\.next/.test((trace[index] as CallSite).toString())) return false;
    const isEngine = (at: number): boolean => this.isEngineScript(trace[at]?.getScriptNameOrSourceURL() ?? null);
    const caller = trace[index + 1]?.getFunctionName() === 'next' && isEngine(index + 1) ? index + 2 : index + 1;
    return isEngine(caller);
  }

  adapt(trace: CallSite[]): CallSite[] {
    if (this.learning) {
      const caller = trace.map((site) => site.getScriptNameOrSourceURL()).find((name) => name?.startsWith('wasm://'));
      if (caller) this.engineWasm.add(caller);
    }
    const out: CallSite[] = [];
    for (const [index, site] of trace.entries()) {
      // Undefined in frames of V8's own built-in texts (`+` of strings that become too long).
      const script = site.getScriptNameOrSourceURL() ?? null;
      if (this.isPromiseConstructor(trace, index)) {
        out.push(promiseConstructorSite);
        continue;
      }
      const isModuleStep = script === null && this.isModuleStep(trace, index);
      // The engine compiles to check (source-compiler.ts); a guest's own `new Function` is called by the guest.
      const isBrowserFrame =
        script === null &&
        (/^(?:eval|dispatchEvent|EventTarget\.dispatchEvent) \(/.test(site.toString()) ||
          (this.isEngineScript(trace[index + 1]?.getScriptNameOrSourceURL() ?? null) &&
            site.toString() === 'new Function (<anonymous>)'));
      if (script === this.engineScript || isBrowserFrame || isModuleStep || this.isEngineWasm(trace, index)) continue;
      const compiledColumn = site.getColumnNumber() ?? 1;
      const column =
        script === null ? compiledColumn : this.sourceColumn(script, site.getLineNumber() ?? 1, compiledColumn);
      out.push(
        column === compiledColumn &&
          !site.isEval() &&
          !site.getFunctionName()?.endsWith('.__proto__') &&
          script !== 'node:internal/modules/cjs/loader'
          ? site
          : (new SourceSite(site, column) as unknown as CallSite),
      );
    }
    const limit = Error.stackTraceLimit;
    return typeof limit === 'number' && out.length > limit ? out.slice(0, Math.max(0, limit)) : out;
  }

  /** Runs `body` with a stack limit that leaves room for the engine's own frames, which adapt() takes out again. */
  withRoomForFrames<T>(body: () => T): T {
    const limit = Error.stackTraceLimit;
    if (typeof limit !== 'number') return body();
    Error.stackTraceLimit = limit + ENGINE_FRAMES;
    try {
      return body();
    } finally {
      Error.stackTraceLimit = limit;
    }
  }

  /** The adapted call sites of an error that has not been formatted yet; undefined when it has. */
  capture(error: object): CallSite[] | undefined {
    let sites: CallSite[] | undefined;
    const wasCapturing = this.capturing;
    this.capturing = (adapted) => {
      sites = adapted;
    };
    try {
      void (error as Error).stack;
    } finally {
      this.capturing = wasCapturing;
    }
    return sites;
  }

  private capturing: ((adapted: CallSite[]) => void) | undefined;

  /** Turns `Error.prepareStackTrace` (as lib has set it up) into the accessor. Call it at the end of the bootstrap. */
  install(): void {
    const nodeDefault = (Error as any).prepareStackTrace;
    let current: unknown = nodeDefault;
    let inside = false;
    const format = (error: unknown, trace: CallSite[]): unknown => {
      const adapted = this.adapt(trace);
      this.capturing?.(adapted);
      if (inside || !this.callback) return nodeDefault(error, adapted);
      inside = true;
      try {
        return this.callback(globalThis, error, adapted);
      } finally {
        inside = false;
      }
    };
    // V8 and the guest read through the same getter. V8 must get `format`; so the guest gets what stands for its own function, and may put it back.
    const standIns = new WeakMap<object, () => unknown>();
    const standInOf = (value: unknown): unknown => {
      // Inside, it is a formatter of the guest that calls the one before it.
      const standIn = (error: unknown, trace: CallSite[]): unknown =>
        inside && typeof value === 'function' ? value.call(Error, error, trace) : format(error, trace);
      standIns.set(standIn, () => value);
      return standIn;
    };
    let standIn = standInOf(current);
    Object.defineProperty(Error, 'prepareStackTrace', {
      configurable: true,
      enumerable: false,
      get: () => (inside ? current : standIn),
      set: (value) => {
        const known = typeof value === 'function' ? standIns.get(value) : undefined;
        current = known ? known() : value;
        standIn = known ? value : standInOf(value);
      },
    });
  }
}

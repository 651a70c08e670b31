// Makes V8's stack traces what real Node would show: the engine's own frames disappear, and columns of rewritten scripts become those of
// their source. V8 asks `Error.prepareStackTrace`, which Node defines anyway; here it is an accessor around it.

/** What lib registers with `setPrepareStackTraceCallback`. */
export type PrepareStackTrace = (globalThis: unknown, error: unknown, trace: CallSite[]) => unknown;

/** V8's CallSite; only what is adapted is typed. */
export interface CallSite {
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  getFunctionName(): string | null;
  getScriptNameOrSourceURL(): string | null;
  toString(): string;
}

/** How many frames of its own the engine puts on the stack between lib and V8, at most. */
const ENGINE_FRAMES = 8;

const DELEGATED = `getThis getTypeName getFunction getMethodName getFileName getLineNumber isToplevel isNative
isConstructor isAsync isPromiseAll getPromiseIndex getScriptNameOrSourceURL getScriptHash getEnclosingColumnNumber getEnclosingLineNumber
getPosition`.split(/\s+/);

/**
 * V8 calls an anonymous function of evaluated code `eval`; real Node compiles without eval and shows what follows here. And a newer V8 than
 * Node's names one frame of the module loader otherwise.
 */
function asNodePrints(text: string): string {
  return text
    .replace('Module._extensions..js (node:', 'Object..js (node:')
    .replace(/^(async )?eval \((.*)\)$/, '$1$2')
    .replace(
      /^(async |new )?((?:[^\s(]+\.)?)eval(?: \[as ([^\]]+)\])?(?= \()/,
      (_, prefix = '', receiver, alias) => `${prefix}${receiver}${alias ?? '<anonymous>'}`,
    );
}

/** A call site as it would be if the script had been compiled from its source. Its methods are its prototype's: source-map-support looks there. */
class SourceSite {
  readonly #site: CallSite;
  readonly #column: number;

  constructor(site: CallSite, column: number) {
    this.#site = site;
    this.#column = column;
  }

  getColumnNumber(): number {
    return this.#column;
  }

  getFunctionName(): string | null {
    const name = this.#site.getFunctionName();
    return name === 'eval' ? null : name;
  }

  isEval(): boolean {
    return false;
  }

  getEvalOrigin(): undefined {
    return undefined;
  }

  toString(): string {
    return asNodePrints(this.#site.toString().replace(/:(\d+):\d+(\)?)$/, `:$1:${this.#column}$2`));
  }

  static {
    Object.defineProperty(SourceSite, 'name', { value: 'CallSite' });
    for (const method of DELEGATED)
      Object.defineProperty(SourceSite.prototype, method, {
        configurable: true,
        writable: true,
        value(this: SourceSite, ...given: unknown[]) {
          return (this.#site as any)[method]?.(...given);
        },
      });
  }
}

/** From a 1-based line and column of the compiled text to the column in the source; lines are the same in both. */
export type ColumnMapper = (line: number, column: number) => number;

export class StackTraces {
  private readonly mappers = new Map<string, ColumnMapper>();
  private readonly engineScript: string;
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

  /** Machine code in real Node (the HTTP parser): a run of WebAssembly between frames of the engine. A guest's own is called by the guest. */
  private isEngineWasm(trace: CallSite[], index: number): boolean {
    const scriptOf = (at: number): string | null => trace[at]?.getScriptNameOrSourceURL() ?? null;
    const isWasm = (at: number): boolean => scriptOf(at)?.startsWith('wasm://') ?? false;
    if (!isWasm(index)) return false;
    let callee = index;
    while (isWasm(callee)) callee--;
    let caller = index;
    while (isWasm(caller)) caller++;
    // A trace may end inside it.
    return this.isEngineScript(scriptOf(callee)) && (caller === trace.length || this.isEngineScript(scriptOf(caller)));
  }

  adapt(trace: CallSite[]): CallSite[] {
    const out: CallSite[] = [];
    for (const [index, site] of trace.entries()) {
      const script = site.getScriptNameOrSourceURL();
      // A module's body is a generator (decision 4), which the engine steps.
      const isModuleStep =
        script === null &&
        this.isEngineScript(trace[index + 1]?.getScriptNameOrSourceURL() ?? null) &&
        /^(?:Async)?Generator\.next/.test(site.toString());
      const isBrowserFrame =
        script === null && /^(?:eval|dispatchEvent|EventTarget\.dispatchEvent) \(/.test(site.toString());
      if (script === this.engineScript || isBrowserFrame || isModuleStep || this.isEngineWasm(trace, index)) continue;
      const compiledColumn = site.getColumnNumber() ?? 1;
      const column =
        script === null ? compiledColumn : this.sourceColumn(script, site.getLineNumber() ?? 1, compiledColumn);
      out.push(
        column === compiledColumn && site.getFunctionName() !== 'eval' && script !== 'node:internal/modules/cjs/loader'
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
    const hook = (error: unknown, trace: CallSite[]): unknown => {
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
    Object.defineProperty(Error, 'prepareStackTrace', {
      configurable: true,
      enumerable: false,
      // V8 and the guest read through the same getter: V8 must get the hook, lib's callback (inside) the guest's own function.
      get: () => (inside ? current : hook),
      set: (value) => {
        current = value === hook ? nodeDefault : value;
      },
    });
  }
}

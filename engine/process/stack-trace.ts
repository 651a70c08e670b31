// Makes V8's stack traces what real Node would show: the engine's own frames disappear, and columns of rewritten scripts become those of
// their source. V8 asks `Error.prepareStackTrace`, which Node defines anyway; here it is an accessor around it.

/** What lib registers with `setPrepareStackTraceCallback`. */
export type PrepareStackTrace = (globalThis: unknown, error: unknown, trace: CallSite[]) => unknown;

/** V8's CallSite; only what is adapted is typed. */
export interface CallSite {
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  getScriptNameOrSourceURL(): string | null;
  toString(): string;
}

const DELEGATED =
  `getThis getTypeName getFunction getFunctionName getMethodName getFileName getLineNumber getEvalOrigin isToplevel isEval isNative
isConstructor isAsync isPromiseAll getPromiseIndex getScriptNameOrSourceURL getScriptHash getEnclosingColumnNumber getEnclosingLineNumber
getPosition`.split(/\s+/);

/** A call site with another column. */
function siteAtColumn(site: CallSite, column: number): CallSite {
  const moved: any = {
    getColumnNumber: () => column,
    toString: () => site.toString().replace(/:(\d+):\d+(\)?)$/, `:$1:${column}$2`),
  };
  for (const method of DELEGATED) moved[method] = (...args: unknown[]) => (site as any)[method]?.(...args);
  return moved;
}

/** From a 1-based line and column of the compiled text to the column in the source; lines are the same in both. */
export type ColumnMapper = (line: number, column: number) => number;

export class StackTraces {
  private readonly mappers = new Map<string, ColumnMapper>();
  private readonly engineScript: string;
  private callback: PrepareStackTrace | undefined;

  /** `engineScript` is the URL of the engine's own bundle. */
  constructor(engineScript: string) {
    this.engineScript = engineScript;
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
    return this.mappers.get(script)?.(line, column) ?? column;
  }

  isEngineScript(script: string | null): boolean {
    return script === this.engineScript;
  }

  adapt(trace: CallSite[]): CallSite[] {
    const out: CallSite[] = [];
    for (const site of trace) {
      const script = site.getScriptNameOrSourceURL();
      if (script === this.engineScript || (script === null && /^dispatchEvent|EventTarget/.test(site.toString())))
        continue;
      const mapper = script === null ? undefined : this.mappers.get(script);
      const compiledColumn = site.getColumnNumber() ?? 1;
      const column = mapper ? mapper(site.getLineNumber() ?? 1, compiledColumn) : compiledColumn;
      out.push(column === compiledColumn ? site : siteAtColumn(site, column));
    }
    return out;
  }

  /** The adapted call sites of an error that has not been formatted yet; undefined when it has. */
  capture(error: object): CallSite[] | undefined {
    let sites: CallSite[] | undefined;
    const wasCapturing = this.capturing;
    this.capturing = (trace) => {
      sites = this.adapt(trace);
    };
    try {
      void (error as Error).stack;
    } finally {
      this.capturing = wasCapturing;
    }
    return sites;
  }

  private capturing: ((trace: CallSite[]) => void) | undefined;

  /** Turns `Error.prepareStackTrace` (as lib has set it up) into the accessor. Call it at the end of the bootstrap. */
  install(): void {
    const nodeDefault = (Error as any).prepareStackTrace;
    let current: unknown = nodeDefault;
    let inside = false;
    const hook = (error: unknown, trace: CallSite[]): unknown => {
      if (this.capturing) {
        this.capturing(trace);
        return '';
      }
      const adapted = this.adapt(trace);
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

// The fate of an exception that nothing caught, as node::errors::TriggerUncaughtException decides and prints it.
import type { ProcessEnvironment } from './environment';
import type { StackTraces } from './stack-trace';

/** Where an exception was thrown, in the terms of the source (not of the wrapped script). 1-based. */
export interface ThrowPosition {
  script: string;
  line: number;
  column: number;
}

/** V8 ends a process by a trap. */
const SIGTRAP = 5;
/** How far behind the making of an error its throw is looked for. */
const THROW_WITHIN_LINES = 20;

export interface Enhancers {
  beforeInspector?: (error: unknown) => unknown;
  afterInspector?: (error: unknown) => unknown;
}

/** `file:line`, the source line and carets below the column and what follows, as node::GetErrorSource builds it. */
export function errorSource(position: ThrowPosition, sourceLine: string, carets: number | 'none' = 1): string {
  const place = `${position.script}:${position.line}\n${sourceLine}\n`;
  if (carets === 'none') return place;
  let underline = '';
  for (let index = 0; index < position.column - 1 && index < sourceLine.length; index++) {
    underline += sourceLine[index] === '\t' ? '\t' : ' ';
  }
  return `${place}${underline}${'^'.repeat(carets)}\n`;
}

export class Exceptions {
  readonly enhancers: Enhancers = {};
  private readonly environment: ProcessEnvironment;
  private readonly traces: StackTraces;
  private readonly process: any;
  private readonly exit: (code: number) => never;
  /** Sources of scripts that are not files (`[eval]`, vm scripts), newest last. */
  private readonly sources = new Map<string, string>();

  constructor(environment: ProcessEnvironment, traces: StackTraces, process: any, exit: (code: number) => never) {
    this.environment = environment;
    this.traces = traces;
    this.process = process;
    this.exit = exit;
  }

  /** Remembers the source of a script without a file, for its line in an error report. */
  rememberSource(script: string, source: string): void {
    this.sources.delete(script);
    this.sources.set(script, source);
    if (this.sources.size > 200) this.sources.delete(this.sources.keys().next().value as string);
  }

  /** The text of a script, as far as it is known now: a file may have changed since it was loaded. */
  sourceOf(script: string): string | undefined {
    return this.sources.get(script) ?? this.fileSource(script) ?? this.environment.builtinSource(script);
  }

  sourceLine(script: string, line: number): string | undefined {
    return this.sourceOf(script)?.split('\n')[line - 1]?.replace(/\r$/, '');
  }

  private fileSource(script: string): string | undefined {
    const path = script.startsWith('file://') ? decodeURIComponent(script.slice(7)) : script;
    if (!path.startsWith('/')) return undefined;
    const ino = this.environment.tree.lookup(path);
    return ino > 0 ? this.environment.tree.readText(ino) : undefined;
  }

  /** Line and column (1-based) of a syntax error in `text`: only an error event knows them, so the text is evaluated once more inside one. */
  locateSyntaxError(text: string): { message: string; line: number; column: number } | undefined {
    const { browser } = this.environment;
    let place: { message: string; line: number; column: number } | undefined;
    this.intercept = ({ error, lineno, colno }) => {
      if (error instanceof SyntaxError) place = { message: error.message, line: lineno, column: colno };
    };
    browser.createRunner(() => void browser.evaluate(text))();
    this.intercept = undefined;
    return place;
  }

  private intercept: ((event: { error: unknown; lineno: number; colno: number }) => void) | undefined;

  /** From a browser ErrorEvent: an exception left a callback. */
  reportEvent(event: { error: unknown; message: string; filename: string; lineno: number; colno: number }): void {
    if (this.intercept) {
      this.intercept(event);
      return;
    }
    if (event.error === this.environment.exitSignal) return;
    const column = this.traces.sourceColumn(event.filename, event.lineno, event.colno);
    const position = this.traces.isEngineScript(event.filename)
      ? undefined
      : this.atThrow({ script: event.filename, line: event.lineno, column });
    const isNothing = /^Uncaught (?:null|undefined)$/.test(event.message);
    this.trigger(isNothing ? event.error : (event.error ?? event.message), false, position);
  }

  /** node::errors::TriggerUncaughtException. Returns when the guest handled it; otherwise the process has ended. */
  trigger(error: unknown, fromPromise: boolean, thrownAt?: ThrowPosition): void {
    const position = thrownAt ?? this.positionOf(error) ?? (fromPromise ? this.positionOf(new Error()) : undefined);
    const { privateSymbols } = this.environment;
    let handled = false;
    try {
      handled = this.process._fatalException(error, fromPromise);
    } catch (inner) {
      if (inner === this.environment.exitSignal) throw inner;
      this.print(inner, this.positionOf(inner));
      this.exit(7);
    }
    if (handled) return;
    const arrow = privateSymbols.arrow_message_private_symbol;
    const isObject = error !== null && (typeof error === 'object' || typeof error === 'function');
    // What amaro says of TypeScript has the line already.
    const isShown = position?.script === 'node:internal/modules/typescript' && !fromPromise;
    if (isObject && position && !isShown && !(error as any)[arrow]) {
      const line = this.sourceLine(position.script, position.line);
      if (line !== undefined) Reflect.defineProperty(error as object, arrow, { value: errorSource(position, line) });
    }
    this.print(error, position);
    if (this.environment.state.options['--abort-on-uncaught-exception']) {
      this.environment.post({ type: 'kill', pid: this.environment.state.pid, signal: SIGTRAP });
      this.environment.processes.obey();
      throw this.environment.exitSignal;
    }
    this.exit(this.process.exitCode ?? 1);
  }

  /** Browsers report where the error was made; for `throw new …` Node shows the throw. */
  private atThrow(position: ThrowPosition): ThrowPosition {
    const before = this.sourceLine(position.script, position.line)?.slice(0, position.column - 1);
    const statement = before && /\bthrow\s+[^;{}'"`/]*$/.exec(before);
    if (statement) return { ...position, column: statement.index + 1 };
    return this.throwOfVariable(position, before ?? '') ?? position;
  }

  /** Of `const error = new Error()`: the first `throw error` behind it in the same block or a deeper one. */
  private throwOfVariable(position: ThrowPosition, before: string): ThrowPosition | undefined {
    const made = /^(\s*)(?:(?:const|let|var)\s+)?([\w$]+)\s*=\s*$/.exec(before);
    if (!made) return undefined;
    const [, indent, name] = made;
    const lines = this.sourceOf(position.script)?.split('\n') ?? [];
    for (let line = position.line + 1; line <= Math.min(lines.length, position.line + THROW_WITHIN_LINES); line++) {
      const text = lines[line - 1];
      const words = text.trimStart();
      if (words !== '' && text.length - words.length < indent.length) return undefined;
      const after = words.slice('throw '.length);
      if (words.startsWith('throw ') && after.startsWith(name) && !/^[\w$.([]/.test(after.slice(name.length)))
        return { ...position, line, column: text.length - words.length + 1 };
    }
    return undefined;
  }

  private positionOf(error: unknown): ThrowPosition | undefined {
    if (error === null || typeof error !== 'object') return undefined;
    const site = this.traces.capture(error)?.[0];
    const script = site?.getScriptNameOrSourceURL();
    if (!site || !script) return undefined;
    return { script, line: site.getLineNumber() ?? 1, column: site.getColumnNumber() ?? 1 };
  }

  private print(error: unknown, position: ThrowPosition | undefined): void {
    const { privateSymbols } = this.environment;
    const isObject = error !== null && (typeof error === 'object' || typeof error === 'function');
    let trace: unknown;
    let arrow: unknown;
    let decorated = false;
    if (isObject) {
      arrow = (error as any)[privateSymbols.arrow_message_private_symbol];
      decorated = (error as any)[privateSymbols.decorated_private_symbol] === true;
      trace = this.stackOf(error);
    }
    let text: string;
    if (typeof trace === 'string' && trace !== '') {
      const isError = Error.prototype.isPrototypeOf.call(Error.prototype, error as object);
      text =
        typeof arrow === 'string' && !decorated
          ? `${isError ? '' : '\n'}${arrow}${isError ? '\n' : ''}${trace}\n`
          : `${trace}\n`;
    } else {
      let shown: string;
      try {
        // The text of a symbol is refused where C++ asks for it.
        shown = typeof error === 'symbol' ? '' : String(error);
      } catch {
        shown = '<toString() threw exception>';
      }
      const line = position && this.sourceLine(position.script, position.line);
      const source = position && line !== undefined ? `\n${errorSource(position, line)}` : 'Uncaught:\n';
      text = `${source}${shown}\n(Use \`node --trace-uncaught ...\` to show where the exception was thrown)\n`;
    }
    this.environment.writeFully(
      2,
      new this.environment.browser.TextEncoder().encode(`${text}\nNode.js ${this.process.version}\n`),
    );
  }

  private stackOf(error: unknown): unknown {
    let trace: unknown;
    try {
      trace = this.enhancers.beforeInspector?.(error);
      trace = this.enhancers.afterInspector?.(error) ?? trace;
    } catch (inner) {
      if (inner === this.environment.exitSignal) throw inner;
      trace = (error as Error).stack;
    }
    return trace;
  }
}

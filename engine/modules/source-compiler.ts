// Compiles the guest's CommonJS and script text. The browser offers only eval, so a function's parameters are a wrapper around the source;
// `import()` becomes a call of a parameter, and awaits keep the async context (rewrite.ts). Stack traces are mapped back (edits.ts).
import { parse as lexModule } from 'es-module-lexer/js';
import type { ProcessEnvironment } from '../process/environment';
import { errorSource } from '../process/exceptions';
import { claim } from '../process/promise-claims';
import { callsSomething } from './claimed-calls';
import { applyEdits, columnMapper, type Edit, editedText, settleEdits } from './edits';
import { completionEdits, hasGlobalLexicals } from './global-lexicals';
import { NAME } from './names';
import { isDependency, isWorthParsing, parseScript } from './parse';
import { rewrite } from './rewrite';
import { createRewriteCache, type RewriteCache } from './rewrite-cache';
import { bodyFault, type SyntaxFault } from './syntax-fault';

/** Before programs get their own (dynamic-code.ts). */
const PlainFunction = Function;

export type DynamicImport = (specifier: unknown, options?: { with?: Record<string, string> }) => Promise<unknown>;

/** Text longer than this that says nothing of promises is not searched for calls that give some. */
const MAX_SEARCH_LENGTH = 200_000;

/** Whether a script's syntax tree has to be made. Dependencies need few edits, and most cost three regular expressions. */
function needsTree(source: string, name: string): boolean {
  if (!isDependency(name) && source.length < MAX_SEARCH_LENGTH && callsSomething(source)) return true;
  return /\basync\b|\beval\s*\(|\bnew\s+Promise\b/.test(source);
}

/** The edits that a script needs. `wantsTree`: for who has found it out already. */
export function scriptEdits(
  source: string,
  name: string,
  breakable = false,
  wantsTree = breakable || needsTree(source, name),
): Edit[] {
  const edits: Edit[] = source.startsWith('#!') ? [{ start: 0, end: 2, text: '//' }] : [];
  const isOther = isDependency(name);
  if (wantsTree && isWorthParsing(source, name)) {
    const program = parseScript(source);
    if (program) return [...edits, ...rewrite(program, source, { breakable, isDependency: isOther }).edits];
  }
  if (!/\bimport\b\s*(?:\(|\/[*/])/.test(source)) return edits;
  try {
    for (const found of lexModule(source)[0]) {
      if (found.type === 'dynamic')
        edits.push({ start: found.importStart, end: found.importStart + 6, text: NAME.import });
    }
  } catch {
    // What the lexer cannot read, the compiler will not read either: it reports the error with its position.
  }
  return edits;
}

/** sourceURL ends at white space: names with spaces are percent-encoded in traces. */
function sourceUrl(name: string): string {
  return name.replace(/\s/g, encodeURIComponent);
}

export class SourceCompiler {
  private readonly environment: ProcessEnvironment;
  /** lib's callback behind import(). */
  importModule:
    | ((referrer: symbol, specifier: string, phase: number, attributes: object, name: string) => Promise<unknown>)
    | undefined;
  private scripts = 0;
  readonly rewrites: RewriteCache;

  constructor(environment: ProcessEnvironment) {
    this.environment = environment;
    this.rewrites = createRewriteCache(environment.tree);
  }

  /** `import()` as seen from a script: `referrer` is the host-defined option that lib registered it with. */
  dynamicImport(name: string, referrer: symbol): DynamicImport {
    const referrerName = name.startsWith('/') ? `file://${encodeURI(name).replace(/[?#]/g, encodeURIComponent)}` : name;
    return (specifier, options) => {
      try {
        const attributes = Object.assign(Object.create(null), options?.with);
        if (!this.importModule) throw new Error('import() is not available before the module loader is ready');
        return Promise.resolve(
          claim(this.importModule(referrer, `${specifier as string}`, 2, attributes, referrerName)) as Promise<unknown>,
        );
      } catch (error) {
        return Promise.reject(error);
      }
    };
  }

  /** A sloppy-mode function of `parameters` whose body is `source`. Syntax errors are decorated as Node decorates them. */
  compileFunction(source: string, parameters: string[], name: string, referrer: symbol): Function {
    const wantsTree = needsTree(source, name);
    const make = () => ({ edits: settleEdits(source, scriptEdits(source, name, false, wantsTree)), facts: null });
    const kind = isDependency(name) ? 'script of a package' : 'script';
    const { edits } = wantsTree ? this.rewrites(source, kind, make) : make();
    const text = editedText(source, edits);
    const usesImport = edits.some((edit) => edit.text === NAME.import);
    const head = `(function (${[...parameters, ...(usesImport ? [NAME.import] : [])].join(', ')}) {`;
    this.register(name, source, edits, head.length);
    let compiled: Function;
    try {
      compiled = this.environment.traces.withRoomForFrames(() =>
        this.environment.browser.evaluate(`${head}${text}\n})\n//# sourceURL=${sourceUrl(name)}`),
      );
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const columnOf = (line: number, column: number) =>
        this.environment.traces.sourceColumn(sourceUrl(name), line, column);
      const fault = bodyFault((body) => this.judge(body), { source, text, head, columnOf });
      if (!fault) throw error;
      throw this.decorated(new SyntaxError(fault.message), source, name, fault);
    }
    if (!usesImport) return compiled;
    const importer = this.dynamicImport(name, referrer);
    const position = parameters.length;
    return function (this: unknown, ...args: unknown[]): unknown {
      args[position] = importer;
      return Reflect.apply(compiled, this, args);
    };
  }

  /** Runs a script in the global scope and returns its completion value. `breakable`: see rewrite.ts. */
  runScript(source: string, name: string, referrer: symbol, breakable = false): unknown {
    const edits = scriptEdits(source, name, breakable);
    if (edits.some((edit) => edit.text === NAME.import)) {
      // A script has no parameters: its importer is a hidden global, one per script.
      const key = `${NAME.import}${++this.scripts}`;
      Object.defineProperty(globalThis, key, { value: this.dynamicImport(name, referrer), configurable: true });
      for (const edit of edits) if (edit.text === NAME.import) edit.text = key;
    }
    const program =
      /\b(?:let|const|class)\b/.test(source) && isWorthParsing(source, name) ? parseScript(source) : undefined;
    if (program && hasGlobalLexicals(program)) return this.runTrueScript(source, program, name, edits);
    const edited = applyEdits(source, edits);
    this.register(name, source, edited.edits, 0);
    return this.environment.browser.evaluate(`${edited.text}\n//# sourceURL=${sourceUrl(name)}`);
  }

  private runTrueScript(source: string, program: any, name: string, edits: Edit[]): unknown {
    const key = `${NAME.completion}${++this.scripts}`;
    const completion = completionEdits(source, program, key, edits);
    const moved = completion.find(({ start, end }) => end > start);
    const kept = edits.filter(({ start, end }) => !moved || start < moved.start || end > moved.end);
    const { text, edits: applied } = applyEdits(source, [...kept, ...completion]);
    this.register(name, source, applied, 0);
    Object.defineProperty(globalThis, key, { value: undefined, writable: true, configurable: true });
    try {
      this.environment.browser.runScript(`${text}\n//# sourceURL=${sourceUrl(name)}`);
      return (globalThis as any)[key];
    } catch (error) {
      // The browser says by which function it met the name that is taken.
      const [, said] = /^Failed to execute 'importScripts' on '\w+': (.*)$/s.exec((error as Error)?.message) ?? [];
      throw said !== undefined && error instanceof SyntaxError ? new SyntaxError(said) : error;
    } finally {
      delete (globalThis as any)[key];
    }
  }

  /** Throws the SyntaxError of a script that does not parse; runs nothing. A top-level `return` passes here and fails when the script runs. */
  checkScript(source: string, name: string): void {
    const text = source.startsWith('#!') ? `//${source.slice(2)}` : source;
    try {
      this.environment.traces.withRoomForFrames(() => new PlainFunction(text));
    } catch (error) {
      const place = this.judge(text);
      if (place) this.decorated(error as SyntaxError, source, name, { ...place, carets: 1 });
      throw error;
    }
  }

  /** What V8 says of a text that does not parse; one that does must do nothing. */
  judge(text: string): { message: string; line: number; column: number } | undefined {
    return this.environment.exceptions.locateSyntaxError(text);
  }

  /** Adds file, line and carets to a SyntaxError, as node::errors::DecorateErrorStack does. */
  decorated(error: SyntaxError, source: string, name: string, place: Omit<SyntaxFault, 'message'>): SyntaxError {
    const { privateSymbols } = this.environment;
    const { line, column, carets } = place;
    const arrow = errorSource({ script: name, line, column }, source.split('\n')[line - 1] ?? '', carets);
    (error as any)[privateSymbols.arrow_message_private_symbol] = arrow;
    (error as any)[privateSymbols.decorated_private_symbol] = true;
    error.stack = `${arrow}\n${error.stack}`;
    return error;
  }

  private register(name: string, source: string, edits: Edit[], headWidth: number): void {
    const { traces, exceptions } = this.environment;
    if (!name.startsWith('/') && !name.startsWith('file:')) exceptions.rememberSource(name, source);
    traces.registerMapper(
      sourceUrl(name),
      edits.length === 0
        ? (line, column) => (line === 1 ? Math.max(1, column - headWidth) : column)
        : columnMapper(source, edits, headWidth),
    );
  }
}

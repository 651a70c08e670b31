// contextify: compiling CommonJS and vm scripts.
import { VmContexts } from '../modules/vm-context';
import { unsupported } from '../process/dump';
import type { Binding } from '../process/environment';
import { createInterrupt } from './interrupt';
import { warnNow } from './sync-warning';

/** Errors that only an ES module's source causes, as node_contextify.cc lists them. */
const MODULE_SYNTAX = [
  'Cannot use import statement outside a module',
  "Unexpected token 'export'",
  "Cannot use 'import.meta' outside a module",
];
/** Errors that CommonJS causes in source which is fine as a module: decided by a second look. */
const ONLY_IN_COMMONJS = [
  "Identifier '__filename' has already been declared",
  "Identifier '__dirname' has already been declared",
  "Identifier 'exports' has already been declared",
  "Identifier 'module' has already been declared",
  "Identifier 'require' has already been declared",
  'await is only valid in async functions and the top level bodies of modules',
];
const COMMONJS_PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];

export const contextify: Binding = (environment) => {
  const { browser, privateSymbols, symbols } = environment;
  const compiler = environment.compiler;
  const contexts = new VmContexts(environment);
  const interrupt = createInterrupt(environment);
  const defaultReferrer = symbols.vm_dynamic_import_default_internal;

  const isModuleSyntaxError = (error: unknown, source: string): boolean => {
    if (!(error instanceof SyntaxError)) return false;
    if (MODULE_SYNTAX.some((message) => error.message.includes(message))) return true;
    if (!ONLY_IN_COMMONJS.some((message) => error.message.includes(message))) return false;
    try {
      browser.evaluate(`(async function () {${source.startsWith('#!') ? '//' : ''}${source}\n})`);
      return true;
    } catch (second) {
      return second instanceof SyntaxError && MODULE_SYNTAX.some((message) => second.message.includes(message));
    }
  };
  const magicComment = (source: string, name: string): string | undefined => {
    const found = source.lastIndexOf(`${name}=`);
    return found < 0 ? undefined : /^\S+/.exec(source.slice(found + name.length + 1))?.[0].replace(/\*\/$/, '');
  };
  const sourceMapOf = (source: string): string | undefined => magicComment(source, 'sourceMappingURL');

  class ContextifyScript {
    declare cachedDataRejected: boolean | undefined;
    readonly sourceURL: string | undefined;
    readonly sourceMapURL: string | undefined;
    readonly #source: string;
    readonly #filename: string;
    readonly #referrer: symbol;

    constructor(
      source: string,
      filename: string,
      _line: number,
      _column: number,
      cached: unknown,
      _produce: boolean,
      _context: unknown,
      referrer: symbol,
    ) {
      (this as any)[privateSymbols.host_defined_option_symbol] = referrer;
      // No browser takes the code of an earlier run: it is always refused, as V8 refuses that of another version.
      if (cached !== undefined) this.cachedDataRejected = true;
      this.sourceURL = magicComment(source, '# sourceURL');
      this.sourceMapURL = sourceMapOf(source);
      this.#source = source;
      this.#filename = filename;
      this.#referrer = referrer;
      compiler.checkScript(source, filename);
    }

    runInContext(context: object | null, timeout: number, _displayErrors: boolean, breakOnSigint: boolean): unknown {
      const run = (breakable: boolean): unknown =>
        context === null || context === undefined
          ? compiler.runScript(this.#source, this.#filename, this.#referrer, breakable)
          : contexts.run(context, this.#source, this.#filename, this.#referrer, { breakable });
      return breakOnSigint || timeout >= 0 ? interrupt.run(() => run(true), breakOnSigint, timeout) : run(false);
    }

    createCachedData(): Uint8Array {
      throw unsupported('vm.Script#createCachedData');
    }
  }

  return Object.assign(environment.dumped('contextify'), {
    ContextifyScript,
    compileFunctionForCJSLoader(source: string, filename: string, _isSea: boolean, detectModule: boolean) {
      try {
        return {
          cachedDataRejected: false,
          canParseAsESM: false,
          sourceMapURL: sourceMapOf(source),
          function: compiler.compileFunction(source, COMMONJS_PARAMETERS, filename, defaultReferrer),
        };
      } catch (error) {
        if (isModuleSyntaxError(error, source)) {
          if (detectModule) return { canParseAsESM: true, function: undefined };
          warnNow(
            environment,
            `Failed to load the ES module: ${filename}. Make sure to set "type": "module" in the nearest package.json file or use the .mjs extension.`,
          );
        }
        throw error;
      }
    },
    containsModuleSyntax(source: string) {
      try {
        browser.evaluate(
          `(function (${COMMONJS_PARAMETERS.join(', ')}) {${source.startsWith('#!') ? '//' : ''}${source}\n})`,
        );
        return false;
      } catch (error) {
        return isModuleSyntaxError(error, source);
      }
    },
    compileFunction(
      source: string,
      filename: string,
      _line: number,
      _column: number,
      _cached: unknown,
      _produce: boolean,
      context: object | undefined,
      extensions: object[] | undefined,
      parameters: string[] | undefined,
      referrer: symbol,
    ) {
      if (extensions && extensions.length > 0) throw unsupported('vm.compileFunction with contextExtensions');
      const compiled: Function =
        context === undefined
          ? compiler.compileFunction(source, parameters ?? [], filename, referrer)
          : contexts.compileFunction(context, source, parameters ?? [], filename, referrer);
      (compiled as any)[privateSymbols.host_defined_option_symbol] = referrer;
      return { function: compiled, sourceMapURL: sourceMapOf(source), cachedDataProduced: false };
    },
    makeContext(target: object | symbol, name: string, _origin: unknown, strings: boolean, wasm: boolean) {
      if (strings === false) throw unsupported('vm.createContext with codeGeneration.strings: false');
      if (wasm === false) throw unsupported('vm.createContext with codeGeneration.wasm: false');
      return contexts.make(target, name);
    },
    startSigintWatchdog() {
      interrupt.watch();
      return true;
    },
    stopSigintWatchdog: () => interrupt.unwatch(),
    watchdogHasPendingSigint: () => interrupt.isPending(),
    measureMemory() {
      throw unsupported('vm.measureMemory');
    },
  });
};

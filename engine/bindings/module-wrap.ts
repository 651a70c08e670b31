// module_wrap: ES modules as lib's loader drives them: construct, link, instantiate, evaluate. Statuses are V8's.
import { type CompiledModule, compileModule } from '../modules/module-record';
import type { DynamicImport } from '../modules/source-compiler';
import type { Binding } from '../process/environment';
import { errorSource } from '../process/exceptions';
import { namespaces } from '../process/namespace-registry';
import type { WaitingModule } from '../process/unsettled-await';

type Resolution = { module: { read(name: string): unknown }; name: string } | 'ambiguous' | undefined;
/** Name of a resolution that stands for a module's whole namespace. */
const NAMESPACE = '*namespace*';

/** Node's own source of the module between require() and a module with a default export. */
const FACADE = `export * from 'original';
export { default } from 'original';
export const __esModule = true;`;

export const moduleWrap: Binding = (environment) => {
  const binding = environment.dumped('module_wrap');
  const { kUninstantiated, kInstantiating, kInstantiated, kEvaluating, kEvaluated, kErrored, kEvaluationPhase } =
    binding;
  const { privateSymbols, symbols, compiler } = environment;
  let initializeImportMeta: ((symbol: symbol, meta: object, wrap: unknown) => void) | undefined;

  class ModuleWrap {
    readonly url: string;
    sourceMapURL: string | undefined;
    hasTopLevelAwait = false;
    /** Only of a module that may wait. */
    #source: string | undefined;
    #isWaiting = false;
    #status = kUninstantiated;
    #error: unknown;
    readonly #compiled: CompiledModule | undefined;
    readonly #referrer: symbol;
    /** A synthetic module: its export cells and the step that fills them. */
    readonly #cells: Map<string, unknown> | undefined;
    readonly #evaluateSynthetic: ((this: ModuleWrap, module: ModuleWrap) => void) | undefined;
    #dependencies: ModuleWrap[] = [];
    #getters: Record<string, () => unknown> = {};
    #body: Generator | AsyncGenerator | undefined;
    #namespace: object | undefined;
    #evaluation: Promise<void> | undefined;
    #sourceObject: unknown;

    /** (url, context, source, line, column, referrer | cachedData) or (url, context, exportNames, evaluationStep, CommonJS module). */
    constructor(
      url: string,
      context: unknown,
      source: string | string[],
      step?: any,
      commonJs?: unknown,
      referrer?: unknown,
    ) {
      if (context !== undefined) throw new Error('ES modules in a vm context are not available in this sandbox');
      this.url = url;
      if (Array.isArray(source)) {
        this.#cells = new Map(source.map((name) => [name, undefined]));
        this.#evaluateSynthetic = step;
        if (commonJs) (this as any)[symbols.imported_cjs_symbol] = commonJs;
        this.#referrer = symbols.source_text_module_default_hdo;
      } else {
        this.#compiled = compileModule(environment, source, url);
        this.hasTopLevelAwait = this.#compiled.hasTopLevelAwait;
        if (this.hasTopLevelAwait) this.#source = source;
        this.sourceMapURL = /\/\/[#@] sourceMappingURL=(\S+)\s*$/.exec(source.slice(-300))?.[1];
        this.#referrer = typeof referrer === 'symbol' ? referrer : Symbol(url);
      }
      (this as any)[privateSymbols.host_defined_option_symbol] = this.#referrer;
    }

    getModuleRequests(): object[] {
      return (this.#compiled?.shape.requests ?? []).map(
        ({ specifier, attributes }) => ({ __proto__: null, specifier, attributes, phase: kEvaluationPhase }) as object,
      );
    }

    link(modules: ModuleWrap[]): void {
      // lib hands an array-like without an iterator when its hooks made it wait.
      this.#dependencies = Array.from({ length: modules.length }, (_, index) => modules[index]);
    }

    #exportNames(seen: Set<ModuleWrap>): Set<string> {
      if (seen.has(this)) return new Set();
      seen.add(this);
      if (this.#cells) return new Set(this.#cells.keys());
      const { locals, indirect, stars } = (this.#compiled as CompiledModule).shape;
      const names = new Set([...locals.keys(), ...indirect.keys()]);
      for (const star of stars)
        for (const name of this.#dependencies[star].#exportNames(seen)) if (name !== 'default') names.add(name);
      return names;
    }

    /** ResolveExport of ECMA-262. */
    #resolve(name: string, seen = new Set<string>()): Resolution {
      const key = `${this.url}\0${name}`;
      if (seen.has(key)) return undefined;
      seen.add(key);
      if (this.#cells) return this.#cells.has(name) ? { module: this, name } : undefined;
      const { locals, indirect, stars } = (this.#compiled as CompiledModule).shape;
      if (locals.has(name)) return { module: this, name };
      const forwarded = indirect.get(name);
      if (forwarded) {
        const dependency = this.#dependencies[forwarded.request];
        return forwarded.name === '*'
          ? { module: dependency, name: NAMESPACE }
          : dependency.#resolve(forwarded.name, seen);
      }
      if (name === 'default') return undefined;
      let found: Resolution;
      for (const star of stars) {
        const candidate = this.#dependencies[star].#resolve(name, seen);
        if (candidate === 'ambiguous') return candidate;
        if (!candidate) continue;
        if (found && typeof found === 'object' && (found.module !== candidate.module || found.name !== candidate.name))
          return 'ambiguous';
        found = candidate;
      }
      return found;
    }

    instantiate(): void {
      if (this.#status !== kUninstantiated) return;
      this.#status = kInstantiating;
      try {
        for (const dependency of this.#dependencies) dependency.instantiate();
        if (this.#compiled) this.#instantiateSource(this.#compiled);
      } catch (error) {
        this.#status = kUninstantiated;
        throw error;
      }
      this.#status = kInstantiated;
    }

    /** Gives an error the line of the name that has no export, if the source is still the one that was compiled. */
    #pointAt(error: Error, start: number, end: number, name: string): void {
      const source = environment.exceptions.sourceOf(this.url);
      const piece = source?.slice(start, end);
      if (source === undefined || !piece || (name !== 'default' && !piece.includes(name))) return;
      const before = source.slice(0, start).split('\n');
      const position = { script: this.url, line: before.length, column: before[before.length - 1].length + 1 };
      const line = source.split('\n')[before.length - 1].replace(/\r$/, '');
      (error as any)[environment.privateSymbols.arrow_message_private_symbol] = errorSource(
        position,
        line,
        end - start,
      );
    }

    #instantiateSource({ shape, usesMeta, factory }: CompiledModule): void {
      for (const { request, name, start, end } of [...shape.imports.values(), ...shape.indirect.values()]) {
        if (name === '*') continue;
        const found = this.#dependencies[request].#resolve(name);
        if (found && found !== 'ambiguous') continue;
        const { specifier } = shape.requests[request];
        const error = new SyntaxError(
          found
            ? `The requested module '${specifier}' contains conflicting star exports for name '${name}'`
            : `The requested module '${specifier}' does not provide an export named '${name}'`,
        );
        this.#pointAt(error, start, end, name);
        throw error;
      }
      const meta = Object.create(null);
      if (usesMeta) initializeImportMeta?.(this.#referrer, meta, this);
      const importer: DynamicImport = compiler.dynamicImport(this.url, this.#referrer);
      const body = factory.call(
        undefined,
        (getters: Record<string, () => unknown>) => {
          this.#getters = getters;
        },
        ...this.#dependencies.map((dependency) => dependency.getNamespace()),
        meta,
        importer,
      );
      // The first step runs up to the yield before the body: synchronously, for an async generator too.
      const published = body.next();
      if (published instanceof Promise) published.catch(() => {});
      this.#body = body;
    }

    /** The current value of an export of this very module; throws in the temporal dead zone. */
    read(name: string): unknown {
      if (name === NAMESPACE) return this.getNamespace();
      if (this.#cells) return this.#cells.get(name);
      const getter = this.#getters[name];
      if (!getter) throw new ReferenceError(`Cannot access '${name}' before initialization`);
      return getter();
    }

    getNamespace(): object {
      if (this.#namespace) return this.#namespace;
      const namespace = Object.create(null);
      this.#namespace = namespace;
      for (const name of [...this.#exportNames(new Set())].sort()) {
        const found = this.#resolve(name);
        if (!found || found === 'ambiguous') continue;
        Object.defineProperty(namespace, name, {
          enumerable: true,
          configurable: false,
          get: () => found.module.read(found.name),
          set: undefined,
        });
      }
      Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' });
      namespaces.add(Object.preventExtensions(namespace));
      return namespace;
    }

    /** True when this module or one that it depends on awaits at its top level. */
    #isAsync(seen = new Set<ModuleWrap>()): boolean {
      if (seen.has(this)) return false;
      seen.add(this);
      return this.hasTopLevelAwait || this.#dependencies.some((dependency) => dependency.#isAsync(seen));
    }

    get hasAsyncGraph(): boolean {
      return this.#isAsync();
    }

    isGraphAsync(): boolean {
      return this.#isAsync();
    }

    #runBody(): unknown {
      return this.#evaluateSynthetic ? this.#evaluateSynthetic.call(this, this) : this.#body?.next();
    }

    /** The namespace with `__esModule` beside its exports: what require() of a module with a default export gives. */
    facade(): object {
      const facade = new ModuleWrap('node:internal/require_module_default_facade', undefined, FACADE, 0);
      facade.link(facade.getModuleRequests().map(() => this));
      facade.instantiate();
      facade.#evaluateNow();
      return facade.getNamespace();
    }

    #evaluateNow(): void {
      if (this.#status === kErrored) throw this.#error;
      if (this.#status >= kEvaluating) return;
      this.#status = kEvaluating;
      try {
        for (const dependency of this.#dependencies) dependency.#evaluateNow();
        this.#runBody();
        this.#status = kEvaluated;
      } catch (error) {
        this.#status = kErrored;
        this.#error = error;
        throw error;
      }
    }

    async #evaluateGraph(): Promise<void> {
      this.#status = kEvaluating;
      try {
        // Siblings start in order and run at the same time; a module that is already being evaluated is part of a cycle.
        const pending = this.#dependencies.map((dependency) =>
          dependency.#status === kEvaluating && !dependency.#evaluation ? undefined : dependency.#start(),
        );
        for (const dependency of pending) if (dependency) await dependency;
        this.#isWaiting = true;
        await this.#runBody();
        this.#isWaiting = false;
        this.#status = kEvaluated;
      } catch (error) {
        this.#isWaiting = false;
        this.#status = kErrored;
        this.#error = error;
        throw error;
      }
    }

    /** Those of the graph whose own body waits at its top level. */
    waiting(seen = new Set<ModuleWrap>()): WaitingModule[] {
      if (seen.has(this)) return [];
      seen.add(this);
      const below = this.#dependencies.flatMap((dependency) => dependency.waiting(seen));
      return this.#isWaiting && this.#source !== undefined
        ? [...below, { url: this.url, source: this.#source }]
        : below;
    }

    #start(): Promise<void> | undefined {
      if (this.#evaluation)
        return this.#status === kEvaluating
          ? this.#isAncestorOfRunning()
            ? undefined
            : this.#evaluation
          : this.#evaluation;
      if (!this.#isAsync()) {
        this.#evaluateNow();
        return undefined;
      }
      this.#evaluation = this.#evaluateGraph();
      this.#evaluation.catch(() => {});
      return this.#evaluation;
    }

    /** In a cycle, waiting for a module that waits for us would never end. */
    #isAncestorOfRunning(seen = new Set<ModuleWrap>()): boolean {
      if (seen.has(this)) return false;
      seen.add(this);
      return this.#dependencies.some(
        (dependency) =>
          dependency.#status === kEvaluating &&
          (dependency.#dependencies.includes(this) || dependency.#isAncestorOfRunning(seen)),
      );
    }

    /** Resolves when the whole graph has run. */
    evaluate(): Promise<void> {
      if (this.#evaluation) return this.#evaluation;
      if (this.#isAsync()) {
        this.#start();
        return this.#evaluation as unknown as Promise<void>;
      }
      try {
        this.#evaluateNow();
        this.#evaluation = Promise.resolve();
      } catch (error) {
        this.#evaluation = Promise.reject(error);
        this.#evaluation.catch(() => {});
      }
      return this.#evaluation;
    }

    /** For require(esm). */
    evaluateSync(): object {
      if (this.#isAsync()) {
        throw Object.assign(
          new Error(
            'require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the top-level await comes from, use --experimental-print-required-tla.',
          ),
          { code: 'ERR_REQUIRE_ASYNC_MODULE' },
        );
      }
      this.#evaluateNow();
      return this.getNamespace();
    }

    getStatus(): number {
      return this.#status;
    }

    getError(): unknown {
      return this.#error;
    }

    setExport(name: string, value: unknown): void {
      if (!this.#cells?.has(name)) throw new ReferenceError(`Export '${name}' is not defined in module`);
      this.#cells.set(name, value);
    }

    setModuleSourceObject(object: unknown): void {
      this.#sourceObject = object;
    }

    getModuleSourceObject(): unknown {
      return this.#sourceObject;
    }

    createCachedData(): Uint8Array {
      return new Uint8Array(0);
    }
  }

  return Object.assign(binding, {
    ModuleWrap,
    setImportModuleDynamicallyCallback(callback: any) {
      compiler.importModule = callback;
    },
    setInitializeImportMetaObjectCallback(callback: any) {
      initializeImportMeta = callback;
    },
    throwIfPromiseRejected() {},
    createRequiredModuleFacade: (wrap: ModuleWrap) => wrap.facade(),
  });
};

// vm contexts. A browser worker cannot make a second realm, so a context is the same realm seen through `with (proxy)`: globals resolve
// to the context object first, language built-ins are shared, and nothing of the process's own globals is visible.
import { parse } from 'acorn';
import type { ProcessEnvironment } from '../process/environment';
import { applyEdits, columnMapper, type Edit } from './edits';
import { patternNames } from './module-shape';
import { NAME } from './names';
import { rewrite } from './rewrite';
import { variableNames } from './scopes';
import { withoutDeclaring, withoutVariables } from './strict-scripts';
import { ContextNames } from './vm-names';

/** Before programs get their own (dynamic-code.ts). */
const PlainFunction = Function;

/** Names that a script declares at its top level or assigns to anywhere: they must land on the context object. */
interface ScriptNames {
  written: Set<string>;
  /** let, const and class of the top level, and whether they are constants. */
  lexicals: Map<string, boolean>;
  /** var and function of the top level. */
  variables: Set<string>;
  functions: string[];
  isStrict: boolean;
  /** Source with top-level let, const and class turned into what persists between scripts. */
  text: string;
  edits: Edit[];
}

/** What rewritten code calls: the engine's own, in every context. */
const SHARED = new Set<string>(Object.values(NAME));

/** Read by a script once its functions are on the context. */
const HOISTED = '\u0269hoisted';

export class VmContexts {
  private readonly environment: ProcessEnvironment;
  private readonly languageGlobals: Set<string>;
  private readonly globals = new WeakMap<object, object>();
  private readonly names = new WeakMap<object, ContextNames>();

  constructor(environment: ProcessEnvironment) {
    this.environment = environment;
    this.languageGlobals = environment.languageGlobals;
  }

  /** node::contextify::ContextifyContext: marks `target` and returns it (a vanilla context gets a fresh object). */
  make(target: object | symbol, _name: string): object {
    const mark = this.environment.privateSymbols.contextify_context_private_symbol;
    const markAs = (object: object): void => void Object.defineProperty(object, mark, { value: object });
    if (typeof target !== 'symbol') {
      markAs(target);
      return target;
    }
    const context = {};
    const global = this.globalOf(context);
    this.globals.set(global, global);
    markAs(context);
    return global;
  }

  /** The context's global object: what the guest put into `context`, and the language's built-ins, which are not enumerable. */
  private globalOf(context: any): object {
    const known = this.globals.get(context);
    if (known) return known;
    const builtin = (target: object, key: PropertyKey): boolean =>
      typeof key === 'string' && this.languageGlobals.has(key) && key in globalThis && !(key in target);
    const global: object = new this.environment.browser.Proxy(context, {
      has: (target, key) => key === 'globalThis' || key in target || builtin(target, key),
      get: (target, key) => {
        if (key === 'globalThis' && !Object.hasOwn(target, key)) return global;
        return builtin(target, key) ? (globalThis as any)[key] : target[key];
      },
      set: (target, key, value) => Reflect.set(target, key, value),
      getOwnPropertyDescriptor: (target, key) => {
        const own = Reflect.getOwnPropertyDescriptor(target, key);
        if (own || !(key === 'globalThis' || builtin(target, key)) || Object.hasOwn(target, key)) return own;
        const value = key === 'globalThis' ? global : (globalThis as any)[key];
        return { value, writable: true, enumerable: false, configurable: true };
      },
      ownKeys: (target) => [
        ...Reflect.ownKeys(target),
        ...(Object.isExtensible(target) ? [...this.languageGlobals].filter((key) => builtin(target, key)) : []),
      ],
    });
    this.globals.set(context, global);
    return global;
  }

  /** A function of `parameters` that sees `context` as its global object. */
  compileFunction(context: object, source: string, parameters: string[], filename: string, referrer: symbol): Function {
    const head = `(function (${parameters.join(', ')}) {`;
    const text = source.startsWith('#!') ? `//${source.slice(2)}` : source;
    const compiled = this.run(context, `${head}${text}\n})`, filename, referrer, {
      headWidth: head.length,
    }) as Function;
    this.environment.exceptions.rememberSource(filename, source);
    return compiled;
  }

  /** Runs a script with `context` as its global object; returns the completion value. `headWidth`: what stands before the guest's text on its first line. */
  run(
    context: any,
    source: string,
    filename: string,
    referrer: symbol,
    { headWidth = 0, breakable = false } = {},
  ): unknown {
    const { browser, compiler, exceptions, traces } = this.environment;
    const names = analyse(source, breakable);
    exceptions.rememberSource(filename, source);
    const importer = compiler.dynamicImport(filename, referrer);
    const isOuter = (key: string): boolean => key in globalThis && !this.languageGlobals.has(key) && !SHARED.has(key);
    const global = this.globalOf(context);
    const declared = this.names.get(context) ?? new ContextNames();
    this.names.set(context, declared);
    let hoisting = names.functions.length > 0;
    const scope = new browser.Proxy(context, {
      has: (target, key) => {
        if (typeof key !== 'string') return false;
        if (key === HOISTED) hoisting = false;
        // While functions are copied to the context, their names mean the declarations.
        if (hoisting && names.functions.includes(key)) return false;
        return (
          key === HOISTED ||
          key === '\u0269code' ||
          key === NAME.import ||
          key in target ||
          declared.has(key) ||
          names.written.has(key) ||
          key === 'globalThis' ||
          isOuter(key)
        );
      },
      get: (target, key) => {
        if (key === Symbol.unscopables) return undefined;
        if (key === '\u0269code') return code;
        if (key === NAME.import) return importer;
        if (declared.has(key)) return declared.read(key as string);
        if (key === 'globalThis') return global;
        if (key in target) return target[key];
        return typeof key === 'string' && this.languageGlobals.has(key) ? (globalThis as any)[key] : undefined;
      },
      set: (target, key, value) => {
        if (!declared.has(key)) return Reflect.set(target, key, value);
        declared.write(key as string, value);
        return true;
      },
      deleteProperty: (target, key) => !declared.has(key) && Reflect.deleteProperty(target, key),
    });
    const directive = names.isStrict ? '"use strict";' : '';
    const hoisted = hoisting
      ? `${directive}${names.functions.map((name) => `this.${name}=${name};`).join('')}${HOISTED};`
      : '';
    const url = filename.replace(/\s/g, encodeURIComponent);
    const toSource = columnMapper(source, names.edits, hoisted.length);
    traces.registerMapper(url, (line, column) =>
      line === 1 ? Math.max(1, toSource(line, column) - headWidth) : toSource(line, column),
    );
    const code = `${hoisted}${names.text}\n//# sourceURL=${url}`;
    const evaluate = new PlainFunction(
      '\u0269scope',
      `with (\u0269scope) { return eval(\u0269code); }\n//# sourceURL=${traces.engineScript}`,
    );
    const ended = declared.declare(names.lexicals, names.variables);
    try {
      return evaluate.call(global, scope);
    } finally {
      ended();
    }
  }
}

/** Top-level lexical declarations become assignments that keep their width (`const` becomes `var  `), so columns hold. */
function analyse(source: string, breakable: boolean): ScriptNames {
  const written = new Set<string>();
  const functions: string[] = [];
  const lexicals = new Map<string, boolean>();
  const variables = new Set<string>();
  const edits: { start: number; end: number; text: string }[] = [];
  const program: any = parse(source, { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: false });
  const collectPattern = (pattern: any): void => patternNames(pattern, (name) => written.add(name));
  const walk = (node: any): void => {
    if (!node || typeof node.type !== 'string') return;
    if (node.type === 'AssignmentExpression') collectPattern(node.left);
    else if (node.type === 'UpdateExpression') collectPattern(node.argument);
    else if (node.type === 'VariableDeclaration' && node.kind === 'var')
      for (const { id } of node.declarations) collectPattern(id);
    else if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') collectPattern(node.left);
    for (const key in node) {
      const child = node[key];
      if (Array.isArray(child)) child.forEach(walk);
      else if (child !== null && typeof child === 'object') walk(child);
    }
  };
  walk(program);
  const isStrict = program.body.some(({ directive }: any) => directive === 'use strict');
  for (const statement of program.body) {
    if (statement.type === 'FunctionDeclaration') {
      functions.push(statement.id.name);
      variables.add(statement.id.name);
      written.add(statement.id.name);
    } else if (statement.type === 'ClassDeclaration') {
      lexicals.set(statement.id.name, false);
      edits.push(
        {
          start: statement.start,
          end: statement.start,
          text: `var ${isStrict ? '\u0269declared=' : ''}${statement.id.name}=`,
        },
        { start: statement.end, end: statement.end, text: ';' },
      );
    } else if (statement.type === 'VariableDeclaration' && statement.kind !== 'var') {
      for (const { id, init } of statement.declarations) {
        patternNames(id, (name) => lexicals.set(name, statement.kind === 'const'));
        if (!init) edits.push({ start: id.end, end: id.end, text: '=void 0' });
      }
      if (isStrict) edits.push(...withoutDeclaring(statement, source));
      else
        edits.push({
          start: statement.start,
          end: statement.start + statement.kind.length,
          text: 'var'.padEnd(statement.kind.length),
        });
    } else {
      variableNames(statement, variables);
      if (isStrict) edits.push(...withoutVariables(statement, source));
    }
  }
  return {
    // A strict script makes no globals by assigning to them.
    written: isStrict ? new Set([...variables, ...lexicals.keys()]) : written,
    isStrict,
    lexicals,
    variables,
    functions,
    ...applyEdits(source, [...edits, ...rewrite(program, source, { breakable }).edits]),
  };
}

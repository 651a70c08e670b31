// vm contexts. A browser worker cannot make a second realm, so a context is the same realm seen through `with (proxy)`: globals resolve
// to the context object first, language built-ins are shared, and nothing of the process's own globals is visible.
import { parse } from 'acorn';
import type { ProcessEnvironment } from '../process/environment';
import { applyEdits } from './edits';
import { patternNames } from './module-shape';
import { NAME, rewrite } from './rewrite';

/** Names that a script declares at its top level or assigns to anywhere: they must land on the context object. */
interface ScriptNames {
  written: Set<string>;
  functions: string[];
  /** Source with top-level let, const and class turned into what persists between scripts. */
  text: string;
}

export class VmContexts {
  private readonly environment: ProcessEnvironment;
  private readonly languageGlobals: Set<string>;

  constructor(environment: ProcessEnvironment) {
    this.environment = environment;
    this.languageGlobals = environment.languageGlobals;
  }

  /** node::contextify::ContextifyContext: marks `target` and returns it (a vanilla context gets a fresh object). */
  make(target: object | symbol, _name: string): object {
    const context: any = typeof target === 'symbol' ? {} : target;
    context[this.environment.privateSymbols.contextify_context_private_symbol] = context;
    return context;
  }

  /** Runs a script with `context` as its global object; returns the completion value. */
  run(context: any, source: string, filename: string, referrer: symbol): unknown {
    const { browser, compiler, exceptions } = this.environment;
    const names = analyse(source);
    exceptions.rememberSource(filename, source);
    const importer = compiler.dynamicImport(filename, referrer);
    const isOuter = (key: string): boolean => key in globalThis && !this.languageGlobals.has(key);
    const scope = new browser.Proxy(context, {
      has: (target, key) => {
        if (typeof key !== 'string') return false;
        return (
          key === '\u0269code' ||
          key === NAME.import ||
          key in target ||
          names.written.has(key) ||
          key === 'globalThis' ||
          isOuter(key)
        );
      },
      get: (target, key) => {
        if (key === Symbol.unscopables) return undefined;
        if (key === '\u0269code') return code;
        if (key === NAME.import) return importer;
        if (key === 'globalThis') return target;
        if (key in target) return target[key];
        return typeof key === 'string' && this.languageGlobals.has(key) ? (globalThis as any)[key] : undefined;
      },
    });
    const hoisted = names.functions.map((name) => `this.${name}=${name};`).join('');
    const code = `${hoisted}${names.text}\n//# sourceURL=${filename.replace(/\s/g, encodeURIComponent)}`;
    const evaluate = new Function('\u0269scope', 'with (\u0269scope) { return eval(\u0269code); }');
    return evaluate.call(context, scope);
  }
}

/** Top-level lexical declarations keep their width (`const` becomes `var  `), so columns hold. */
function analyse(source: string): ScriptNames {
  const written = new Set<string>();
  const functions: string[] = [];
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
  for (const statement of program.body) {
    if (statement.type === 'FunctionDeclaration') {
      functions.push(statement.id.name);
      written.add(statement.id.name);
    } else if (statement.type === 'ClassDeclaration') {
      written.add(statement.id.name);
      edits.push(
        { start: statement.start, end: statement.start, text: `var ${statement.id.name}=` },
        { start: statement.end, end: statement.end, text: ';' },
      );
    } else if (statement.type === 'VariableDeclaration' && statement.kind !== 'var') {
      for (const { id } of statement.declarations) collectPattern(id);
      edits.push({
        start: statement.start,
        end: statement.start + statement.kind.length,
        text: 'var'.padEnd(statement.kind.length),
      });
    }
  }
  return { written, functions, text: applyEdits(source, [...edits, ...rewrite(program, new Map()).edits]).text };
}

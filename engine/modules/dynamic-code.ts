// Code that is made while the program runs: `new Function(…)` and `eval(…)` get what scripts get (source-compiler.ts), so that `import()` and awaits
// in them are ours. As in V8, such code imports from where the calling script lies.
import type { ProcessEnvironment } from '../process/environment';
import type { CallSite } from '../process/source-site';
import type { StackTraces } from '../process/stack-trace';
import { applyEdits } from './edits';
import { NAME } from './names';
import { scriptEdits } from './source-compiler';

/** Code that is made keeps its values: only what it awaits and makes is noted. */
const DEPENDENCY = '/node_modules/';

/** Replaces the four function constructors of the realm, and publishes what `eval(…)` is rewritten to (NAME.code). */
export function installDynamicCode(environment: ProcessEnvironment, traces: StackTraces): void {
  const { Proxy: PlainProxy } = environment.browser;
  const importers = new Map<string, string>();

  /** The hidden global that is `import` for code made by the script that called us. */
  const importerOfCaller = (): string => {
    const script = callingScript(traces) ?? `${environment.state.cwd}/[eval]`;
    let key = importers.get(script);
    if (key === undefined) {
      key = `${NAME.import}in${importers.size}`;
      importers.set(script, key);
      const referrer = environment.symbols.vm_dynamic_import_default_internal;
      Object.defineProperty(globalThis, key, { value: environment.compiler.dynamicImport(script, referrer) });
    }
    return key;
  };

  const rewritten = (source: string): string => {
    if (!/\b(?:import|async|eval|new\s+Promise)\b/.test(source)) return source;
    const edits = scriptEdits(source, DEPENDENCY);
    for (const edit of edits) if (edit.text === NAME.import) edit.text = importerOfCaller();
    return applyEdits(source, edits).text;
  };

  /** `eval` compiles only strings. */
  const code = (source: unknown): unknown => (typeof source === 'string' ? rewritten(source) : source);
  Object.defineProperty(globalThis, NAME.code, { value: code });

  /** `head` begins a function whose body this is to be, where its kind matters: nothing in the text says that it may wait. */
  const rewrittenBody = (body: string, head: string): string =>
    head && /\bawait\b/.test(body) ? rewritten(`${head}${body}\n}`).slice(head.length, -1) : rewritten(body);

  const kinds: [sample: Function, head: string][] = [
    [() => {}, ''],
    [async () => {}, 'async function made(){'],
    [function* () {}, ''],
    [async function* () {}, 'async function*made(){'],
  ];
  for (const [sample, head] of kinds) {
    const { prototype } = Object.getPrototypeOf(sample).constructor;
    const plain = prototype.constructor;
    const withBody = (texts: unknown[]): unknown[] =>
      texts.map((text, index) => (index === texts.length - 1 ? rewrittenBody(`${text as string}`, head) : text));
    const ours: any = new PlainProxy(plain, {
      apply: (target, _this, texts) => Reflect.construct(target, withBody(texts)),
      construct: (target, texts, made) => Reflect.construct(target, withBody(texts), made === ours ? target : made),
    });
    Object.defineProperty(prototype, 'constructor', { value: ours });
    if (plain === globalThis.Function) Object.defineProperty(globalThis, 'Function', { value: ours });
  }
}

/** The innermost script of the guest on the stack, as a path or a URL. */
function callingScript(traces: StackTraces): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  let sites: CallSite[] | undefined;
  try {
    sites = traces.capture(new Error());
  } finally {
    Error.stackTraceLimit = limit;
  }
  const script = sites
    ?.map((site) => site.getScriptNameOrSourceURL())
    .find((name) => name && !name.startsWith('node:'));
  return script?.startsWith('/') ? script.replaceAll('%20', ' ') : (script ?? undefined);
}

// One ES module, as ECMA-262's cyclic module record: a generator whose first step publishes the exported bindings (functions are hoisted, so
// cycles see them) and whose second runs the body. An async generator when the body awaits.
import type { ProcessEnvironment } from '../process/environment';
import { columnMapper, editedText, settleEdits } from './edits';
import { type Binding, type ModuleRequest, type ModuleShape, readShape } from './module-shape';
import { NAME } from './names';
import { isDependency, parseModule, refusalIn } from './parse';
import { rewrite } from './rewrite';
import type { Rewritten } from './rewrite-cache';
import { moduleFault } from './syntax-fault';

export interface CompiledModule {
  shape: ModuleShape;
  hasTopLevelAwait: boolean;
  usesMeta: boolean;
  /** The generator function: (publish, …namespaces, meta, import). */
  factory: Function;
}

/** What is told of a module's text beside its edits. */
interface ModuleFacts {
  requests: ModuleRequest[];
  imports: [local: string, Binding][];
  locals: [exported: string, local: string][];
  indirect: [exported: string, Binding][];
  stars: number[];
  hasTopLevelAwait: boolean;
  usesMeta: boolean;
}

/** Compiles a module's source; throws a decorated SyntaxError. */
export function compileModule(environment: ProcessEnvironment, source: string, url: string): CompiledModule {
  const { compiler, traces, exceptions, browser } = environment;
  const kind = isDependency(url) ? 'module of a package' : 'module';
  const { edits, facts } = compiler.rewrites(source, kind, () => rewriteModule(environment, source, url));
  const { hasTopLevelAwait, usesMeta } = facts;
  const getters = facts.locals.map(([exported, local]) => `${JSON.stringify(exported)}:()=>${local}`).join(',');
  const namespaces = facts.requests.map((_, index) => `${NAME.namespace}${index}`);
  const parameters = ['\u0269publish', ...namespaces, NAME.meta, NAME.import].join(',');
  const head = `(${hasTopLevelAwait ? 'async ' : ''}function*(${parameters}){"use strict";\u0269publish({${getters}});yield;`;
  traces.registerMapper(url, columnMapper(source, edits, head.length));
  if (!url.startsWith('file:')) exceptions.rememberSource(url, source);
  const text = editedText(source, edits);
  let factory: Function;
  try {
    factory = browser.evaluate(`${head}${text}\n})\n//# sourceURL=${url}`);
  } catch (error) {
    // acorn accepted what V8 refuses: its word, at its place.
    const place = compiler.judge(`${head}${text}\n})`);
    if (place && error instanceof SyntaxError) {
      const column = traces.sourceColumn(url, place.line, place.column);
      compiler.decorated(error, source, url, { line: place.line, column, carets: 1 });
    }
    throw error;
  }
  const shape: ModuleShape = {
    requests: facts.requests,
    imports: new Map(facts.imports),
    locals: new Map(facts.locals),
    indirect: new Map(facts.indirect),
    stars: facts.stars,
  };
  return { shape, hasTopLevelAwait, usesMeta, factory };
}

function rewriteModule({ compiler }: ProcessEnvironment, source: string, url: string): Rewritten<ModuleFacts> {
  let program: any;
  try {
    program = parseModule(source);
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    const fault = moduleFault((body) => compiler.judge(body), source, refusal);
    throw compiler.decorated(new SyntaxError(fault.message), source, url, fault);
  }
  const { shape, edits: shaping } = readShape(program, source);
  const rewritten = rewrite(program, source, { imports: shape.imports, isDependency: isDependency(url) });
  const hashBang = source.startsWith('#!') ? [{ start: 0, end: 2, text: '//' }] : [];
  return {
    edits: settleEdits(source, [...hashBang, ...shaping, ...rewritten.edits]),
    facts: {
      requests: shape.requests,
      imports: [...shape.imports],
      locals: [...shape.locals],
      indirect: [...shape.indirect],
      stars: shape.stars,
      hasTopLevelAwait: rewritten.hasTopLevelAwait,
      usesMeta: rewritten.usesMeta,
    },
  };
}

// One ES module, as ECMA-262's cyclic module record: a generator whose first step publishes the exported bindings (functions are hoisted, so
// cycles see them) and whose second runs the body. An async generator when the body awaits.
import type { ProcessEnvironment } from '../process/environment';
import { applyEdits, columnMapper } from './edits';
import { type ModuleShape, readShape } from './module-shape';
import { NAME } from './names';
import { isDependency, parseModule, refusalIn } from './parse';
import { rewrite } from './rewrite';
import { moduleFault } from './syntax-fault';

export interface CompiledModule {
  shape: ModuleShape;
  hasTopLevelAwait: boolean;
  usesMeta: boolean;
  /** The generator function: (publish, …namespaces, meta, import). */
  factory: Function;
}

/** Compiles a module's source; throws a decorated SyntaxError. */
export function compileModule(environment: ProcessEnvironment, source: string, url: string): CompiledModule {
  let program: any;
  try {
    program = parseModule(source);
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw error;
    const { compiler } = environment;
    const fault = moduleFault((body) => compiler.judge(body), source, refusal);
    throw compiler.decorated(new SyntaxError(fault.message), source, url, fault);
  }
  const shape = readShape(program, source);
  const rewritten = rewrite(program, source, { imports: shape.imports, isDependency: isDependency(url) });
  const hashBang = source.startsWith('#!') ? [{ start: 0, end: 2, text: '//' }] : [];
  const { text, edits } = applyEdits(source, [...hashBang, ...shape.edits, ...rewritten.edits]);
  const getters = [...shape.locals].map(([exported, local]) => `${JSON.stringify(exported)}:()=>${local}`).join(',');
  const namespaces = shape.requests.map((_, index) => `${NAME.namespace}${index}`);
  const parameters = ['\u0269publish', ...namespaces, NAME.meta, NAME.import].join(',');
  const head = `(${rewritten.hasTopLevelAwait ? 'async ' : ''}function*(${parameters}){"use strict";\u0269publish({${getters}});yield;`;
  environment.traces.registerMapper(url, columnMapper(source, edits, head.length));
  if (!url.startsWith('file:')) environment.exceptions.rememberSource(url, source);
  let factory: Function;
  try {
    factory = environment.browser.evaluate(`${head}${text}\n})\n//# sourceURL=${url}`);
  } catch (error) {
    // acorn accepted what V8 refuses: its word, at its place.
    const place = environment.compiler.judge(`${head}${text}\n})`);
    if (place && error instanceof SyntaxError) {
      const column = environment.traces.sourceColumn(url, place.line, place.column);
      environment.compiler.decorated(error, source, url, { line: place.line, column, carets: 1 });
    }
    throw error;
  }
  return { shape, hasTopLevelAwait: rewritten.hasTopLevelAwait, usesMeta: rewritten.usesMeta, factory };
}

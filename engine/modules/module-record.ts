// One ES module, as ECMA-262's cyclic module record: a generator whose first step publishes the exported bindings (functions are hoisted, so
// cycles see them) and whose second runs the body. An async generator when the body awaits.
import type { ProcessEnvironment } from '../process/environment';
import { applyEdits, columnMapper } from './edits';
import { type ModuleShape, readShape } from './module-shape';
import { NAME } from './names';
import { isDependency, parseModule } from './parse';
import { rewrite } from './rewrite';

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
    throw syntaxError(environment, error, source, url);
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
    // acorn accepted what V8 refuses: report V8's word with acorn's kind of position.
    environment.compiler.decorate(error, source, `${head}${text}\n})`, url);
    throw error;
  }
  return { shape, hasTopLevelAwait: rewritten.hasTopLevelAwait, usesMeta: rewritten.usesMeta, factory };
}

/** V8's SyntaxError for the source where V8 has one (its messages are what people know), else acorn's. */
function syntaxError(environment: ProcessEnvironment, cause: unknown, source: string, url: string): unknown {
  if (!(cause instanceof SyntaxError)) return cause;
  const { pos, loc } = cause as SyntaxError & { pos?: number; loc?: { line: number; column: number } };
  const error = new SyntaxError(cause.message.replace(/ \(\d+:\d+\)$/, ''));
  if (pos !== undefined && loc) environment.compiler.decorateAt(error, source, url, loc.line, loc.column + 1);
  return error;
}

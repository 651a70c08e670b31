// A program that ends while a module still waits at its top level has not done its work: Node says where, and exits with 13.
import { parseModule } from '../modules/parse';
import { errorSource } from './exceptions';

/** A module whose body waits. */
export interface WaitingModule {
  url: string;
  source: string;
}

/** Node's exit code for it. */
export const UNSETTLED_AWAIT = 13;

/** Node's words for the modules. Which of several awaits of a module it is cannot be known: then the module alone is named. */
export function unsettledWarning(modules: readonly WaitingModule[]): string {
  return modules
    .map(({ url, source }) => {
      const waits = topLevelWaits(parseModule(source));
      return `Warning: Detected unsettled top-level await at ${waits.length === 1 ? placeOf(url, source, waits[0]) : `${url}\n`}\n\n\n`;
    })
    .join('');
}

function placeOf(script: string, source: string, at: number): string {
  const before = source.slice(0, at).split('\n');
  const text = source.split('\n')[before.length - 1];
  return errorSource({ script, line: before.length, column: before[before.length - 1].length + 1 }, text);
}

/** Where V8 sees a module wait: offsets of awaits, of what `for await` assigns to, and of what `await using` holds. */
function topLevelWaits(node: any): number[] {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(topLevelWaits);
  if (/Function/.test(node.type ?? '')) return [];
  const below = Object.values(node).flatMap(topLevelWaits);
  if (node.type === 'AwaitExpression') return [node.start, ...below];
  if (node.type === 'ForOfStatement' && node.await)
    return [(node.left.declarations?.[0].id ?? node.left).start, ...below];
  if (node.type === 'VariableDeclaration' && node.kind === 'await using')
    return [...node.declarations.map(({ init }: any) => init.start), ...below];
  return below;
}

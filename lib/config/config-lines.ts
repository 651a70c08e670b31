// Where in a configuration the key of a problem stands, so that an editor can show it.
import type { Node } from 'jsonc-parser';
import type { ConfigProblem } from './problems';

/** The problems with the lines of their keys in `text`; those that have no key, or one that is not there, are as they were. */
export async function withLines(text: string, problems: readonly ConfigProblem[]): Promise<ConfigProblem[]> {
  const { parseTree } = await import('jsonc-parser');
  const root = parseTree(text, [], { allowTrailingComma: true });
  return problems.map((problem) => {
    const node = root && problem.line === undefined && problem.key !== undefined && nodeAt(root, problem.key);
    return node ? { ...problem, line: lineAt(text, node.offset) } : problem;
  });
}

/** 1-based. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The property of that key, or the last one on the way to it. Names may hold dots, so the longest that fits is taken. */
function nodeAt(node: Node, key: string): Node | undefined {
  if (node.type !== 'object') return undefined;
  const fits = (node.children ?? [])
    .filter((property) => {
      const name = String(property.children?.[0]?.value);
      return key === name || key.startsWith(`${name}.`);
    })
    .sort((a, b) => String(b.children![0]!.value).length - String(a.children![0]!.value).length);
  const [property] = fits;
  if (property === undefined) return undefined;
  const rest = key.slice(String(property.children![0]!.value).length + 1);
  const value = property.children?.[1];
  return (rest !== '' && value !== undefined && nodeAt(value, rest)) || property;
}

// What a tool printed, cut into pieces that a view can draw: plain text, text with a look, and what can be opened. Pieces are data; where a link leads
// is decided here, from the text that everybody sees.
import type { StyleRun, TextStyle } from '../../lib/std/terminal-text';
import { trimEnd } from '../../lib/std/trim-end';
import { printedLink } from '../markdown/links';

export type OutputLink =
  | { kind: 'web'; href: string }
  /** A server of the sandbox. */
  | { kind: 'port'; port: number; path: string }
  | { kind: 'file'; path: string; line: number; column: number };

export interface OutputPiece {
  text: string;
  style?: TextStyle;
  link?: OutputLink;
}

const extensions =
  'ts|tsx|mts|cts|js|jsx|mjs|cjs|json|jsonc|css|scss|less|html|md|mdx|vue|svelte|astro|sh|yml|yaml|toml|txt';
/** An address, or a file with a line: `src/a.ts:3:5`, `file:///home/project/a.mjs:3`, `src/a.ts(3,5)`. */
const links = new RegExp(
  [
    String.raw`(?<url>https?:\/\/[^\s"'<>\x60{}|\\^]+)`,
    String.raw`(?:file:\/\/)?(?<path>(?:\.{0,2}\/)?[\w@+.-]+(?:\/[\w@+.()[\]-]+)*\.(?:${extensions}))(?::(?<line>\d{1,7})(?::(?<column>\d{1,5}))?|\((?<line2>\d{1,7}),(?<column2>\d{1,5})\))`,
  ].join('|'),
  'g',
);
/** What is shown of a line: looking for links in more than that would cost the square of its length. */
export const maxLineChars = 2000;
const punctuation = '.,:;!?';

/**
 * The pieces of the first `maxLineChars` of one line; `runs` are those of the whole text, in which the line begins at `start`. Neighbours that look
 * the same are one piece. What goes on behind the cut is no link: its beginning would lead elsewhere.
 */
export function outputPieces(whole: string, start: number, runs: readonly StyleRun[]): OutputPiece[] {
  const line = whole.slice(0, maxLineChars);
  const marks = linksIn(line, whole.length > line.length);
  const bounds = new Set([0, line.length]);
  const mine = runs.filter((run) => run.end > start && run.start < start + line.length);
  for (const run of mine) {
    bounds.add(Math.max(0, run.start - start));
    bounds.add(Math.min(line.length, run.end - start));
  }
  for (const mark of marks) {
    bounds.add(mark.start);
    bounds.add(mark.end);
  }
  const edges = [...bounds].sort((a, b) => a - b);
  return edges.slice(0, -1).map((from, at) => {
    const style = mine.find((run) => run.start <= start + from && run.end > start + from)?.style;
    const link = marks.find((mark) => mark.start <= from && mark.end > from)?.link;
    return { text: line.slice(from, edges[at + 1]), ...(style && { style }), ...(link && { link }) };
  });
}

interface LinkMark {
  start: number;
  end: number;
  link: OutputLink;
}

function linksIn(line: string, isCut: boolean): LinkMark[] {
  // Without these there is none, and most lines are without.
  if (!/:\/\/|[:(]\d/.test(line)) return [];
  return [...line.matchAll(links)].flatMap((match): LinkMark[] => {
    const { url, path, line: at, column, line2, column2 } = match.groups!;
    const start = match.index;
    if (isCut && start + match[0].length === line.length) return [];
    if (path !== undefined) {
      const link: OutputLink = {
        kind: 'file',
        path,
        line: Number(at ?? line2),
        column: Number(column ?? column2 ?? 1),
      };
      return [{ start, end: start + match[0].length, link }];
    }
    const text = withoutEnd(url!);
    const link = printedLink(text);
    return link === undefined ? [] : [{ start, end: start + text.length, link }];
  });
}

/** What ends a sentence or closes what was opened before the address is not part of it. */
function withoutEnd(url: string): string {
  let text = trimEnd(url, punctuation);
  while (text.endsWith(')') && text.split(')').length > text.split('(').length) text = text.slice(0, -1);
  while (text.endsWith(']') && text.split(']').length > text.split('[').length) text = text.slice(0, -1);
  return trimEnd(text, punctuation);
}

// Differences line by line, in bounded time: where two texts have next to nothing in common, one change stands for all that differs, because
// the least one would take minutes to find and tell nobody anything.
import { diffArrays, type StructuredPatchHunk, structuredPatch } from 'diff';

/** Beyond so many lines removed and added, the shortest difference is not looked for: the search grows with the square of it. */
const maxEditLength = 1200;

/** A run of lines of the old text that others replace. `end` is exclusive; lines have their endings. */
export interface LineChange {
  start: number;
  end: number;
  lines: string[];
}

/** Lines with their endings; joined they are the text. */
export function linesWithEndings(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What turns `from` into `to`, in order, disjoint. */
export function lineChanges(from: readonly string[], to: readonly string[]): LineChange[] {
  const parts = diffArrays([...from], [...to], { maxEditLength });
  if (parts === undefined) {
    const { start, fromEnd, toEnd } = differingMiddle(from, to);
    return [{ start, end: fromEnd, lines: to.slice(start, toEnd) }];
  }
  const changes: LineChange[] = [];
  let at = 0;
  let open: LineChange | undefined;
  for (const part of parts) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      open = undefined;
      continue;
    }
    if (!open) changes.push((open = { start: at, end: at, lines: [] }));
    if (part.removed) {
      at += part.value.length;
      open.end = at;
    } else open.lines.push(...part.value);
  }
  return changes;
}

/** A final newline does not begin a line. */
export function lineCount(text: string): number {
  return linesWithEndings(text).length;
}

/** Where `count` lines of `from`, the first at index `first`, are in `to`; undefined when one of them was changed. */
export function lineMoves(from: string, to: string): (first: number, count: number) => number | undefined {
  const changes = lineChanges(linesWithEndings(from), linesWithEndings(to));
  return (first, count) => {
    let now = first;
    for (const { start, end, lines } of changes) {
      if (end <= first) now += lines.length - (end - start);
      else if (start < first + count) return undefined;
    }
    return now;
  };
}

/** The hunks of a unified diff with three lines of context. */
export function lineHunks(before: string, after: string): StructuredPatchHunk[] {
  const context = 3;
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context, maxEditLength });
  if (patch !== undefined) return patch.hunks;
  const [from, to] = [linesWithEndings(before), linesWithEndings(after)];
  const { start, fromEnd, toEnd } = differingMiddle(from, to);
  const first = Math.max(0, start - context);
  const last = from.slice(fromEnd, fromEnd + context);
  const marked = (mark: string, lines: readonly string[]) =>
    lines.flatMap((line) =>
      line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
    );
  return [
    {
      oldStart: first + 1,
      oldLines: fromEnd - first + last.length,
      newStart: first + 1,
      newLines: toEnd - first + last.length,
      lines: [
        ...marked(' ', from.slice(first, start)),
        ...marked('-', from.slice(start, fromEnd)),
        ...marked('+', to.slice(start, toEnd)),
        ...marked(' ', last),
      ],
    },
  ];
}

/** Where the two begin to differ, and where what is the same at their ends begins. */
function differingMiddle(from: readonly string[], to: readonly string[]) {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start++;
  let same = 0;
  while (same < most - start && from[from.length - 1 - same] === to[to.length - 1 - same]) same++;
  return { start, fromEnd: from.length - same, toEnd: to.length - same };
}

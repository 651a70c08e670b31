// The difference that a write or an edit made: unified text for the view, counts, and a short piece for the model.
import { formatPatch } from 'diff';
import { lineHunks } from '../std/line-diff';
import { toLf } from '../std/line-endings';

/** JSON; the `meta` of the tools that change files (several: `files`). */
export interface FileDiff {
  path: string;
  change: 'created' | 'changed' | 'deleted' | 'moved';
  /** Where a moved file was. */
  from?: string;
  /** Unified diff with three lines of context; cut after 200,000 characters. */
  diff: string;
  additions: number;
  deletions: number;
}

/** Line endings are compared as LF: an edit never shows a whole file as changed because of them. */
export function fileDiff(path: string, before: string | undefined, after: string): FileDiff {
  const old = toLf(before ?? '');
  const now = toLf(after);
  const hunks = lineHunks(old, now);
  let additions = 0;
  let deletions = 0;
  for (const hunk of hunks)
    for (const line of hunk.lines) {
      if (line.startsWith('+')) additions++;
      else if (line.startsWith('-')) deletions++;
    }
  const from = before === undefined ? '/dev/null' : path;
  const diff = formatPatch({
    oldFileName: from,
    newFileName: path,
    oldHeader: undefined,
    newHeader: undefined,
    hunks,
  }).replace(/^(Index: .*\n)?=+\n/, '');
  const change = before === undefined ? 'created' : 'changed';
  return { path, change, diff: diff.slice(0, 200_000), additions, deletions };
}

/** The hunks without the file header, at most `maxLines`, for the model. */
export function shortDiff(diff: FileDiff, maxLines = 60): string {
  const lines = diff.diff.split('\n').filter((line) => !/^(---|\+\+\+) /.test(line) && !line.startsWith('Index:'));
  while (lines.at(-1) === '') lines.pop();
  if (lines.length <= maxLines) return lines.join('\n');
  return [...lines.slice(0, maxLines), `(${lines.length - maxLines} more lines of the diff are not shown)`].join('\n');
}

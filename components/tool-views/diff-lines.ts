// A unified diff (tools/file-diff.ts) as lines to draw: numbers on both sides, and which words of a changed line differ.
import { parsePatch, type StructuredPatchHunk } from 'diff';

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'note';
  text: string;
  /** 1-based line in the file before; absent for added lines. */
  old?: number;
  /** 1-based line in the file after; absent for removed lines. */
  now?: number;
  /** The part `[start, end)` of the text that differs from its counterpart, in UTF-16 units. */
  changed?: [start: number, end: number];
}

export interface DiffHunk {
  /** For undoing only this one. */
  source: StructuredPatchHunk;
  lines: DiffLine[];
}

/** The hunks of one file's diff. A diff that was cut in the middle keeps its whole hunks; `cut` tells. */
export function diffHunks(diff: string): { hunks: DiffHunk[]; cut: boolean } {
  const { source, cut } = parseWhole(diff);
  return { hunks: source.map((hunk) => ({ source: hunk, lines: linesOf(hunk) })), cut };
}

function parseWhole(diff: string): { source: StructuredPatchHunk[]; cut: boolean } {
  for (let text = diff, cut = false; ; cut = true) {
    try {
      return { source: parsePatch(text)[0]?.hunks ?? [], cut };
    } catch {
      // The last hunk is not complete.
      const at = text.lastIndexOf('\n@@ ');
      if (at < 0) return { source: [], cut: true };
      text = text.slice(0, at + 1);
    }
  }
}

function linesOf(hunk: StructuredPatchHunk): DiffLine[] {
  let old = hunk.oldStart;
  let now = hunk.newStart;
  const lines = hunk.lines.map((line): DiffLine => {
    const text = line.slice(1);
    if (line.startsWith('+')) return { kind: 'added', text, now: now++ };
    if (line.startsWith('-')) return { kind: 'removed', text, old: old++ };
    if (line.startsWith('\\')) return { kind: 'note', text: line.slice(2) };
    return { kind: 'same', text, old: old++, now: now++ };
  });
  markPairs(lines);
  return lines;
}

/** Runs of removed lines that are followed by as many added ones are taken as the same lines, changed. */
function markPairs(lines: DiffLine[]): void {
  for (let at = 0; at < lines.length; ) {
    const removed = runFrom(lines, at, 'removed');
    const added = runFrom(lines, at + removed, 'added');
    if (removed > 0 && removed === added)
      for (let step = 0; step < removed; step++) markPair(lines[at + step]!, lines[at + removed + step]!);
    at += Math.max(1, removed + added);
  }
}

function runFrom(lines: DiffLine[], start: number, kind: DiffLine['kind']): number {
  let count = 0;
  while (lines[start + count]?.kind === kind) count++;
  return count;
}

function markPair(before: DiffLine, after: DiffLine): void {
  const a = before.text;
  const b = after.text;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  // Lines that share next to nothing are not the same line.
  if (start + end < Math.max(a.length, b.length) * 0.3) return;
  if (a.length > start + end) before.changed = [start, a.length - end];
  if (b.length > start + end) after.changed = [start, b.length - end];
}

// Patches in the unified format (GNU diffutils, "Detailed Description of Unified Format"; git's headers) as data.

/** A run of changed lines. Lines keep their first character: blank, `-` or `+`; their newline is left out. */
export interface Hunk {
  from: number;
  to: number;
  lines: string[];
  /** Whether the old and the new text end in a newline, as far as this hunk tells. */
  oldEnds: boolean;
  newEnds: boolean;
}

/** The changes of one file. Names as they stand in the patch; `/dev/null` for none. */
export interface FilePatch {
  oldName: string;
  newName: string;
  isGit: boolean;
  hunks: Hunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** All file patches of a text; what stands around them is ignored. Throws an Error with the line of a malformed hunk. */
export function parsePatch(text: string): FilePatch[] {
  const lines = text.split('\n');
  const patches: FilePatch[] = [];
  let isGit = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.replace(/\r$/, '');
    if (line.startsWith('diff --git ')) isGit = true;
    if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') && HUNK.test(lines[at + 2] ?? '')) {
      patches.push({ oldName: nameOf(line), newName: nameOf(lines[at + 1]!), isGit, hunks: [] });
      isGit = false;
      at++;
      continue;
    }
    const match = line.match(HUNK);
    const patch = patches.at(-1);
    if (!match || !patch) continue;
    at = readHunk(lines, at, match, patch.hunks);
  }
  return patches;
}

function readHunk(lines: string[], start: number, match: RegExpMatchArray, hunks: Hunk[]): number {
  const hunk: Hunk = { from: Number(match[1]), to: Number(match[3]), lines: [], oldEnds: true, newEnds: true };
  let oldLeft = Number(match[2] ?? 1);
  let newLeft = Number(match[4] ?? 1);
  // The line before an empty range is counted.
  if (oldLeft === 0) hunk.from++;
  if (newLeft === 0) hunk.to++;
  let at = start;
  while (oldLeft > 0 || newLeft > 0) {
    const line = lines[++at];
    // A blank line of context may have lost its blank.
    const kind = line === '' && at < lines.length - 1 ? ' ' : line?.[0];
    if (line === undefined || (kind !== ' ' && kind !== '-' && kind !== '+'))
      throw new Error(`malformed patch at line ${at + 1}: ${line ?? ''}`);
    hunk.lines.push(line === '' ? ' ' : line);
    if (kind !== '+') oldLeft--;
    if (kind !== '-') newLeft--;
    if (lines[at + 1]?.startsWith('\\')) {
      at++;
      if (kind !== '+') hunk.oldEnds = false;
      if (kind !== '-') hunk.newEnds = false;
    }
  }
  hunks.push(hunk);
  return at;
}

function nameOf(line: string): string {
  return line
    .slice(4)
    .split('\t')[0]!
    .trimEnd()
    .replace(/^"(.*)"$/, '$1');
}

/** The patch that undoes this one. */
export function reversed({ oldName, newName, isGit, hunks }: FilePatch): FilePatch {
  return {
    oldName: newName,
    newName: oldName,
    isGit,
    hunks: hunks.map((hunk) => ({
      from: hunk.to,
      to: hunk.from,
      // Deletions come before insertions.
      lines: swapped(hunk.lines),
      oldEnds: hunk.newEnds,
      newEnds: hunk.oldEnds,
    })),
  };
}

function swapped(lines: string[]): string[] {
  const result: string[] = [];
  let added: string[] = [];
  for (const line of lines) {
    if (line[0] === '-') added.push(`+${line.slice(1)}`);
    else if (line[0] === '+') result.push(`-${line.slice(1)}`);
    else {
      result.push(...added, line);
      added = [];
    }
  }
  return [...result, ...added];
}

// The text of a patch into its sections (the `*** Begin Patch` envelope that GPT models are trained on). Strict: what it can't read it
// refuses with the number of the line, because a hunk that is dropped in silence is a change that nobody made.
import { ToolError } from './tool';

export interface PatchLine {
  kind: 'context' | 'delete' | 'add';
  text: string;
}

export interface PatchChunk {
  /** 1-based line of the patch where it begins. */
  line: number;
  /** The lines named after `@@`, in the order in which they are looked for. */
  anchors: string[];
  /** From a unified header (`@@ -12,3 +12,4 @@`): the 1-based line of the old file. */
  nearLine?: number;
  lines: PatchLine[];
  /** `*** End of File` follows: the old lines are the last of the file. */
  atEnd: boolean;
}

export type PatchSection = { path: string; line: number } & (
  | { kind: 'add'; content: string }
  | { kind: 'delete' }
  | { kind: 'update'; moveTo?: string; chunks: PatchChunk[] }
);

const header = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const marker = /^\*\*\* /;
const endOfFile = '*** End of File';
const shape =
  'A patch is `*** Begin Patch`, then sections that begin with `*** Add File: PATH`, `*** Delete File: PATH` or `*** Update File: PATH`, then `*** End Patch`.';

/** All sections in their order; text around the envelope (a heredoc) is ignored. ToolErrors name the line that could not be read. */
export function parsePatch(text: string): PatchSection[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const first = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  if (first < 0) throw new ToolError(`There is no \`*** Begin Patch\` line. ${shape}`);
  const endsAt = (shape: (line: string) => string) =>
    lines.findIndex((line, at) => at > first && shape(line) === '*** End Patch');
  // A line of context may hold these words, behind its blank.
  const exact = endsAt((line) => line.trimEnd());
  const last = exact < 0 ? endsAt((line) => line.trim()) : exact;
  if (last < 0) throw new ToolError(`There is no \`*** End Patch\` line: the patch may have been cut. ${shape}`);
  const after = lines.findIndex((line, at) => at > last && marker.test(line));
  if (after >= 0)
    throw unreadable(after, lines[after]!, 'comes after `*** End Patch`: put all sections into one patch');
  const sections: PatchSection[] = [];
  let at = first + 1;
  while (at < last) {
    const line = lines[at]!;
    if (line.trim() === '') {
      at++;
      continue;
    }
    const found = header.exec(line.trimEnd());
    if (!found) throw unreadable(at, line, 'is not the header of a section');
    let end = at + 1;
    while (end < last && !header.test(lines[end]!.trimEnd())) end++;
    sections.push(section(found[1]!, found[2]!.trim(), lines, at, end));
    at = end;
  }
  if (sections.length === 0) throw new ToolError(`The patch has no section. ${shape}`);
  return sections;
}

function section(kind: string, path: string, lines: string[], at: number, end: number): PatchSection {
  const line = at + 1;
  if (kind === 'Add') return { kind: 'add', path, line, content: added(lines, at + 1, end) };
  if (kind === 'Delete') {
    const extra = lines.findIndex((text, index) => index > at && index < end && text.trim() !== '');
    if (extra >= 0) throw unreadable(extra, lines[extra]!, 'follows a Delete File header, which takes no lines');
    return { kind: 'delete', path, line };
  }
  const move = /^\*\*\* Move to: (.+)$/.exec(lines[at + 1]?.trimEnd() ?? '');
  const chunks = chunksOf(lines, move ? at + 2 : at + 1, end);
  if (chunks.length === 0 && !move)
    throw new ToolError(
      `Line ${line}: the section of ${path} changes nothing. Give it at least one chunk that begins with @@.`,
    );
  return { kind: 'update', path, line, chunks, ...(move ? { moveTo: move[1]!.trim() } : {}) };
}

function added(lines: string[], from: number, end: number): string {
  let last = end;
  while (last > from && lines[last - 1]!.trim() === '') last--;
  const content = lines.slice(from, last).map((line, index) => {
    if (line === '') return '';
    if (!line.startsWith('+')) throw unreadable(from + index, line, 'of an added file does not begin with +');
    return line.slice(1);
  });
  return content.length === 0 ? '' : `${content.join('\n')}\n`;
}

function chunksOf(lines: string[], from: number, end: number): PatchChunk[] {
  const chunks: PatchChunk[] = [];
  let open: PatchChunk | undefined;
  const begin = (at: number): PatchChunk => {
    const chunk: PatchChunk = { line: at + 1, anchors: [], lines: [], atEnd: false };
    chunks.push(chunk);
    return chunk;
  };
  for (let at = from; at < end; at++) {
    const line = lines[at]!;
    if (line.trimEnd() === endOfFile) {
      if (open === undefined || open.lines.length === 0) throw unreadable(at, line, 'does not follow a change');
      open.atEnd = true;
      open = undefined;
    } else if (marker.test(line)) throw unreadable(at, line, 'is not a marker of a section');
    else if (line.startsWith('@@')) {
      // Several @@ lines in a row lead from a class to its method.
      if (open === undefined || open.lines.length > 0) open = begin(at);
      const unified = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(line);
      const anchor = line.slice(2).trim();
      if (unified) open.nearLine = Number(unified[1]);
      else if (anchor !== '') open.anchors.push(anchor);
    } else if (line === '') {
      // Models often drop the one blank that stands for an empty line of context.
      open?.lines.push({ kind: 'context', text: '' });
    } else {
      const kind = ({ ' ': 'context', '-': 'delete', '+': 'add' } as const)[line[0]!];
      if (kind === undefined) throw unreadable(at, line, 'of a change does not begin with a blank, - or +');
      open ??= begin(at);
      open.lines.push({ kind, text: line.slice(1) });
    }
  }
  for (const chunk of chunks) {
    if (!chunk.lines.some((line) => line.kind !== 'context'))
      throw new ToolError(`Line ${chunk.line}: this chunk has no line that begins with - or +, so it changes nothing.`);
  }
  return chunks;
}

function unreadable(at: number, line: string, why: string): ToolError {
  const shown = line.length > 80 ? `${line.slice(0, 80)}…` : line;
  return new ToolError(`Line ${at + 1} of the patch (\`${shown}\`) ${why}. Nothing was changed. ${shape}`);
}

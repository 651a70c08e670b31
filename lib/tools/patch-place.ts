// Where the chunks of a patch go in a file. Only the lines that the patch adds are new text: its context lines stay as the file has them, and
// a place that is not the only one is refused rather than guessed.
import { cutLine } from '../std/bound-text';
import { type LineEnding, mainLineEnding } from '../std/line-endings';
import { nearestExcerpt } from './edit-apply';
import type { MatchStrategy } from './edit-match';
import { anchorEnds, type FileLine, linesLike, matches, type Placement, splitWithEndings } from './patch-match';
import type { PatchChunk, PatchLine } from './patch-parse';
import { ToolError } from './tool';

/** The text after all chunks, which are looked for in their order. `exactOnly`: the model doesn't know this version of the file. */
export function applyChunks(
  path: string,
  original: string,
  chunks: readonly PatchChunk[],
  exactOnly = false,
): PatchedText {
  return withChunks(original, placeChunks(path, original, chunks, exactOnly));
}

/** What a file became, and how its places were found. */
export interface PatchedText {
  text: string;
  strategies: MatchStrategy[];
}

/** A chunk and where it goes. */
export interface PlacedChunk {
  chunk: PatchChunk;
  placement: Placement;
  /** How many lines of the file it stands for. */
  length: number;
}

/** Where the chunks go. ToolErrors say what was found instead. */
export function placeChunks(
  path: string,
  original: string,
  chunks: readonly PatchChunk[],
  exactOnly: boolean,
): PlacedChunk[] {
  const lines = splitWithEndings(original);
  let from = 0;
  return chunks.map((parsed) => {
    const { chunk, placement } = place(path, lines, from, parsed, exactOnly);
    const length = chunk.lines.filter((line) => line.kind !== 'add').length;
    from = placement.start + length;
    return { chunk, placement, length };
  });
}

/** The text with each chunk in its place. *Contract:* the places are in the order of the lines and do not overlap. */
export function withChunks(original: string, placed: readonly PlacedChunk[]): PatchedText {
  const lines = splitWithEndings(original);
  const main = mainLineEnding(original);
  const output: FileLine[] = [];
  let from = 0;
  for (const { chunk, placement } of placed) {
    output.push(...lines.slice(from, placement.start));
    from = placement.start + emit(output, lines, placement, chunk, main);
  }
  output.push(...lines.slice(from));
  const endsWithNewline = lines.length === 0 || lines.at(-1)!.ending !== '';
  const text = output
    .map((line, at) => (at < output.length - 1 ? line.text + (line.ending || main) : line.text))
    .join('');
  return {
    text: output.length > 0 && endsWithNewline ? text + (output.at(-1)!.ending || main) : text,
    strategies: placed.map(({ placement }) => placement.strategy),
  };
}

/** Appends what stands in the place of the chunk's old lines; returns how many those are. */
function emit(
  output: FileLine[],
  lines: FileLine[],
  { start, added }: Placement,
  chunk: PatchChunk,
  main: LineEnding,
): number {
  let taken = 0;
  let next = 0;
  for (const line of chunk.lines) {
    const there = lines[start + taken];
    if (line.kind === 'add') {
      const near = lines[start + Math.max(0, taken - 1)] ?? there;
      output.push({ text: added[next++]!, ending: near?.ending || main });
      continue;
    }
    if (line.kind === 'context') output.push(there!);
    taken++;
  }
  return taken;
}

function place(
  path: string,
  lines: FileLine[],
  from: number,
  parsed: PatchChunk,
  exactOnly: boolean,
): { chunk: PatchChunk; placement: Placement } {
  // Blank lines between a chunk and what follows it are read as context; they count only if the file has them.
  for (let chunk: PatchChunk | undefined = parsed; chunk !== undefined; chunk = withoutLastBlank(chunk)) {
    const placement = find(path, lines, from, chunk, exactOnly);
    if (placement !== undefined) return { chunk, placement };
  }
  throw new ToolError(notFound(path, lines, from, parsed));
}

function withoutLastBlank(chunk: PatchChunk): PatchChunk | undefined {
  const last = chunk.lines.at(-1);
  if (last?.kind !== 'context' || last.text !== '') return undefined;
  return { ...chunk, lines: chunk.lines.slice(0, -1) };
}

function find(
  path: string,
  lines: FileLine[],
  from: number,
  chunk: PatchChunk,
  exactOnly: boolean,
): Placement | undefined {
  const old = chunk.lines.filter((line) => line.kind !== 'add').map((line) => line.text);
  const added = chunk.lines.filter((line) => line.kind === 'add').map((line) => line.text);
  if (old.length === 0) return insertion(path, lines, from, chunk, added);
  const candidates = matches(lines, from, old, added, exactOnly);
  if (chunk.atEnd) return candidates.find((one) => one.start + old.length === lines.length);
  const reachable = chunk.anchors.length === 0 ? candidates : firstAfterAnchors(lines, from, chunk.anchors, candidates);
  if (reachable.length <= 1) return reachable[0];
  const near = nearest(reachable, chunk.nearLine);
  if (near !== undefined) return near;
  throw new ToolError(
    ambiguous(
      path,
      chunk,
      lines,
      reachable.map((one) => one.start),
    ),
  );
}

/** A chunk that only adds: after its anchor, at the line of its header, or at the end of the file. */
function insertion(
  path: string,
  lines: FileLine[],
  from: number,
  chunk: PatchChunk,
  added: string[],
): Placement | undefined {
  const at = (start: number): Placement => ({ start, added, strategy: 'exact' });
  if (chunk.anchors.length > 0 && !chunk.atEnd) {
    const ends = anchorEnds(lines, from, chunk.anchors);
    if (ends.length > 1)
      throw new ToolError(
        ambiguous(
          path,
          chunk,
          lines,
          ends.map((end) => end - 1),
        ),
      );
    return ends.length === 0 ? undefined : at(ends[0]!);
  }
  if (chunk.nearLine !== undefined && !chunk.atEnd) return at(Math.max(from, Math.min(chunk.nearLine, lines.length)));
  return at(lines.length);
}

/** For each way to follow the anchors, the first candidate at or after the last of them. */
function firstAfterAnchors(lines: FileLine[], from: number, anchors: string[], candidates: Placement[]): Placement[] {
  const found = new Set<Placement>();
  for (const end of anchorEnds(lines, from, anchors)) {
    const first = candidates.find((one) => one.start >= end - 1);
    if (first !== undefined) found.add(first);
  }
  return [...found];
}

function nearest(candidates: Placement[], nearLine: number | undefined): Placement | undefined {
  if (nearLine === undefined) return undefined;
  const byDistance = candidates
    .map((candidate) => ({ candidate, distance: Math.abs(candidate.start + 1 - nearLine) }))
    .sort((a, b) => a.distance - b.distance);
  return byDistance[0]!.distance < byDistance[1]!.distance ? byDistance[0]!.candidate : undefined;
}

function ambiguous(path: string, chunk: PatchChunk, lines: FileLine[], starts: number[]): string {
  const places = starts.slice(0, 10).map((start) => `  line ${start + 1}: ${cutLine(lines[start]!.text.trim(), 120)}`);
  if (starts.length > places.length) places.push(`  and ${starts.length - places.length} more`);
  return `The chunk at line ${chunk.line} of the patch fits ${starts.length} places in ${path}:\n${places.join('\n')}\nGive it more context lines, or name the function above it after @@.`;
}

function notFound(path: string, lines: FileLine[], from: number, chunk: PatchChunk): string {
  const old = chunk.lines.filter((line: PatchLine) => line.kind !== 'add').map((line) => line.text);
  const where = `the chunk at line ${chunk.line} of the patch`;
  const missing = chunk.anchors.find((anchor) => linesLike(lines, from, anchor).length === 0);
  if (missing !== undefined)
    return `${path} has no line \`${missing}\`, which ${where} names after @@. Copy a line of the file exactly.`;
  if (old.every((line) => /^\s*\d+[:|\t]/.test(line)))
    return `The old lines of ${where} begin with line numbers, which are not part of ${path}. Send them again without.`;
  const excerpt = nearestExcerpt(lines.map((line) => line.text).join('\n'), old.join('\n'));
  const after = from > 0 ? ` after line ${from}` : '';
  return `The old lines of ${where} are not in ${path}${after}${chunk.atEnd ? ' as its last lines' : ''}:\n${old.map((line) => `  ${line}`).join('\n')}\n${
    excerpt ? `The most similar place is:\n${excerpt}` : 'Nothing there resembles them.'
  }\nRead the file and copy its lines exactly. Chunks of a file come in the order of its lines.`;
}

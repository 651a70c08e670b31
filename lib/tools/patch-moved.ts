// A patch of a file that moved on since the model saw it: its chunks go where the model saw their lines, if nobody has changed those. The same lines
// may stand elsewhere by now, so they are not looked for anew.
import { lineCount, lineMoves } from '../std/line-diff';
import { editPrompt } from './edit.prompt';
import { nearestExcerpt } from './edit-apply';
import type { PatchChunk } from './patch-parse';
import { applyChunks, type PatchedText, type PlacedChunk, placeChunks, withChunks } from './patch-place';
import { ToolError } from './tool';

/** `base` is what the model knows. In the result: what the patch would have made of that; undefined where it does not fit it. */
export function applyToMoved(
  path: string,
  text: string,
  base: string,
  chunks: readonly PatchChunk[],
): PatchedText & { base: string | undefined } {
  const seen = placesIn(path, base, chunks);
  if (seen === undefined) return { ...applyChunks(path, text, chunks, true), base: undefined };
  const moved = lineMoves(base, text);
  const placed = seen.map((one) => {
    const start = startNow(one, moved, lineCount(base), lineCount(text));
    if (start !== undefined) return { ...one, placement: { ...one.placement, start } };
    const old = one.chunk.lines.filter((line) => line.kind !== 'add').map((line) => line.text);
    throw new ToolError(editPrompt.moved(path, nearestExcerpt(text, old.join('\n'))));
  });
  return { ...withChunks(text, placed), base: withChunks(base, seen).text };
}

function placesIn(path: string, base: string, chunks: readonly PatchChunk[]): PlacedChunk[] | undefined {
  try {
    return placeChunks(path, base, chunks, false);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** What only adds stands behind a line, or at the end of the file whatever that is. */
function startNow(
  { chunk, placement: { start }, length }: PlacedChunk,
  moved: ReturnType<typeof lineMoves>,
  baseLines: number,
  lines: number,
): number | undefined {
  if (length > 0) return moved(start, length);
  const isAtEnd = start === baseLines && (chunk.atEnd || chunk.anchors.length === 0);
  if (isAtEnd) return lines;
  if (start === 0) return 0;
  const before = moved(start - 1, 1);
  return before === undefined ? undefined : before + 1;
}

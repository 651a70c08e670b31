// A turn in blocks of a few parts: the unit that the transcript draws or, far from what is on the screen, only stands in for with plain text.
import type { Message, MessagePart } from '../../lib/session/messages';
import { fileDiffsOf } from '../tool-views/diff-view';
import { spokenLine, toolLine } from '../tool-views/tool-line';

/** Small enough that drawing one is no long task. */
export const blockParts = 8;
/** Small enough that putting its blocks into the page undrawn takes a few milliseconds. */
export const chapterBlocks = 32;

export type PartBlock = readonly MessagePart[];

/** So many blocks, and the rest of the turn that goes beyond, are put into the page together. */
const stretchBlocks = 48;

/** Turns that follow each other. */
export type Stretch = readonly Message[];

/**
 * The turns in their order, short ones together. A stretch ends with the turn that makes it long enough: what grows at the end of a conversation
 * stays in its place. One whose turns are the same as before is the same array.
 */
export function stretchesOf(messages: readonly Message[], before: readonly Stretch[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (let from = 0; from < messages.length; ) {
    let end = from;
    for (let blocks = 0; end < messages.length && blocks < stretchBlocks; end++) blocks += blockCount(messages[end]!);
    stretches.push(sameOr(before[stretches.length], messages, from, end));
    from = end;
  }
  return stretches;
}

/** How many blocks a turn is drawn in. */
export function blockCount({ parts }: Message): number {
  return Math.max(1, Math.ceil(parts.length / blockParts));
}

/** The parts in their order. A block whose parts are the same as before is the same array (React.memo works). */
export function blocksOf(parts: PartBlock, before: readonly PartBlock[]): PartBlock[] {
  return inGroups(parts, blockParts, before);
}

/** The blocks in their order; like these, a chapter of the same blocks as before is the same array. */
export function chaptersOf(
  blocks: readonly PartBlock[],
  before: readonly (readonly PartBlock[])[],
): (readonly PartBlock[])[] {
  return inGroups(blocks, chapterBlocks, before);
}

function inGroups<Item>(items: readonly Item[], size: number, before: readonly (readonly Item[])[]) {
  const groups: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += size) {
    groups.push(sameOr(before[groups.length], items, from, Math.min(items.length, from + size)));
  }
  return groups;
}

function sameOr<Item>(known: readonly Item[] | undefined, items: readonly Item[], from: number, end: number) {
  const isSame = known?.length === end - from && known.every((item, at) => item === items[from + at]);
  return isSame ? known : items.slice(from, end);
}

/** What of a block can be read without opening anything: the page's search and screen readers find it where nothing is drawn yet. */
export function blockText(parts: readonly MessagePart[]): string {
  return parts
    .map(partText)
    .filter((text) => text.trim() !== '')
    .join('\n');
}

const maxDiffChars = 4000;

function partText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
    case 'notice':
      return part.text;
    case 'tool':
      return [
        spokenLine(toolLine(part)),
        ...(part.state === 'done' ? fileDiffsOf(part.meta).map((diff) => diff.diff.slice(0, maxDiffChars)) : []),
      ].join('\n');
    case 'file':
      return part.file.name ?? '';
    // Closed until the person opens them.
    case 'reasoning':
    case 'summary':
    case 'step':
      return '';
  }
}

const rowPx = 26;
const gapPx = 8;
const turnGapPx = 16;
const charPx = 7;
const textLinePx = 22;
const diffLinePx = 19;
const shownDiffLines = 48;

/** Of the panel, before anything was drawn. */
export const guessedWidthPx = 400;

/** A guess at how high it will be drawn; the first drawing puts it right. */
export function blockHeight(parts: readonly MessagePart[], widthPx: number): number {
  const chars = Math.max(20, widthPx / charPx);
  const linesOf = (text: string) => text.split('\n').reduce((sum, line) => sum + Math.max(1, line.length / chars), 0);
  let height = 0;
  for (const part of parts) {
    if (part.type === 'step') continue;
    height += gapPx;
    if (part.type === 'text') height += (part.from === undefined ? Math.ceil(linesOf(part.text)) : 1) * textLinePx;
    else height += rowPx;
    if (part.type !== 'tool' || part.state !== 'done') continue;
    for (const { diff } of fileDiffsOf(part.meta))
      height += gapPx + Math.min(shownDiffLines, linesOf(diff.slice(0, maxDiffChars))) * diffLinePx;
  }
  return Math.max(1, Math.round(height - gapPx));
}

/** The same for a whole stretch, as if all its turns were like the first two: a thousand guesses would be a long task. */
export function stretchHeight(stretch: Stretch, widthPx: number): number {
  const like = stretch.slice(0, 2);
  const height = like.reduce(
    (sum, turn) => sum + turnGapPx + blockCount(turn) * blockHeight(turn.parts.slice(0, blockParts), widthPx),
    0,
  );
  return Math.round((height / like.length) * stretch.length);
}

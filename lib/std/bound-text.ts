// Bounding what the model reads: lines, bytes and tokens at once, from both ends, and never an empty preview:
// a single line that is too long is cut inside, at a character boundary and outside of terminal escapes.

/** All three hold together. */
export interface TextBudget {
  maxLines: number;
  maxBytes: number;
  maxTokens: number;
}

/** What a tool result may have (spec: 2000 lines, 50 KiB). */
export const outputBudget: TextBudget = { maxLines: 2000, maxBytes: 51_200, maxTokens: 16_000 };

export interface BoundedText {
  /** The text itself, or `head + note + tail`. */
  text: string;
  truncated: boolean;
  /** What is missing, exactly. Zero when not truncated. A line cut inside counts its bytes, not as a line. */
  omittedLines: number;
  omittedBytes: number;
}

/** Rough count of tokens: a quarter of the ASCII characters, and one for each other character. An estimate, for budgets only. */
export function estimateTokens(text: string): number {
  const other = text.length - text.replace(/[^\x00-\x7f]+/g, '').length;
  return Math.ceil((text.length - other) / 4) + other;
}

const scratchChars = 16_384;
let scratch: Uint8Array | undefined;

/** Bytes in UTF-8. */
export function byteLength(text: string): number {
  const encoder = new TextEncoder();
  scratch ??= new Uint8Array(scratchChars * 3);
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const end = Math.min(at + scratchChars, text.length);
    const splitsPair = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    const next = splitsPair ? end - 1 : end;
    bytes += encoder.encodeInto(text.slice(at, next), scratch).written;
    at = next;
  }
  return bytes;
}

/**
 * Keeps the start and the end of `text` within the budget. `headShare` is the part of the budget for the start (1: only the start).
 * `note` writes the line between them from the exact counts of what is missing. *Contract:* the note itself is not counted.
 */
export function boundText(
  text: string,
  budget: TextBudget,
  note: (omittedLines: number, omittedBytes: number) => string,
  headShare = 0.5,
): BoundedText {
  const cut = textEnds(text, budget, headShare);
  return cut?.(note) ?? { text, truncated: false, omittedLines: 0, omittedBytes: 0 };
}

/** As `boundText`, the note later; undefined when all of it is within the budget. Looks at millions of lines once, and keeps those that it shows. */
export function textEnds(
  text: string,
  budget: TextBudget,
  headShare: number,
): ((note: (omittedLines: number, omittedBytes: number) => string) => BoundedText) | undefined {
  const totalBytes = byteLength(text);
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const lineCount = countLines(body);
  if (lineCount <= budget.maxLines && totalBytes <= budget.maxBytes && estimateTokens(text) <= budget.maxTokens)
    return undefined;
  const head = takeLines(body.split('\n', budget.maxLines + 1), scaled(budget, headShare), 'start');
  const restCount = lineCount - head.full.length;
  const tail =
    headShare >= 1
      ? { full: [], cut: undefined }
      : takeLines(lastLines(body, Math.min(restCount, budget.maxLines + 1)), scaled(budget, 1 - headShare), 'end');
  const remaining = restCount - tail.full.length;
  // A line that only one end could cut is shown from both ends: its middle is what is missing.
  const headCut = head.cut && remaining > 0 ? head.cut : undefined;
  const tailCut = tail.cut && remaining > (headCut ? 1 : 0) ? tail.cut : undefined;
  const onlyLine = remaining === 1 && head.cut !== undefined && tail.cut !== undefined;
  const start = headCut === undefined ? head.full : [...head.full, headCut];
  const end = onlyLine ? [tail.cut!, ...tail.full] : tailCut === undefined ? tail.full : [tailCut, ...tail.full];
  const shownBytes = byteLength([...start, ...end].join('\n'));
  const omittedLines = Math.max(0, remaining - (headCut === undefined ? 0 : 1) - (tailCut === undefined ? 0 : 1));
  const omittedBytes = Math.max(0, totalBytes - shownBytes);
  return (note) => {
    const joined = [...start, note(omittedLines, omittedBytes), ...end].join('\n');
    return { text: joined, truncated: true, omittedLines, omittedBytes };
  };
}

function countLines(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 10) count++;
  return count;
}

function lastLines(text: string, count: number): string[] {
  const lines: string[] = [];
  for (let end = text.length; lines.length < count; ) {
    const start = end === 0 ? -1 : text.lastIndexOf('\n', end - 1);
    lines.push(text.slice(start + 1, end));
    if (start < 0) break;
    end = start;
  }
  return lines.reverse();
}

function scaled(budget: TextBudget, share: number): TextBudget {
  return {
    maxLines: Math.max(1, Math.floor(budget.maxLines * share)),
    maxBytes: Math.floor(budget.maxBytes * share),
    maxTokens: Math.floor(budget.maxTokens * share),
  };
}

/** Whole lines from one end, and the next line cut when nothing (or less than half of the budget) could be filled without it. */
function takeLines(lines: string[], budget: TextBudget, from: 'start' | 'end'): { full: string[]; cut?: string } {
  const full: string[] = [];
  let bytes = 0;
  let tokens = 0;
  for (let step = 0; step < lines.length && full.length < budget.maxLines; step++) {
    const line = lines[from === 'start' ? step : lines.length - 1 - step]!;
    const lineBytes = byteLength(line) + 1;
    const lineTokens = estimateTokens(line) + 0.25;
    if (bytes + lineBytes > budget.maxBytes || tokens + lineTokens > budget.maxTokens) {
      const room = Math.min(budget.maxBytes - bytes, Math.floor((budget.maxTokens - tokens) * 3));
      const cut =
        bytes < budget.maxBytes / 2 && room > 0 ? cutInside(line, room, budget.maxTokens - tokens, from) : undefined;
      if (from === 'end') full.reverse();
      return cut === undefined ? { full } : { full, cut };
    }
    full.push(line);
    bytes += lineBytes;
    tokens += lineTokens;
  }
  if (from === 'end') full.reverse();
  return { full };
}

function cutInside(line: string, maxBytes: number, maxTokens: number, from: 'start' | 'end'): string {
  let low = 0;
  let high = Math.min(line.length, maxBytes);
  const piece = (length: number) => (from === 'start' ? line.slice(0, length) : line.slice(line.length - length));
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (byteLength(piece(middle)) <= maxBytes && estimateTokens(piece(middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return from === 'start'
    ? `${line.slice(0, safeCut(line, low))}…`
    : `…${line.slice(safeCut(line, line.length - low, true))}`;
}

/** The nearest position at or before `at` (or after, with `forward`) that splits neither a surrogate pair nor a terminal escape. */
export function safeCut(text: string, at: number, forward = false): number {
  let cut = at;
  const splitsPair = (text.charCodeAt(cut - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(cut) & 0xfc00) === 0xdc00;
  if (splitsPair) cut += forward ? 1 : -1;
  const escapeAt = text.lastIndexOf('\x1b', cut - 1);
  if (escapeAt >= 0 && cut - escapeAt < 64) {
    // CSI (colours, cursor) and OSC (links, titles); anything else is two characters long.
    const sequence = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^[\]])/.exec(text.slice(escapeAt));
    if (sequence && escapeAt + sequence[0].length > cut) cut = forward ? escapeAt + sequence[0].length : escapeAt;
  }
  return cut;
}

/** A line of at most `maxChars` UTF-16 units, with a note about what was cut. */
export function cutLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const at = safeCut(line, maxChars);
  return `${line.slice(0, at)}… (${line.length - at} more characters)`;
}

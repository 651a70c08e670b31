// What a program printed for a terminal, as text and, apart from it, how pieces of that text looked. The looks are data: nothing of what was printed
// becomes markup, and a view that does not know them shows the same text.
import { inSlices } from './slices';

/** `0`–`15`: the terminal's own palette; text: `#rrggbb`. */
export type TerminalColour = number | string;

export interface TextStyle {
  colour?: TerminalColour;
  back?: TerminalColour;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  strike?: true;
  /** Foreground and background change places. */
  inverse?: true;
}

/** The characters `[start, end)` (UTF-16 units) of the text look so. Runs are in order and do not overlap; what no run covers is plain. */
export interface StyleRun {
  start: number;
  end: number;
  style: TextStyle;
}

export interface StyledText {
  text: string;
  runs: StyleRun[];
}

/** Links, titles and other texts for the terminal itself. */
const spoken = /\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\)/g;
const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])?/g;
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/g;
/** To the start of the line, once or more often, and not said by one `\r` already. */
const returns = /(?:\r|\x1b\[1?G){2,}|\x1b\[1?G/g;
/** To the start of the line and all of it erased, in either order: what spinners and progress bars do. After `returns` are one character each. */
const cleared = /\r\x1b\[[02]?K|\x1b\[2K\r?/g;
/** Stands for it; taken out of what programs print. */
const clearMark = '\x1d';
const moves = /[\r\x1d]/;

/** Terminal escapes and other control characters removed (tab and newline stay); `\r` overwrites and erasing a line erases, like a terminal. For people and models. */
export function plainOutput(text: string): string {
  return plainLines(withoutSpoken(text));
}

function plainLines(text: string): string {
  const plain = withoutControls(text).replace(escapes, '');
  return moves.test(plain) ? plain.split('\n').map(drawn).join('\n') : plain;
}

const pieceChars = 250_000;

/** As `plainOutput`, for megabytes: the page does what waits in between. */
export async function plainOutputInSlices(text: string): Promise<string> {
  // Nothing else goes on over the end of a line.
  const inLines = withoutSpoken(text);
  const pieces: string[] = [];
  for (let at = 0; at < inLines.length; ) {
    const end = inLines.indexOf('\n', at + pieceChars);
    pieces.push(end < 0 ? inLines.slice(at) : inLines.slice(at, end + 1));
    at = end < 0 ? inLines.length : end + 1;
  }
  const plain: string[] = [];
  await inSlices(pieces, (piece) => plain.push(plainLines(piece)));
  return plain.join('');
}

/** A line as it stands in the end, whatever was written over what. As `print`, without a thought for each character. */
function drawn(line: string): string {
  if (!moves.test(line)) return line;
  const first = line.lastIndexOf(clearMark) + 1;
  let shown = '';
  for (let end = line.length; ; ) {
    const start = end === first ? first : Math.max(first, line.lastIndexOf('\r', end - 1) + 1);
    if (end - start > shown.length) shown += line.slice(start + shown.length, end);
    if (start === first) return shown;
    end = start - 1;
  }
}

/** The same text as `plainOutput`, with its colours (SGR). *At most `maxRuns`* (2000): the last ones of a text that has more. */
export function styledOutput(text: string, maxRuns = 2000): StyledText {
  let style: TextStyle | undefined;
  let start = 0;
  const lines: string[] = [];
  const runs: StyleRun[] = [];
  for (const line of withoutControls(withoutSpoken(text)).split('\n')) {
    const cells = emptyLine();
    let at = 0;
    for (const match of line.matchAll(escapes)) {
      print(cells, line.slice(at, match.index), style);
      at = match.index + match[0].length;
      if (match[0].startsWith('\x1b[') && match[0].endsWith('m')) style = after(style, match[0].slice(2, -1));
    }
    print(cells, line.slice(at), style);
    const { units, styles } = cells;
    for (let from = 0; from < units.length; ) {
      const one = styles[from];
      let to = from + 1;
      while (to < units.length && styles[to] === one) to++;
      if (one !== undefined) runs.push({ start: start + from, end: start + to, style: one });
      from = to;
    }
    lines.push(units.join(''));
    start += units.length + 1;
  }
  return { text: lines.join('\n'), runs: runs.slice(-maxRuns) };
}

function withoutSpoken(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(spoken, '');
}

function withoutControls(text: string): string {
  return text.replace(controls, '').replace(returns, '\r').replace(cleared, clearMark);
}

/** A line of a terminal, by UTF-16 units. It is drawn in place: what a hostile program overwrites again and again costs no more than its length. */
interface Line {
  units: string[];
  /** One for each unit. */
  styles: (TextStyle | undefined)[];
  column: number;
}

function emptyLine(): Line {
  return { units: [], styles: [], column: 0 };
}

function print(line: Line, plain: string, style: TextStyle | undefined): void {
  for (let at = 0; at < plain.length; at++) {
    const unit = plain[at]!;
    if (unit === '\r') line.column = 0;
    else if (unit === clearMark) Object.assign(line, emptyLine());
    else {
      line.units[line.column] = unit;
      line.styles[line.column] = style;
      line.column++;
    }
  }
}

const flags: Record<number, keyof TextStyle> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
};
const unflags: Record<number, (keyof TextStyle)[]> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
  39: ['colour'],
  49: ['back'],
};

/** The style after the parameters of one SGR sequence. What it does not know changes nothing. */
function after(before: TextStyle | undefined, parameters: string): TextStyle | undefined {
  let style: TextStyle = { ...before };
  const codes = parameters.split(/[;:]/).map(Number);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    const flag = flags[code];
    if (code === 0) style = {};
    else if (flag !== undefined) Object.assign(style, { [flag]: true });
    else if (unflags[code]) for (const name of unflags[code]) delete style[name];
    else if (code >= 30 && code <= 37) style.colour = code - 30;
    else if (code >= 40 && code <= 47) style.back = code - 40;
    else if (code >= 90 && code <= 97) style.colour = code - 82;
    else if (code >= 100 && code <= 107) style.back = code - 92;
    else if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(at + 1));
      if (colour !== undefined) style[code === 38 ? 'colour' : 'back'] = colour;
      at += used;
    }
  }
  return Object.keys(style).length === 0 ? undefined : style;
}

/** `5;n` of 256 colours, `2;r;g;b`. */
function extended([kind, ...rest]: number[]): { colour?: TerminalColour; used: number } {
  if (kind === 5) {
    const [index = -1] = rest;
    return index >= 0 && index <= 255 ? { colour: ofTable(index), used: 2 } : { used: 2 };
  }
  if (kind !== 2) return { used: 1 };
  const levels = rest.slice(0, 3);
  const isColour = levels.length === 3 && levels.every((level) => level >= 0 && level <= 255);
  return isColour ? { colour: hex(levels), used: 4 } : { used: 4 };
}

/** xterm's table: sixteen of the palette, a cube of 6 × 6 × 6, 24 greys. */
function ofTable(index: number): TerminalColour {
  if (index < 16) return index;
  if (index >= 232) return hex(new Array(3).fill(8 + (index - 232) * 10));
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const place = index - 16;
  return hex([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map(level));
}

function hex(levels: readonly number[]): string {
  return `#${levels.map((level) => Math.round(level).toString(16).padStart(2, '0')).join('')}`;
}

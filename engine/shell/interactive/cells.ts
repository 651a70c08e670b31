// How a text lies on the screen: columns of each character, rows of a prompt and a line under it.
import { isWide } from '../../bindings/east-asian-width';

/** One row of the screen. `hard`: a newline ends it, otherwise the text runs over the edge. */
export interface Row {
  text: string;
  hard: boolean;
}

/** A place on the screen, from the first row of what is laid out. */
export interface Place {
  row: number;
  column: number;
}

/** Rows, and where the cursor and the end are. */
export interface Layout {
  rows: Row[];
  cursor: Place;
  end: Place;
}

const ESCAPES = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])|[\x00-\x08\x0b-\x1f]/y;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** Columns of one character (a whole code point). */
export function widthOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return isWide(code) ? 2 : 1;
}

/** Columns of a text without control characters. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** A character as the editor shows it at a column: tabs reach the next stop, other control characters are `^X`. */
function shown(character: string, column: number): string {
  if (character === '\t') return ' '.repeat(8 - (column % 8));
  const code = character.codePointAt(0)!;
  if (code === 127) return '^?';
  return code < 32 ? `^${String.fromCharCode(code + 64)}` : character;
}

/** Lays out a prompt (with escape sequences, which take no room) and a text on a screen of so many columns. */
export function layOut(prompt: string, text: string, cursor: number, columns: number): Layout {
  const rows: Row[] = [];
  let row = '';
  let column = 0;
  const endRow = (hard: boolean): void => {
    rows.push({ text: row, hard });
    row = '';
    column = 0;
  };
  const put = (character: string): void => {
    const width = widthOf(character);
    if (column + width > columns) endRow(false);
    row += character;
    column += width;
  };
  for (let at = 0; at < prompt.length; ) {
    ESCAPES.lastIndex = at;
    const escape = ESCAPES.exec(prompt)?.[0];
    if (escape !== undefined) {
      row += escape;
      at += escape.length;
      continue;
    }
    const character = String.fromCodePoint(prompt.codePointAt(at)!);
    if (character === '\n') endRow(true);
    else for (const part of character === '\t' ? shown(character, column) : character) put(part);
    at += character.length;
  }
  const here = (): Place => ({ row: rows.length, column });
  let place = here();
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    // A character that does not fit stands in the next row, and so does the cursor before it.
    if (at === cursor) {
      const fits = character === '\n' || column + widthOf(character) <= columns;
      place = fits ? { row: rows.length, column: Math.min(column, columns - 1) } : { row: rows.length + 1, column: 0 };
    }
    if (character === '\n') endRow(true);
    else for (const part of shown(character, column)) put(part);
    at += character.length;
  }
  if (column >= columns) endRow(false);
  if (cursor >= text.length) place = here();
  const end = here();
  rows.push({ text: row, hard: true });
  return { rows, cursor: place, end };
}

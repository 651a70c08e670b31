// What the keys do to the line: Emacs' keys, as bash has them without a configuration.
import type { LastAction, LineState } from './line-state';

/** An edit: what it was for the next key, or false when it could do nothing (the bell rings). */
type Edit = (line: LineState) => LastAction | boolean;

const moveTo =
  (target: (line: LineState) => number): Edit =>
  (line) => {
    const to = target(line);
    const moved = to !== line.cursor;
    line.cursor = to;
    return moved;
  };

const killTo =
  (target: (line: LineState) => number): Edit =>
  (line) => {
    const to = target(line);
    if (to === line.cursor) return false;
    line.kill(Math.min(line.cursor, to), Math.max(line.cursor, to));
    return 'kill';
  };

const remove =
  (from: (line: LineState) => number, to: (line: LineState) => number): Edit =>
  (line) => {
    const [start, end] = [from(line), to(line)];
    if (start === end) return false;
    line.checkpoint();
    line.replace(start, end, '');
    return true;
  };

/** Changes the word from the cursor on, or the one before, where the cursor then stays. */
const changeWord =
  (change: (word: string) => string, isBefore = false): Edit =>
  (line) => {
    const [from, to] = isBefore ? [line.wordStart(), line.cursor] : [line.cursor, line.wordEnd()];
    if (from === to) return true;
    line.checkpoint();
    line.replace(from, to, change(line.text.slice(from, to)));
    return true;
  };

const upper = (word: string): string => word.toUpperCase();
const lower = (word: string): string => word.toLowerCase();
const capital = (word: string): string => lower(word).replace(/\p{L}/u, (letter) => letter.toUpperCase());

const transpose: Edit = (line) => {
  const middle = line.cursor === line.text.length ? line.previous() : line.cursor;
  const start = line.previous(middle);
  const end = line.next(middle);
  if (middle === 0 || start === middle) return false;
  line.checkpoint();
  line.replace(start, end, line.text.slice(middle, end) + line.text.slice(start, middle));
  return true;
};

const transposeWords: Edit = (line) => {
  const end = line.wordEnd();
  const second = line.wordStart(end);
  const first = line.wordStart(second);
  const firstEnd = line.wordEnd(first);
  if (first === second || firstEnd > second) return false;
  line.checkpoint();
  const { text } = line;
  line.replace(first, end, text.slice(second, end) + text.slice(firstEnd, second) + text.slice(first, firstEnd));
  return true;
};

const start = (): number => 0;
const end = (line: LineState): number => line.text.length;
const here = (line: LineState): number => line.cursor;
const yank: Edit = (line) => (line.yank() ? 'yank' : false);

/** Edits by the key's name. */
const EDITS: Record<string, Edit> = {
  'C-a': moveTo(start),
  home: moveTo(start),
  'C-e': moveTo(end),
  end: moveTo(end),
  'C-b': moveTo((line) => line.previous()),
  left: moveTo((line) => line.previous()),
  'C-f': moveTo((line) => line.next()),
  right: moveTo((line) => line.next()),
  'M-b': moveTo((line) => line.wordStart()),
  'C-left': moveTo((line) => line.wordStart()),
  'M-left': moveTo((line) => line.wordStart()),
  'M-f': moveTo((line) => line.wordEnd()),
  'C-right': moveTo((line) => line.wordEnd()),
  'M-right': moveTo((line) => line.wordEnd()),
  'C-k': killTo(end),
  'C-u': killTo(start),
  'C-w': killTo((line) => line.blankWordStart()),
  'M-d': killTo((line) => line.wordEnd()),
  'C-delete': killTo((line) => line.wordEnd()),
  'M-backspace': killTo((line) => line.wordStart()),
  'C-y': yank,
  'M-y': (line) => (line.yankPop() ? 'yank' : false),
  backspace: remove((line) => line.previous(), here),
  delete: remove(here, (line) => line.next()),
  'C-d': remove(here, (line) => line.next()),
  'C-t': transpose,
  'M-t': transposeWords,
  'M-u': changeWord(upper),
  'M-l': changeWord(lower),
  'M-c': changeWord(capital),
  'upper-before': changeWord(upper, true),
  'lower-before': changeWord(lower, true),
  'capital-before': changeWord(capital, true),
  exchange: (line) => {
    const { cursor, mark } = line;
    line.cursor = Math.min(mark, line.text.length);
    line.mark = cursor;
    return true;
  },
  'C-_': (line) => line.undo(),
  'M-\\': (line) => {
    const from = line.cursor - (/[ \t]*$/.exec(line.text.slice(0, line.cursor))?.[0].length ?? 0);
    const to = line.cursor + (/^[ \t]*/.exec(line.text.slice(line.cursor))?.[0].length ?? 0);
    line.checkpoint();
    line.replace(from, to, '');
    return true;
  },
};

/** Does what an editing key does. Undefined: the key is no editing key. False: there was nothing to do. */
export function editByKey(line: LineState, name: string): boolean | undefined {
  const edit = EDITS[name];
  if (!edit || !Object.hasOwn(EDITS, name)) return undefined;
  const done = edit(line);
  line.last = typeof done === 'string' ? done : 'other';
  return done !== false;
}

/** Inserts text at the cursor; letters typed in a row are undone together. */
export function insertText(line: LineState, text: string, isTyped: boolean): void {
  if (!isTyped || line.last !== 'type') line.checkpoint();
  line.replace(line.cursor, line.cursor, text);
  line.last = isTyped ? 'type' : 'other';
}

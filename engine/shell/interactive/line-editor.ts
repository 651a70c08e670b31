// One line from the terminal, edited with bash's keys. A pasted block is inserted, not run: it waits for Enter.
import { applyCompletion, type Completions } from './apply-completion';
import { type Canvas, Display } from './display';
import { editByKey, insertText } from './edit-keys';
import { type Key, type NextByte, readKey } from './keys';
import { type EditorMemory, LineState } from './line-state';
import { listCompletions } from './list-completions';
import { findNext, type Search, searchPrompt, startSearch } from './search';

/** What one line needs. */
export interface EditorOptions {
  prompt: string;
  /** Oldest first. */
  history: readonly string[];
  /** Kept from line to line. */
  memory: EditorMemory;
  /** Candidates for the word that ends at the cursor. */
  complete(before: string): Completions;
  next: NextByte;
  canvas: Canvas;
  /** Called with how to draw the line again: after a change of size, or when something was written over it. */
  onRedraw(redraw: () => void): void;
}

/** How editing ended. */
export type EditorResult = { kind: 'line'; text: string } | { kind: 'interrupted' } | { kind: 'end' };

const BELL = '\x07';

/** Edits one line; the cursor is at the start of an empty row before, and after. */
export async function readCommandLine(options: EditorOptions): Promise<EditorResult> {
  const editor = new LineEditor(options);
  for (;;) {
    editor.draw();
    const result = await editor.key(await readKey(options.next));
    if (result) return result;
  }
}

class LineEditor {
  readonly #options: EditorOptions;
  readonly #line: LineState;
  readonly #display: Display;
  /** The history as this line sees it: edits stay until Enter; the last one is the new line. */
  readonly #entries: string[];
  #at: number;
  #search: Search | undefined;
  /** What stood there before the search. */
  #before = { at: 0, cursor: 0 };
  /** Digits after Escape. */
  #count = '';
  #isLiteral = false;
  #argument = { back: 0, from: 0 };

  constructor(options: EditorOptions) {
    this.#options = options;
    this.#line = new LineState(options.memory);
    this.#display = new Display(options.canvas);
    this.#entries = [...options.history, ''];
    this.#at = this.#entries.length - 1;
    options.onRedraw(() => this.#display.redraw());
  }

  draw(): void {
    const search = this.#search;
    if (search) {
      const cursor = search.query === '' ? this.#line.cursor : search.from;
      this.#display.draw({ prompt: searchPrompt(search), text: this.#line.text, cursor });
      return;
    }
    const prompt = this.#count === '' ? this.#options.prompt : `(arg: ${this.#count === '-' ? '-1' : this.#count}) `;
    this.#display.draw({ prompt, text: this.#line.text, cursor: this.#line.cursor });
  }

  async key(key: Key): Promise<EditorResult | undefined> {
    if (this.#isLiteral) return this.#literal(key);
    if (this.#search && !this.#endsSearch(key)) return this.#searchKey(this.#search, key);
    switch (key.kind) {
      case 'end':
        return this.#leave({ kind: 'end' });
      case 'paste':
        insertText(this.#line, key.text, false);
        return undefined;
      case 'text':
        insertText(this.#line, key.text.repeat(Math.max(1, Number(this.#count) || 1)), this.#count === '');
        this.#count = '';
        return undefined;
      case 'key':
        return this.#named(key.name);
    }
  }

  async #named(name: string): Promise<EditorResult | undefined> {
    const line = this.#line;
    if (/^M-[0-9-]$/.test(name) || (this.#count !== '' && /^[0-9]$/.test(name))) {
      this.#count += name.at(-1);
      return undefined;
    }
    const repeated = Number(this.#count === '-' ? -1 : this.#count || 1);
    this.#count = '';
    switch (name) {
      case 'enter':
      case 'C-o':
        return this.#leave({ kind: 'line', text: line.text });
      case 'C-c':
        return this.#interrupt();
      case 'C-d':
        if (line.text === '') return this.#leave({ kind: 'end' });
        break;
      case 'tab':
        await this.#complete();
        return undefined;
      case 'C-p':
      case 'up':
        this.#walk(this.#at - 1);
        return undefined;
      case 'C-n':
      case 'down':
        this.#walk(this.#at + 1);
        return undefined;
      case 'M-<':
        this.#walk(0);
        return undefined;
      case 'M->':
        this.#walk(this.#entries.length - 1);
        return undefined;
      case 'C-r':
      case 'C-s':
        this.#before = { at: this.#at, cursor: line.cursor };
        this.#entries[this.#at] = line.text;
        this.#search = startSearch(this.#at, line.cursor, name === 'C-r');
        return undefined;
      case 'C-l':
      case 'M-C-l':
        this.#options.canvas.write('\x1b[H\x1b[2J');
        this.#display.reset();
        return undefined;
      case 'C-v':
      case 'C-q':
        this.#isLiteral = true;
        return undefined;
      case 'M-.':
      case 'M-_':
        this.#lastArgument();
        return undefined;
      case 'M-#':
        line.load(`#${line.text}`);
        return this.#leave({ kind: 'line', text: line.text });
      case 'M-r':
        line.load(this.#options.history[this.#at] ?? '');
        return undefined;
    }
    for (let count = Math.abs(repeated); count > 0; count--) {
      if (editByKey(line, repeated < 0 ? (OPPOSITE[name] ?? name) : name) !== false) continue;
      this.#bell();
      break;
    }
    return undefined;
  }

  #literal(key: Key): undefined {
    this.#isLiteral = false;
    if (key.kind === 'text' || key.kind === 'paste') insertText(this.#line, key.text, true);
    if (key.kind !== 'key') return;
    const named: Record<string, string> = { tab: '\t', enter: '\r', escape: '\x1b', backspace: '\x7f' };
    const letter = /^C-(.)$/.exec(key.name)?.[1];
    const text = named[key.name] ?? (letter && String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64));
    if (text) insertText(this.#line, text, true);
  }

  /** Goes to another entry of the history; what was changed there is seen again. */
  #walk(to: number): void {
    if (to < 0 || to >= this.#entries.length) {
      this.#bell();
      return;
    }
    this.#entries[this.#at] = this.#line.text;
    this.#at = to;
    this.#line.load(this.#entries[to]!);
    this.#line.last = 'other';
  }

  /** The last word of the command before; again: of the one before that. */
  #lastArgument(): void {
    const line = this.#line;
    if (line.last !== 'argument') {
      this.#argument = { back: 0, from: line.cursor };
      line.checkpoint();
    }
    const { history } = this.#options;
    const entry = history[history.length - ++this.#argument.back];
    if (entry === undefined) this.#bell();
    line.replace(this.#argument.from, line.cursor, entry?.match(/(?:\\.|'[^']*'|"[^"]*"|\S)+(?=\s*$)/)?.[0] ?? '');
    line.last = 'argument';
  }

  async #complete(): Promise<void> {
    const line = this.#line;
    const found = this.#options.complete(line.text.slice(0, line.cursor));
    const again = line.last === 'complete';
    line.checkpoint();
    if (applyCompletion(line, found)) {
      line.last = found.matches.length === 1 ? 'other' : 'type';
      return;
    }
    line.last = 'complete';
    if (!again || found.matches.length === 0) {
      this.#bell();
      return;
    }
    this.#display.leave();
    await listCompletions(this.#options.canvas, found, () => readKey(this.#options.next));
    this.#display.reset();
  }

  #endsSearch(key: Key): boolean {
    const stays =
      key.kind === 'text' ||
      (key.kind === 'key' && ['C-r', 'C-s', 'C-g', 'backspace', 'escape', 'C-c'].includes(key.name));
    if (stays) return false;
    this.#acceptSearch();
    return true;
  }

  #acceptSearch(): void {
    const search = this.#search!;
    if (search.query !== '') {
      this.#line.memory.search = search.query;
      this.#line.cursor = search.from;
    }
    this.#at = search.at;
    this.#search = undefined;
  }

  #searchKey(search: Search, key: Key): EditorResult | undefined {
    const name = key.kind === 'key' ? key.name : '';
    if (name === 'C-c') return this.#interrupt();
    if (name === 'escape') {
      this.#acceptSearch();
      return undefined;
    }
    if (name === 'C-g') {
      this.#at = this.#before.at;
      this.#line.load(this.#entries[this.#at]!, this.#before.cursor);
      this.#search = undefined;
      this.#bell();
      return undefined;
    }
    let next: Search;
    if (name === 'C-r' || name === 'C-s') {
      const query = search.query || this.#line.memory.search;
      next = findNext({ ...search, backward: name === 'C-r' }, query, this.#entries, search.query !== '');
    } else if (name === 'backspace') {
      const query = [...search.query].slice(0, -1).join('');
      next = findNext({ ...search, at: search.failed ? this.#before.at : search.at }, query, this.#entries, false);
    } else next = findNext(search, search.query + (key.kind === 'text' ? key.text : ''), this.#entries, false);
    if (next.failed) this.#bell();
    this.#search = next;
    if (!next.failed && next.query !== '') this.#line.load(this.#entries[next.at]!, next.from);
    return undefined;
  }

  #interrupt(): EditorResult {
    this.#options.canvas.write('^C');
    this.#display.leave();
    return { kind: 'interrupted' };
  }

  #leave(result: EditorResult): EditorResult {
    this.#search = undefined;
    if (result.kind === 'line')
      this.#display.draw({ prompt: this.#options.prompt, text: this.#line.text, cursor: this.#line.text.length });
    this.#display.leave();
    return result;
  }

  #bell(): void {
    this.#options.canvas.write(BELL);
  }
}

const OPPOSITE: Record<string, string> = {
  'C-f': 'C-b',
  'C-b': 'C-f',
  right: 'left',
  left: 'right',
  'M-f': 'M-b',
  'M-b': 'M-f',
  'C-d': 'backspace',
  backspace: 'delete',
};

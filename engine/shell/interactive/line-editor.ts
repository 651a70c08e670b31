// One line from the terminal, edited with bash's keys. A pasted block is inserted, not run: it waits for Enter.
import { applyCompletion, type Completions } from './apply-completion';
import { type Canvas, Display } from './display';
import { editByKey, insertText } from './edit-keys';
import { expandHistory } from './history-expansion';
import { argumentOf, OPPOSITE, PREFIXED } from './key-tables';
import { type Key, type NextByte, readKey } from './keys';
import { type EditorMemory, LineState } from './line-state';
import { listCompletions } from './list-completions';
import { findNext, type Search, searchPrompt, startSearch } from './search';

/** What one line needs. */
export interface EditorOptions {
  prompt: string;
  /** What stands in the line at first. */
  initial: string;
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
  #argument: { back: number; from: number; place: number | undefined } = { back: 0, from: 0, place: undefined };
  /** `C-x`, which waits for its second key. */
  #prefix = '';

  constructor(options: EditorOptions) {
    this.#options = options;
    this.#line = new LineState(options.memory);
    this.#line.load(options.initial);
    this.#display = new Display(options.canvas);
    this.#entries = [...options.history, ''];
    this.#at = this.#entries.length - 1;
    const follows = options.memory.next;
    options.memory.next = undefined;
    if (follows !== undefined && follows < this.#at) this.#walk(follows);
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
    if (this.#search && !this.#endsSearch(key)) return this.#searchKey(this.#search, key);
    switch (key.kind) {
      case 'end':
        return this.#leave({ kind: 'end' });
      case 'paste':
        insertText(this.#line, key.text, false);
        return undefined;
      case 'text':
        if (this.#count !== '' && /^\d$/.test(key.text)) {
          this.#count += key.text;
          return undefined;
        }
        insertText(this.#line, key.text.repeat(Math.max(1, Number(this.#count) || 1)), this.#count === '');
        this.#count = '';
        return undefined;
      case 'key':
        return this.#named(key.name);
    }
  }

  async #named(name: string): Promise<EditorResult | undefined> {
    const line = this.#line;
    const second = this.#prefix === '' ? undefined : PREFIXED[name];
    const isPrefixed = this.#prefix !== '';
    this.#prefix = '';
    if (isPrefixed) {
      if (second === undefined) this.#bell();
      else editByKey(line, second);
      return undefined;
    }
    if (/^M-[0-9-]$/.test(name)) {
      this.#count += name.at(-1);
      return undefined;
    }
    const repeated = Number(this.#count === '-' ? -1 : this.#count || 1);
    const counted = this.#count;
    this.#count = '';
    switch (name) {
      case 'C-x':
        this.#prefix = name;
        return undefined;
      case 'C-]':
      case 'M-C-]':
        await this.#findCharacter((name === 'C-]') === repeated > 0, Math.abs(repeated));
        return undefined;
      case 'C-o':
        // The entry after this one comes next; of a new line, nothing.
        if (this.#at < this.#options.history.length) this.#options.memory.next = this.#at + 1;
        return this.#leave({ kind: 'line', text: line.text });
      case 'pageup':
      case 'pagedown':
        this.#walkByStart(name === 'pageup' ? -1 : 1);
        return undefined;
      case 'M-^':
      case 'M-C-e':
        this.#expandHistory();
        return undefined;
      case 'M-*':
        this.#insertCompletions();
        return undefined;
      case 'M-?':
      case 'M-=':
        await this.#listCompletions();
        return undefined;
      case 'C-g':
        this.#bell();
        return undefined;
      case 'enter':
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
        return this.#literal();
      case 'M-.':
      case 'M-_':
        this.#lastArgument(counted === '' ? undefined : repeated);
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

  /** The next byte as it is; Escape is one by itself here. */
  async #literal(): Promise<undefined> {
    const { next } = this.#options;
    const byte = await next();
    let isFirst = true;
    const again: NextByte = (timeoutMs) => {
      if (!isFirst) return next(timeoutMs);
      isFirst = false;
      return Promise.resolve(byte);
    };
    const key: Key = byte === 27 ? { kind: 'key', name: 'escape' } : await readKey(again);
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
  #lastArgument(place?: number): void {
    const line = this.#line;
    if (line.last !== 'argument') {
      this.#argument = { back: 0, from: line.cursor, place };
      line.checkpoint();
    }
    const { history } = this.#options;
    const entry = history[history.length - ++this.#argument.back];
    if (entry === undefined) this.#bell();
    line.replace(this.#argument.from, line.cursor, argumentOf(entry ?? '', this.#argument.place));
    line.last = 'argument';
  }

  async #complete(): Promise<void> {
    const line = this.#line;
    const found = this.#options.complete(line.text.slice(0, line.cursor));
    const again = line.last === 'complete';
    line.checkpoint();
    if (applyCompletion(line, found)) {
      if (found.matches.length > 1) this.#bell();
      line.last = found.matches.length === 1 ? 'other' : 'type';
      return;
    }
    line.last = 'complete';
    if (!again || found.matches.length === 0) {
      this.#bell();
      return;
    }
    await this.#listCompletions(found);
  }

  async #listCompletions(found = this.#options.complete(this.#line.text.slice(0, this.#line.cursor))): Promise<void> {
    if (found.matches.length === 0) {
      this.#bell();
      return;
    }
    this.#display.leave();
    await listCompletions(this.#options.canvas, found, () => readKey(this.#options.next));
    this.#display.reset();
  }

  /** All candidates in the place of the word. */
  #insertCompletions(): void {
    const line = this.#line;
    const { replaced, matches } = this.#options.complete(line.text.slice(0, line.cursor));
    if (matches.length === 0) return this.#bell();
    line.checkpoint();
    line.replace(line.cursor - replaced.length, line.cursor, `${matches.map(({ text }) => text).join(' ')} `);
    line.last = 'other';
  }

  /** The entry before or after that begins with what stands before the cursor. */
  #walkByStart(step: -1 | 1): void {
    const { text, cursor } = this.#line;
    const start = text.slice(0, cursor);
    let to = this.#at + step;
    while (
      to >= 0 &&
      to < this.#entries.length &&
      (!this.#entries[to]!.startsWith(start) || this.#entries[to] === text)
    )
      to += step;
    if (to < 0 || to >= this.#entries.length) return this.#bell();
    this.#walk(to);
    this.#line.cursor = cursor === 0 ? this.#line.text.length : cursor;
  }

  #expandHistory(): void {
    const expanded = expandHistory(this.#line.text, this.#options.history);
    if ('error' in expanded) return this.#bell();
    this.#line.checkpoint();
    this.#line.replace(0, this.#line.text.length, expanded.text);
    this.#line.last = 'other';
  }

  /** Goes to the character that is typed next. */
  async #findCharacter(forward: boolean, count: number): Promise<void> {
    const key = await readKey(this.#options.next);
    if (key.kind !== 'text') return this.#bell();
    const { text, cursor } = this.#line;
    let at = cursor;
    for (; count > 0 && at >= 0; count--)
      at = forward ? text.indexOf(key.text, at + 1) : at === 0 ? -1 : text.lastIndexOf(key.text, at - 1);
    if (at < 0) return this.#bell();
    this.#line.cursor = at;
    this.#line.last = 'other';
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

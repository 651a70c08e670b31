// The text that is being edited, the cursor, what was killed, and what can be undone.

/** What lives longer than one line: killed texts, the last searched text. */
export interface EditorMemory {
  /** The latest is the last. */
  kills: string[];
  search: string;
  /** The entry of the history that the next line begins with, after C-o. */
  next?: number | undefined;
}

/** What the last key did, as far as the next one must know. */
export type LastAction = 'kill' | 'yank' | 'type' | 'complete' | 'argument' | 'other';

/** One line. */
export class LineState {
  text = '';
  /** UTF-16 index, never inside a character. */
  cursor = 0;
  /** Where C-x C-x goes back to. */
  mark = 0;
  last: LastAction = 'other';
  readonly memory: EditorMemory;
  #undo: { text: string; cursor: number }[] = [];
  /** Where the last yanked text lies, and which kill it was. */
  #yanked: { from: number; to: number; kill: number } | undefined;

  constructor(memory: EditorMemory) {
    this.memory = memory;
  }

  /** Replaces the whole line; the history of undoing begins anew. */
  load(text: string, cursor = text.length): void {
    this.text = text;
    this.cursor = cursor;
    this.#undo = [];
  }

  /** Notes the present state, to which `undo` will lead back. */
  checkpoint(): void {
    this.#undo.push({ text: this.text, cursor: this.cursor });
  }

  undo(): boolean {
    const before = this.#undo.pop();
    if (before) Object.assign(this, before);
    return before !== undefined;
  }

  /** Replaces a part; the cursor stands behind the new text. */
  replace(from: number, to: number, text: string): void {
    this.text = this.text.slice(0, from) + text + this.text.slice(to);
    this.cursor = from + text.length;
  }

  /** Cuts a part out into the kill ring; kills in a row join. */
  kill(from: number, to: number): void {
    if (from >= to) return;
    const { kills } = this.memory;
    const part = this.text.slice(from, to);
    this.checkpoint();
    if (this.last !== 'kill') kills.push(part);
    else kills.push(from < this.cursor ? part + (kills.pop() ?? '') : (kills.pop() ?? '') + part);
    if (kills.length > 60) kills.shift();
    this.replace(from, to, '');
  }

  /** Inserts the latest kill. */
  yank(): boolean {
    const text = this.memory.kills.at(-1);
    if (text === undefined) return false;
    this.checkpoint();
    this.#yanked = { from: this.cursor, to: this.cursor + text.length, kill: this.memory.kills.length - 1 };
    this.replace(this.cursor, this.cursor, text);
    return true;
  }

  /** Puts the kill before in the place of what has just been yanked. */
  yankPop(): boolean {
    const { kills } = this.memory;
    if (this.last !== 'yank' || !this.#yanked) return false;
    const kill = (this.#yanked.kill + kills.length - 1) % kills.length;
    const { from, to } = this.#yanked;
    this.replace(from, to, kills[kill]!);
    this.#yanked = { from, to: this.cursor, kill };
    return true;
  }

  /** The index behind the next character, with what combines with it. */
  next(at = this.cursor): number {
    const found = /^[\s\S](?:(?<=[\ud800-\udbff])[\udc00-\udfff])?[\p{M}\u200d]*/u.exec(this.text.slice(at, at + 32));
    return at + (found?.[0].length ?? 0);
  }

  /** The index of the character before. */
  previous(at = this.cursor): number {
    let before = at;
    do {
      before -= before > 1 && /[\udc00-\udfff]/.test(this.text[before - 1]!) ? 2 : 1;
    } while (before > 0 && /^[\p{M}\u200d]/u.test(this.text.slice(before, before + 2)));
    return Math.max(0, before);
  }

  /** The end of the word at or after the cursor; words are letters and digits. */
  wordEnd(at = this.cursor): number {
    const rest = this.text.slice(at);
    return at + (/^[^\p{L}\p{N}]*[\p{L}\p{N}\p{M}]*/u.exec(rest)?.[0].length ?? 0);
  }

  /** The start of the word at or before the cursor. */
  wordStart(at = this.cursor): number {
    const before = this.text.slice(0, at);
    return at - (/[\p{L}\p{N}\p{M}]*[^\p{L}\p{N}]*$/u.exec(before)?.[0].length ?? 0);
  }

  /** The start of the blank-separated word before the cursor. */
  blankWordStart(): number {
    return this.cursor - (/\S*\s*$/.exec(this.text.slice(0, this.cursor))?.[0].length ?? 0);
  }
}

// Draws the line that is being edited. Everything is laid out anew at each key, but only a letter at the end or a move of the cursor costs what it must.
import { type Layout, layOut, type Place } from './cells';

/** The terminal that is drawn on. */
export interface Canvas {
  size(): { columns: number; rows: number };
  write(text: string): void;
}

/** What is shown. */
export interface View {
  prompt: string;
  text: string;
  /** Index in `text`. */
  cursor: number;
}

/** One edited line on a canvas, from its first drawing to `leave`. */
export class Display {
  readonly #canvas: Canvas;
  #shown: View | undefined;
  /** Where the cursor is, from the first row drawn. */
  #at: Place = { row: 0, column: 0 };
  #columns = 0;

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
  }

  /** Makes the screen show this. */
  draw(view: View): void {
    const size = this.#canvas.size();
    const layout = layOut(view.prompt, view.text, view.cursor, size.columns);
    const before = this.#shown;
    const isSame = before !== undefined && before.prompt === view.prompt && this.#columns === size.columns;
    const isTall = layout.rows.length > size.rows;
    if (isSame && !isTall && before.text === view.text) this.#move(layout.cursor);
    else if (isSame && !isTall && this.#isTyped(before, view, layout)) {
      this.#canvas.write(view.text.slice(before.text.length));
      this.#at = layout.cursor;
    } else this.#drawAll(layout, size.rows);
    this.#shown = view;
    this.#columns = size.columns;
  }

  /** Letters were added at the end, and the row has still room. */
  #isTyped(before: View, view: View, layout: Layout): boolean {
    return (
      before.cursor === before.text.length &&
      view.cursor === view.text.length &&
      view.text.startsWith(before.text) &&
      layout.cursor.row === this.#at.row &&
      layout.cursor.column > this.#at.column &&
      !/[\x00-\x1f\x7f]/.test(view.text.slice(before.text.length))
    );
  }

  #drawAll(layout: Layout, height: number): void {
    // What does not fit on the screen cannot be drawn: the window holds the cursor.
    const top = Math.max(0, Math.min(layout.cursor.row, layout.rows.length - height));
    const rows = layout.rows.slice(top, top + height);
    let out = `${this.#at.row > 0 ? `\x1b[${this.#at.row}A` : ''}\r\x1b[J`;
    for (const [index, row] of rows.entries()) {
      out += row.text;
      if (index === rows.length - 1) continue;
      // A row that is full leaves the cursor behind its last column; the next letter goes on below. An empty one must be asked for.
      if (row.hard) out += '\n';
      else if (rows[index + 1]!.text === '') out += ' \r';
    }
    const last = top + rows.length - 1;
    this.#canvas.write(out);
    this.#at = { row: last - top, column: last === layout.end.row ? layout.end.column : -1 };
    this.#move({ row: layout.cursor.row - top, column: layout.cursor.column });
  }

  #move(to: Place): void {
    const rows = to.row - this.#at.row;
    let out = rows < 0 ? `\x1b[${-rows}A` : rows > 0 ? `\x1b[${rows}B` : '';
    if (to.column !== this.#at.column) out += `\r${to.column > 0 ? `\x1b[${to.column}C` : ''}`;
    if (out !== '') this.#canvas.write(out);
    this.#at = to;
  }

  /** Draws again what is shown, after the window has got another size. */
  redraw(): void {
    if (this.#shown) this.draw(this.#shown);
  }

  /** Forgets what is on the screen: something else was written there, and the cursor is at the start of a row. */
  reset(): void {
    this.#shown = undefined;
    this.#at = { row: 0, column: 0 };
  }

  /** Puts the cursor at the start of an empty row below the last letter. */
  leave(): void {
    if (this.#shown) this.draw({ ...this.#shown, cursor: this.#shown.text.length });
    if (this.#at.row === 0 || this.#at.column > 0) this.#canvas.write('\n');
  }
}

// A terminal's screen without a window: what a person would see after some bytes, as text that can be compared.
import headless from '@xterm/headless';
import { countModernWidths } from '../../components/terminal/unicode-widths.ts';

/** One screen. */
export interface Screen {
  /** Draws; resolves when the bytes have been interpreted. */
  write(bytes: Uint8Array | string): Promise<void>;
  resize(columns: number, rows: number): void;
  /** The rows without blanks at their ends, empty rows at the end left out, and the cursor as `@row,column` from 0. */
  text(): string;
  dispose(): void;
}

/** What differs from run to run is named instead: the home folder, process ids. */
export function comparable(text: string, home: string): string {
  return text.replaceAll(home, '<home>').replace(/^(\[\d+\]) \d+$/gm, '$1 <pid>');
}

/** A fresh screen; what the terminal answers to queries (where is the cursor?) goes to `answer`. */
export function createScreen(columns: number, rows: number, answer: (text: string) => void): Screen {
  const terminal = new headless.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  countModernWidths(terminal);
  terminal.onData(answer);
  return {
    write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    resize: (toColumns, toRows) => terminal.resize(toColumns, toRows),
    text() {
      const buffer = terminal.buffer.active;
      const lines: string[] = [];
      for (let row = 0; row < terminal.rows; row++)
        lines.push(
          buffer
            .getLine(buffer.baseY + row)
            ?.translateToString(true)
            .trimEnd() ?? '',
        );
      while (lines.at(-1) === '') lines.pop();
      return `${lines.join('\n')}\n@${buffer.cursorY},${buffer.cursorX}`;
    },
    dispose: () => terminal.dispose(),
  };
}

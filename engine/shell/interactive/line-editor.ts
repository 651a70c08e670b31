// One line from the terminal, by Node's own readline. A pasted block is inserted, not run: its newlines are shown as ↵ until
// Enter is pressed.
import readline from 'node:readline';
import { PassThrough } from 'node:stream';

/** What the editor needs. */
export interface EditorOptions {
  prompt: string;
  /** Oldest first. */
  history: readonly string[];
  /** Candidates for the end of the text before the cursor, and the part of it that they replace. */
  complete(line: string): [string[], string];
}

/** How editing ended. */
export type EditorResult = { kind: 'line'; text: string } | { kind: 'interrupted' } | { kind: 'end' };

const NEWLINE_MARK = '↵';
const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';

/** The members of readline's interface that are not in its types. */
interface Editor extends readline.Interface {
  history: string[];
  _ttyWrite(text: string, key: { name?: string; ctrl?: boolean; sequence?: string }): void;
  _refreshLine(): void;
}

/** Edits one line. The terminal is in raw mode only meanwhile. */
export function readCommandLine(options: EditorOptions): Promise<EditorResult> {
  return new Promise((resolve) => {
    const input = new PassThrough() as PassThrough & { isTTY: boolean; setRawMode(on: boolean): void };
    input.isTTY = true;
    input.setRawMode = (on) => void process.stdin.setRawMode(on);
    const paste = pasteFilter();
    const forward = (chunk: Buffer) => void input.write(paste(chunk.toString('utf8')));
    const editor = readline.createInterface({
      input,
      output: process.stdout,
      terminal: true,
      prompt: options.prompt,
      history: [...options.history].reverse().map((line) => line.replaceAll('\n', NEWLINE_MARK)),
      historySize: 10_000,
      removeHistoryDuplicates: false,
      escapeCodeTimeout: 50,
      tabSize: 8,
      completer: (line: string) => options.complete(line),
    }) as Editor;
    addSearch(editor, options.history);
    let result: EditorResult = { kind: 'end' };
    const resize = () => editor._refreshLine();
    process.stdout.on('resize', resize);
    editor.on('line', (line) => {
      result = { kind: 'line', text: line.replaceAll(NEWLINE_MARK, '\n') };
      editor.close();
    });
    editor.on('SIGINT', () => {
      process.stdout.write('^C\n');
      result = { kind: 'interrupted' };
      editor.close();
    });
    editor.on('close', () => {
      process.stdin.off('data', forward);
      process.stdout.off('resize', resize);
      process.stdin.pause();
      process.stdin.setRawMode(false);
      resolve(result);
    });
    process.stdin.on('data', forward);
    process.stdin.resume();
    editor.prompt();
  });
}

/** Takes the marks of bracketed paste away and hides the newlines between them. */
function pasteFilter(): (text: string) => string {
  let inside = false;
  let held = '';
  return (chunk) => {
    let text = held + chunk;
    held = '';
    let result = '';
    for (;;) {
      const mark = inside ? PASTE_END : PASTE_START;
      const at = text.indexOf(mark);
      const part = at < 0 ? text : text.slice(0, at);
      if (at < 0 && inside) {
        // The end mark may arrive in pieces, and a last newline is dropped: wait for the whole block.
        held = text;
        return result;
      }
      result += inside
        ? part
            .replace(/\r\n?|\n/g, '\n')
            .replace(/\n+$/, '')
            .replaceAll('\n', NEWLINE_MARK)
            .replaceAll('\t', '  ')
        : part;
      if (at < 0) return result;
      inside = !inside;
      text = text.slice(at + mark.length);
    }
  };
}

/** Ctrl-R: the latest command that contains what is typed; again: the one before. */
function addSearch(editor: Editor, history: readonly string[]): void {
  const original = editor._ttyWrite.bind(editor);
  let query: string | undefined;
  let at = history.length;
  editor._ttyWrite = (text, key) => {
    if (!(key?.ctrl && key.name === 'r')) {
      query = undefined;
      original(text, key);
      return;
    }
    if (query === undefined) {
      query = editor.line;
      at = history.length;
    }
    const wanted = query;
    const found = history.slice(0, at).findLastIndex((line) => line.includes(wanted));
    if (found < 0) {
      process.stdout.write('\x07');
      return;
    }
    at = found;
    Object.assign(editor, { line: history[found]!.replaceAll('\n', NEWLINE_MARK), cursor: history[found]!.length });
    editor._refreshLine();
  };
}

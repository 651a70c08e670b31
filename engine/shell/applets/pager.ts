// less and more: a text page by page on the terminal's second screen; where the output is no terminal, as cat. Keys are taken in raw mode from
// the terminal itself, so that `ls | less` works. A text that fits is printed at once.
import fs from 'node:fs';
import { widthOf } from '../interactive/cells';
import { type Key, readKey } from '../interactive/keys';
import { terminalKeys } from '../interactive/terminal-keys';
import { COOKED, RAW } from '../os';
import { parseOptions } from './options';
import { type Applet, eachInput, type Tool } from './tool';

const SECOND_SCREEN = '\x1b[?1049h';
const FIRST_SCREEN = '\x1b[?1049l';
const HELP = 'space b: page, j k: line, g G: ends, /text n N: search, q: quit';

/** less, more [-RSNFXeEirs] files. */
export const less: Applet = async (tool) => {
  const { operands, flags } = parseOptions(tool.args, 'RSNFXeEirs');
  const parts: string[] = [];
  const status = await eachInput(tool, operands, async (input) => void parts.push(await input.text()));
  const text = parts.join('');
  const size = tool.stdout.isTerminal ? tool.os.terminalSize(tool.stdout.channel.descriptor()) : undefined;
  if (!size || rowsOf(text, size.columns, flags.has('N')).length < size.rows) {
    await tool.stdout.write(text);
    return status;
  }
  const keyboard = fs.openSync('/dev/tty', 'r');
  const before = tool.os.terminalModes(keyboard) ?? COOKED;
  tool.os.setTerminalModes(keyboard, RAW);
  try {
    await browse(tool, text, keyboard, flags.has('N'));
  } finally {
    tool.os.setTerminalModes(keyboard, before);
    fs.closeSync(keyboard);
    await tool.stdout.write(FIRST_SCREEN);
    await tool.stdout.flush();
  }
  return status;
};

/** The text as rows of the screen: long lines are folded. */
function rowsOf(text: string, columns: number, numbered: boolean): string[] {
  const rows: string[] = [];
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const whole = `${numbered ? `${String(index + 1).padStart(7)} ` : ''}${line.replaceAll('\t', '    ')}`;
    let row = '';
    let width = 0;
    // Colours take no room.
    for (const piece of whole.split(/(\x1b\[[\d;]*[A-Za-z])/)) {
      if (piece.startsWith('\x1b[')) {
        row += piece;
        continue;
      }
      for (const letter of piece) {
        if (width + widthOf(letter) > columns) {
          rows.push(row);
          row = '';
          width = 0;
        }
        row += letter;
        width += widthOf(letter);
      }
    }
    rows.push(row);
  }
  return rows;
}

async function browse(tool: Tool, text: string, keyboard: number, numbered: boolean): Promise<void> {
  const next = terminalKeys(tool.os, keyboard);
  let top = 0;
  let wanted = '';
  let note = '';
  for (;;) {
    const { columns, rows } = tool.os.terminalSize(keyboard) ?? { columns: 80, rows: 24 };
    const page = Math.max(1, rows - 1);
    const lines = rowsOf(text, columns, numbered);
    const last = Math.max(0, lines.length - page);
    top = Math.min(Math.max(0, top), last);
    const mark = note || (top === last ? '(END)' : ':');
    const shown = lines.slice(top, top + page).map((line) => `${highlight(line, wanted)}\x1b[m\x1b[K`);
    await tool.stdout.write(`${SECOND_SCREEN}\x1b[H${shown.join('\r\n')}\r\n\x1b[J\x1b[7m${mark}\x1b[m`);
    await tool.stdout.flush();
    note = '';
    const key = await readKey(next);
    if (key.kind === 'end') return;
    const search = (from: number, step: number): void => {
      if (wanted === '') return;
      for (let at = from + step; at >= 0 && at < lines.length; at += step)
        if (plain(lines[at]!).includes(wanted)) {
          top = at;
          return;
        }
      note = 'Pattern not found';
    };
    switch (nameOf(key)) {
      case 'q':
      case 'Q':
      case 'C-c':
        return;
      case ' ':
      case 'f':
      case 'C-f':
      case 'pagedown':
        top += page;
        break;
      case 'b':
      case 'C-b':
      case 'pageup':
        top -= page;
        break;
      case 'j':
      case 'e':
      case 'enter':
      case 'down':
        top++;
        break;
      case 'k':
      case 'y':
      case 'up':
        top--;
        break;
      case 'd':
      case 'C-d':
        top += page >> 1;
        break;
      case 'u':
      case 'C-u':
        top -= page >> 1;
        break;
      case 'g':
      case '<':
      case 'home':
        top = 0;
        break;
      case 'G':
      case '>':
      case 'end':
        top = last;
        break;
      case '/': {
        const typed = await ask(tool, next);
        if (typed) wanted = typed;
        search(top - 1, 1);
        break;
      }
      case 'n':
        search(top, 1);
        break;
      case 'N':
        search(top, -1);
        break;
      case 'h':
        note = HELP;
    }
  }
}

function nameOf(key: Exclude<Key, { kind: 'end' }>): string {
  return key.kind === 'key' ? key.name : key.text;
}

function plain(row: string): string {
  return row.replace(/\x1b\[[\d;]*[A-Za-z]/g, '');
}

function highlight(row: string, wanted: string): string {
  return wanted === '' || row.includes('\x1b') ? row : row.replaceAll(wanted, (found) => `\x1b[7m${found}\x1b[27m`);
}

/** The text that is searched for; undefined when it was given up. */
async function ask(tool: Tool, next: ReturnType<typeof terminalKeys>): Promise<string | undefined> {
  let typed = '';
  for (;;) {
    await tool.stdout.write(`\r\x1b[K/${typed}`);
    await tool.stdout.flush();
    const key = await readKey(next);
    if (key.kind === 'end') return undefined;
    const name = nameOf(key);
    if (key.kind !== 'key') typed += name;
    else if (name === 'enter') return typed;
    else if (name === 'backspace') typed = typed.slice(0, -1);
    else if (name === 'escape' || name === 'C-c') return undefined;
  }
}

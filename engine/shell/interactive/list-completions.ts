// The list that a second Tab shows: in columns, after a question when it is long.
import type { Completions } from './apply-completion';
import { columnsOf } from './cells';
import type { Canvas } from './display';
import type { Key } from './keys';

const MANY = 100;

/** Writes the list below the line; the cursor is at the start of an empty row before and after. */
export async function listCompletions(
  canvas: Canvas,
  { matches }: Completions,
  ask: () => Promise<Key>,
): Promise<void> {
  if (matches.length >= MANY) {
    canvas.write(`Display all ${matches.length} possibilities? (y or n)`);
    const agreed = await answer(ask);
    canvas.write('\n');
    if (!agreed) return;
  }
  const labels = [...new Set(matches.map((match) => match.label))];
  const width = Math.max(...labels.map(columnsOf)) + 2;
  const columns = Math.max(1, Math.floor(canvas.size().columns / width));
  const rows = Math.ceil(labels.length / columns);
  let out = '';
  for (let row = 0; row < rows; row++) {
    const cells = labels.filter((_, at) => at % rows === row);
    out += `${cells.map((cell, at) => (at === cells.length - 1 ? cell : cell + ' '.repeat(width - columnsOf(cell)))).join('')}\n`;
  }
  canvas.write(out);
}

async function answer(ask: () => Promise<Key>): Promise<boolean> {
  for (;;) {
    const key = await ask();
    if (key.kind === 'end') return false;
    if (key.kind === 'text' && /^[yY ]$/.test(key.text)) return true;
    if (key.kind === 'text' && /^[nN]$/.test(key.text)) return false;
    if (key.kind === 'key' && ['C-c', 'C-g', 'backspace', 'escape'].includes(key.name)) return false;
  }
}

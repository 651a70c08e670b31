// What keys mean together with others: after C-x, and with a count before them.

/** A word of a command, by its place; without one the last. */
export function argumentOf(entry: string, place: number | undefined): string {
  const words = entry.match(/(?:\\.|'[^']*'|"[^"]*"|\S)+/g) ?? [];
  return (place === undefined ? words.at(-1) : words.at(place < 0 ? place - 1 : place)) ?? '';
}

/** Second keys of `C-x` that edit. */
export const PREFIXED: Record<string, string> = { 'C-u': 'C-_', 'C-x': 'exchange' };

/** What a key does when it is given a negative count. */
export const OPPOSITE: Record<string, string> = {
  'M-d': 'M-backspace',
  'M-backspace': 'M-d',
  'C-k': 'C-u',
  'M-u': 'upper-before',
  'M-l': 'lower-before',
  'M-c': 'capital-before',
  'C-f': 'C-b',
  'C-b': 'C-f',
  right: 'left',
  left: 'right',
  'M-f': 'M-b',
  'M-b': 'M-f',
  'C-d': 'backspace',
  backspace: 'delete',
};

// The options of a program as GNU programs read them: letters in clusters, values glued or in the next word, long names shortened as far as
// they are unambiguous. A table that knew only the full spelling would be passed by `-ro f` and `--outp f`.
import type { ShellWord } from './bash-words';

/** What a program's options are. Names are parted by spaces, letters are not. */
export interface OptionTable {
  /** Letters that take a value. */
  short?: string;
  /** Letters whose value can only be glued to them. */
  glued?: string;
  /** Letters without a value; only needed where `isStrict`. */
  flags?: string;
  /** Long names that take a value. */
  long?: string;
  /** Long names without one, or with one after `=` only. */
  longFlags?: string;
  /** Reads no options after the first operand. */
  stops?: boolean;
}

/** `name`: a letter or a full long name, without dashes. `isKnown`: false where nobody can tell whether the next word is its value. */
export interface ReadOption {
  name: string;
  value?: ShellWord;
  isKnown: boolean;
}

export interface ReadOptions {
  options: ReadOption[];
  operands: ShellWord[];
  /** Where the operands begin in the words that were read; only with `stops`. */
  end: number;
}

const listed = (names: string | undefined): string[] => names?.split(' ') ?? [];

/** Reads the words after a program's name. */
export function readOptions(words: readonly ShellWord[], table: OptionTable): ReadOptions {
  const read: ReadOptions = { options: [], operands: [], end: words.length };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const { text } = word;
    if (text === '--') {
      read.operands.push(...words.slice(at + 1));
      read.end = at + 1;
      return read;
    }
    if (!text.startsWith('-') || text === '-') {
      if (table.stops) {
        read.operands.push(...words.slice(at));
        read.end = at;
        return read;
      }
      read.operands.push(word);
    } else if (text.startsWith('--')) {
      const equals = text.indexOf('=');
      const given = text.slice(2, equals < 0 ? undefined : equals);
      const found = longName(given, table);
      const glued = equals < 0 ? undefined : { ...word, text: text.slice(equals + 1) };
      const value = glued ?? (found.takesValue ? words[++at] : undefined);
      read.options.push({ name: found.name, isKnown: found.isKnown, ...(value === undefined ? {} : { value }) });
    } else at += readCluster(word, words[at + 1], table, read.options);
  }
  return read;
}

/** How many words beside its own it took. */
function readCluster(word: ShellWord, next: ShellWord | undefined, table: OptionTable, options: ReadOption[]): number {
  const { text } = word;
  for (let at = 1; at < text.length; at++) {
    const name = text[at]!;
    const rest = text.slice(at + 1);
    const glued = rest === '' ? undefined : { ...word, text: rest };
    if (table.short?.includes(name)) {
      const value = glued ?? next;
      options.push({ name, isKnown: true, ...(value === undefined ? {} : { value }) });
      return glued === undefined ? 1 : 0;
    }
    if (table.glued?.includes(name)) {
      options.push({ name, isKnown: true, ...(glued === undefined ? {} : { value: glued }) });
      return 0;
    }
    options.push({ name, isKnown: table.flags?.includes(name) ?? false });
  }
  return 0;
}

function longName(given: string, table: OptionTable): { name: string; takesValue: boolean; isKnown: boolean } {
  const valued = listed(table.long);
  const plain = listed(table.longFlags);
  if (valued.includes(given)) return { name: given, takesValue: true, isKnown: true };
  if (plain.includes(given)) return { name: given, takesValue: false, isKnown: true };
  const meant = [...valued, ...plain].filter((name) => name.startsWith(given));
  const [name] = meant;
  if (name === undefined) return { name: given, takesValue: false, isKnown: false };
  return { name, takesValue: valued.includes(name), isKnown: meant.length === 1 };
}

/** The values of these options. */
export function valuesOf({ options }: ReadOptions, ...names: string[]): ShellWord[] {
  return options.flatMap((option) => (names.includes(option.name) && option.value ? [option.value] : []));
}

/** Is one of these given? */
export function isGiven({ options }: ReadOptions, ...names: string[]): boolean {
  return options.some((option) => names.includes(option.name));
}

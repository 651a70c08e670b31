// `@` and `/` in the composer: which word is being typed, what fits, and the text with what was chosen. The model reads a plain path; agents,
// commands and resources of servers keep their sign.
import { type FuzzyMatch, fuzzyMatch } from '../search/fuzzy';

export interface MentionWord {
  /** Index of the `@`. */
  start: number;
  /** What was typed after it. */
  query: string;
}

/** The mention that the cursor is in, if any: an `@` at a word's beginning, and no space since. */
export function mentionAt(text: string, cursor: number): MentionWord | undefined {
  const match = /(?:^|[\s(])@([^\s@]*)$/.exec(text.slice(0, cursor));
  return match ? { start: cursor - match[1]!.length - 1, query: match[1]! } : undefined;
}

export interface MentionItem {
  path: string;
  positions: number[];
  /** What it is, for agents and commands. */
  note?: string;
}

/** The slash at the very beginning, while its word is typed: where a command goes. */
export function slashAt(text: string, cursor: number): MentionWord | undefined {
  const match = /^\/([\w./:-]*)$/.exec(text.slice(0, cursor));
  return match ? { start: 0, query: match[1]! } : undefined;
}

/** The eight best files. */
export function mentionItems(query: string, paths: readonly string[]): MentionItem[] {
  const found: (MentionItem & { match: FuzzyMatch })[] = [];
  for (const path of paths) {
    const match = fuzzyMatch(query, path);
    if (match) found.push({ path, positions: match.positions, match });
  }
  return found
    .sort((a, b) => b.match.score - a.match.score || a.path.length - b.path.length)
    .slice(0, 8)
    .map(({ path, positions }) => ({ path, positions }));
}

/** The text with the word replaced by the path, and where the cursor goes. */
export function withMention(text: string, word: MentionWord, path: string): { text: string; cursor: number } {
  const shown = /\s/.test(path) ? `"${path}"` : path;
  const before = text.slice(0, word.start) + shown;
  const rest = text.slice(word.start + 1 + word.query.length);
  const gap = rest.startsWith(' ') ? '' : ' ';
  return { text: before + gap + rest, cursor: before.length + 1 };
}

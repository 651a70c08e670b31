// Ranks names by typed letters, as quick-open boxes do: letters in order, better at word starts, in runs and in the file's own name.

/** A match: a higher score is better; `positions` are indices into the text, for the highlight. */
export interface FuzzyMatch {
  score: number;
  positions: number[];
}

/** Undefined when the letters are not all there in order. Case is ignored, spaces in the query too. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const wanted = query.toLowerCase().replace(/\s+/g, '');
  if (wanted === '') return { score: 0, positions: [] };
  const lower = text.toLowerCase();
  const nameStart = lower.lastIndexOf('/') + 1;
  // The name alone first: `in` should find `src/index.ts` by its i-n, not by the i of some folder.
  return matchFrom(wanted, text, lower, nameStart, 50) ?? matchFrom(wanted, text, lower, 0, 0);
}

function matchFrom(wanted: string, text: string, lower: string, start: number, bonus: number): FuzzyMatch | undefined {
  const whole = lower.indexOf(wanted, start);
  const positions: number[] = [];
  if (whole >= 0) for (let at = 0; at < wanted.length; at++) positions.push(whole + at);
  else {
    // Who prefers the starts of words may jump over letters that are still needed; the first places always do when any do.
    const first = (letter: string, at: number) => lower.indexOf(letter, at);
    const best = (letter: string, at: number) => bestNext(letter, text, lower, at);
    const found = inOrder(wanted, start, best) ?? inOrder(wanted, start, first);
    if (found === undefined) return undefined;
    positions.push(...found);
  }
  let score = bonus - text.length * 0.1;
  positions.forEach((position, index) => {
    if (isWordStart(text, position)) score += 8;
    if (index > 0 && positions[index - 1] === position - 1) score += 5;
  });
  if (whole >= 0) score += 15;
  if (whole === start) score += 10;
  return { score, positions };
}

function inOrder(wanted: string, start: number, next: (letter: string, at: number) => number): number[] | undefined {
  const positions: number[] = [];
  for (const letter of wanted) {
    const found = next(letter, (positions.at(-1) ?? start - 1) + 1);
    if (found < 0) return undefined;
    positions.push(found);
  }
  return positions;
}

/** The next occurrence, or a word start a little further on. */
function bestNext(letter: string, text: string, lower: string, from: number): number {
  const first = lower.indexOf(letter, from);
  for (let at = first; at >= 0 && at < first + 12; at = lower.indexOf(letter, at + 1))
    if (isWordStart(text, at)) return at;
  return first;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text[at - 1]!;
  return /[\s/._-]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(text[at]!));
}

/** The items that match, best first, at most `limit`; with an empty query the first ones as they are. */
export function rankFuzzy<T>(query: string, items: readonly T[], textOf: (item: T) => string, limit: number) {
  const found: { item: T; match: FuzzyMatch }[] = [];
  for (const item of items) {
    const match = fuzzyMatch(query, textOf(item));
    if (match) found.push({ item, match });
    if (query.trim() === '' && found.length >= limit) break;
  }
  return found.sort((a, b) => b.match.score - a.match.score).slice(0, limit);
}

// "Did you mean": names near a wrong one, judged by edit distance after folding what people and models confuse.
import { foldUnicode } from './fold-unicode';

/** The `count` candidates nearest to `wanted`, best first; those further than a third of its length (at least 2) are left out. */
export function closest(wanted: string, candidates: Iterable<string>, count: number): string[] {
  const target = folded(wanted);
  const limit = Math.max(2, Math.floor(target.length / 3));
  const scored: { name: string; distance: number }[] = [];
  for (const name of candidates) {
    const other = folded(name);
    const contains = other.includes(target) || target.includes(other);
    const distance = other === target ? 0 : contains ? 1 : editDistance(target, other, limit);
    if (distance <= limit) scored.push({ name, distance });
  }
  return scored
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map((entry) => entry.name);
}

function folded(name: string): string {
  return foldUnicode(name.normalize('NFC')).toLowerCase();
}

/** Levenshtein distance, or `limit + 1` as soon as it must be greater than `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column++) {
      const substitute = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      const value = Math.min(substitute, previous[column]! + 1, current[column - 1]! + 1);
      current.push(value);
      best = Math.min(best, value);
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length]!;
}

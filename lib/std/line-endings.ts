// Line endings as a property of each line, so that a file with both kinds keeps both.

export type LineEnding = '\n' | '\r\n';

/** Which ending most lines have; `\n` when there is none. */
export function mainLineEnding(text: string): LineEnding {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  return crlf > lf ? '\r\n' : '\n';
}

/** CRLF becomes LF; a lone CR stays. */
export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Every LF (also those of CRLF) becomes `ending`. */
export function withLineEnding(text: string, ending: LineEnding): string {
  return ending === '\n' ? toLf(text) : toLf(text).replaceAll('\n', '\r\n');
}

/**
 * LF text and, for every position in it, the position in the original: `original.slice(map(a), map(b))` is what LF `[a, b)` stands for.
 * A position on a LF that was CRLF maps to the CR.
 */
export function lfView(original: string): { text: string; map: (at: number) => number } {
  if (!original.includes('\r\n')) return { text: original, map: (at) => at };
  const crAt: number[] = [];
  for (let at = original.indexOf('\r\n'); at >= 0; at = original.indexOf('\r\n', at + 2)) crAt.push(at - crAt.length);
  const map = (at: number) => {
    // How many CRs were dropped before `at`: those of line feeds that lie strictly before it in the LF text.
    let low = 0;
    let high = crAt.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (crAt[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return at + low;
  };
  return { text: toLf(original), map };
}

/** Lines without their endings; a final newline does not add an empty line. Empty text has no lines. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

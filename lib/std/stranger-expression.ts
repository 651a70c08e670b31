// Regular expressions that a model or a server wrote run in the page, which stands still as long as they look. The engine tries every way in which loops
// can share a text, so loops inside of loops take twice as long with every character, and many loops in a row take a power of the text's length.

/** So many loops in a row are still quick on a line of text. */
const maxLoops = 3;

/** Why this expression could stop the page, as a clause; undefined when it can't on short lines. *Contract:* `source` compiles. */
export function expressionHazard(source: string): string | undefined {
  /** Of each open group: is there a loop or a choice in it? */
  const open: boolean[] = [];
  let loops = 0;
  let closed = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    const wasClosed = closed;
    closed = false;
    if (char === '\\') {
      if (/[1-9k]/.test(source[++at] ?? '')) return 'it refers back to what it found';
    } else if (char === '[') at = endOfClass(source, at);
    else if (char === '(') open.push(false);
    else if (char === '|') open.fill(true);
    else if (char === ')') closed = open.pop() === true;
    else if (isLoop(source, at)) {
      if (wasClosed) return 'a loop or a choice stands inside of a loop';
      if (++loops > maxLoops) return `it has more than ${maxLoops} loops`;
      open.fill(true);
    }
  }
  return undefined;
}

/** `*`, `+` and `{n,}` have no end, and `{n,m}` has one that may be far away. */
function isLoop(source: string, at: number): boolean {
  return source[at] === '*' || source[at] === '+' || /^\{\d+(?:,\d*)?\}/.test(source.slice(at, at + 24));
}

function endOfClass(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at;
}

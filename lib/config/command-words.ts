// What is typed after a command's name, as words: quotes hold words together, and an apostrophe inside of a word is an apostrophe.

/** `a "b c" don't 'd'` → a, b c, don't, d. In double quotes `\"` and `\\` are escapes. A quote that never ends is text. */
export function commandWords(text: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at++;
      continue;
    }
    const quote = text[at]!;
    const end = quote === '"' || quote === "'" ? closing(text, at) : -1;
    if (end > 0) {
      const inside = text.slice(at + 1, end);
      words.push(quote === '"' ? inside.replace(/\\(["\\])/g, (_all, kept: string) => kept) : inside);
      at = end + 1;
      continue;
    }
    const word = /^\S+/.exec(text.slice(at))![0];
    words.push(word);
    at += word.length;
  }
  return words;
}

/** Where the quote that opens at `at` ends: before a blank or the end of the text; -1 when it does not. */
function closing(text: string, at: number): number {
  const quote = text[at]!;
  for (let next = at + 1; next < text.length; next++) {
    if (quote === '"' && text[next] === '\\') next++;
    else if (text[next] === quote && (next + 1 === text.length || /\s/.test(text[next + 1]!))) return next;
  }
  return -1;
}

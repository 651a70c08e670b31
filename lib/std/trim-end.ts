// Taking off what a text ends with. An expression like `/\s+$/` looks for the end from each place where a run begins, which costs the square of the run's
// length when something follows it; whoever writes the text chooses how long that takes.

/** `text` without the characters of `ending` at its end. */
export function trimEnd(text: string, ending: string): string {
  let end = text.length;
  while (end > 0 && ending.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

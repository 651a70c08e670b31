// Typographic characters and their plain twins, one UTF-16 unit for one, so that positions in folded text are positions in the original.

const twins: [string, string][] = [
  ['\u2018\u2019\u201a\u201b\u2032\u02bc', "'"],
  ['\u201c\u201d\u201e\u201f\u2033', '"'],
  ['\u2010\u2011\u2012\u2013\u2014\u2015\u2212', '-'],
  ['\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000', ' '],
];
const plain = new Map(twins.flatMap(([chars, twin]) => Array.from(chars, (char) => [char, twin] as const)));
const pattern = new RegExp(`[${[...plain.keys()].join('')}]`, 'g');

/** Curly quotes, dashes and odd spaces become their ASCII twins. *Contract:* the length stays the same. */
export function foldUnicode(text: string): string {
  return text.replace(pattern, (char) => plain.get(char)!);
}

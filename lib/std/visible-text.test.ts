import { expect, test } from 'vitest';
import { visibleName, visibleText } from './visible-text';

test.each([
  ['turned around', 'rm -rf ~ #\u202e tset mpn', 'rm -rf ~ #⟨U+202E⟩ tset mpn'],
  ['isolates', 'a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
  ['no width', 'n\u200bpm\u2060 te\ufeffst', 'n⟨U+200B⟩pm⟨U+2060⟩ te⟨U+FEFF⟩st'],
  ['tags that spell sentences', `echo\u{e0041}\u{e0042}`, 'echo⟨U+E0041⟩⟨U+E0042⟩'],
  ['fillers that look like spaces', 'a\u3164b\u2800c', 'a⟨U+3164⟩b⟨U+2800⟩c'],
  ['a carriage return that overwrites', 'evil\rgood', 'evil⟨U+000D⟩good'],
  ['escape sequences', '\u001b[8mhidden', '⟨U+001B⟩[8mhidden'],
  ['line separators', 'a\u2028b', 'a⟨U+2028⟩b'],
  ['a joiner between letters', 'a\u200db', 'a⟨U+200D⟩b'],
  ['half of a pair', 'a\ud800b', 'a⟨U+D800⟩b'],
])('%s', (_name, hidden, shown) => {
  expect(visibleText(hidden)).toBe(shown);
});

test('what can be seen stays as it is', () => {
  for (const text of ['npm test\n\tgit log', 'שלום مرحبا', 'é e\u0301 한국어 ไทย हिन्दी', '👩‍👩‍👧 👩🏽‍💻 ❤️ 🏳️‍🌈'])
    expect(visibleText(text)).toBe(text);
});

test('a name stays on one line, and what stands at its ends is seen', () => {
  expect(visibleName('a\nb\tc')).toBe('a⟨U+000A⟩b⟨U+0009⟩c');
  expect(visibleName(' a b  ')).toBe('⟨U+0020⟩a b⟨U+0020⟩⟨U+0020⟩');
  expect(visibleName('naïve 🚀.txt')).toBe('naïve 🚀.txt');
});

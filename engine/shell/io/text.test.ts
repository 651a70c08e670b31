// Every byte comes through, however a stream is cut.
import { expect, test } from 'vitest';
import { compareText, decodeText, encodeText, hasStrayBytes, joinBytes, TextReader } from './text';

/** Bytes of every kind: whole letters, cut ones, surrogates in UTF-8, overlong forms; the same each time. */
function someBytes(count: number): Buffer {
  const pieces = ['a', 'é', '€', '😀', '\ufffd', '\ufeff'].map((text) => Buffer.from(text));
  pieces.push(
    ...[[0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe9], [0xff], [0xe2, 0x82], [0x80]].map((list) =>
      Buffer.from(list),
    ),
  );
  let seed = 1;
  return Buffer.concat(
    Array.from({ length: count }, () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return pieces[Math.floor(seed / 65536) % pieces.length]!;
    }),
  );
}

test('bytes become a text and the same bytes again', () => {
  const bytes = someBytes(5000);
  expect(encodeText(decodeText(bytes)).equals(bytes)).toBe(true);
  for (let byte = 0; byte < 256; byte++) expect([...encodeText(decodeText(Uint8Array.of(byte)))]).toEqual([byte]);
});

test('what is UTF-8 is read as Node reads it', () => {
  expect(decodeText(Buffer.from('aé€😀\ufffd\ufeff\0'))).toBe('aé€😀\ufffd\ufeff\0');
  expect(decodeText(Buffer.from('aé\xff', 'latin1'))).toBe('a\udce9\udcff');
  expect(hasStrayBytes('a\udce9')).toBe(true);
  expect(hasStrayBytes('😀')).toBe(false);
});

test('a stream may be cut anywhere', () => {
  const bytes = someBytes(200);
  for (const step of [1, 2, 3, 5]) {
    const reader = new TextReader();
    let text = '';
    for (let at = 0; at < bytes.length; at += step) text += reader.write(bytes.subarray(at, at + step));
    expect(joinBytes(text + reader.end())).toBe(decodeText(bytes));
  }
});

test('order is that of the bytes', () => {
  const texts = ['a', 'é', '\udce9', '\uff21', '😀', '\udc80'];
  const byBytes = [...texts].sort((a, b) => Buffer.compare(encodeText(a), encodeText(b)));
  expect([...texts].sort(compareText)).toEqual(byBytes);
});

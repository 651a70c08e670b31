// Repeatable random bytes and texts for differential tests; texts are rich in what encodings trip over.

let seed = 42;

/** A whole number in [0, limit). */
export function random(limit: number): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}

export function randomBytes(limit: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: random(limit + 1) }, () => (random(3) === 0 ? random(128) : random(256)));
}

const PIECES = [
  'a',
  'Z',
  '0',
  ' ',
  '=',
  '-',
  '_',
  '/',
  '+',
  '\n',
  '\0',
  '\x7f',
  'é',
  'ÿ',
  '€',
  '漢',
  '\ufeff',
  '\ufffd',
  '😀',
  '\ud800',
  '\udc00',
  'ab',
  'YQ',
];

export function randomText(limit: number): string {
  return Array.from({ length: random(limit + 1) }, () => PIECES[random(PIECES.length)]).join('');
}

/** Byte strings of interest: empty, all values, truncated and overlong UTF-8, random. */
export function inputs(): Uint8Array<ArrayBuffer>[] {
  const fixed = [
    [],
    [0],
    [0xff],
    [0xe2, 0x82],
    [0xf0, 0x9f, 0x98, 0x80],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xef, 0xbb, 0xbf, 0x61],
    [0x61, 0xd8, 0, 0xdc, 1],
  ];
  const all = Uint8Array.from({ length: 256 }, (_, index) => index);
  const long = new TextEncoder().encode('añ漢😀'.repeat(2000));
  return [
    ...fixed.map((bytes) => Uint8Array.from(bytes)),
    all,
    long,
    ...Array.from({ length: 40 }, () => randomBytes(40)),
  ];
}

// Buffer's binding against the real one, call by call.
import { inspect, isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buffer } from './buffer';
import { stringDecoder } from './string-decoder';
import { testEnvironment } from './testing/environment';
import { attempt, type Outcome, runNative } from './testing/native';
import { inputs, random, randomBytes, randomText } from './testing/random';

type Call = [name: string, ...args: unknown[]];

const RUN = `
const binding = internalBinding(input.name);
answer(input.calls.map(([name, ...given]) => {
  // Fresh memory: node's UTF-16 search never ends on views at odd addresses, as deserialised ones are.
  const args = given.map((arg) => (arg instanceof Uint8Array ? new Uint8Array(arg) : arg));
  const outcome = attempt(() => binding[name](...args));
  // What was written into is part of the result.
  return { ...outcome, touched: args[0] instanceof Uint8Array ? args[0] : undefined };
}));`;

function copyOf(value: unknown): unknown {
  return value instanceof Uint8Array ? value.slice() : value;
}

/** Runs the calls here and there and expects the same of each. */
function compare(name: string, binding: Record<string, any>, calls: Call[]): void {
  const there = runNative<(Outcome & { touched?: Uint8Array })[]>(RUN, { name, calls });
  const differences: unknown[] = [];
  calls.forEach(([method, ...given], index) => {
    const args = given.map(copyOf);
    const outcome = attempt(() => binding[method](...args));
    const touched = args[0] instanceof Uint8Array ? args[0] : undefined;
    const here = { ...outcome, touched };
    if (!isDeepStrictEqual(here, { ...there[index] }))
      differences.push({ call: [method, ...given], here, there: there[index] });
  });
  expect(differences.length, inspect(differences.slice(0, 3), { depth: 5, breakLength: 160 })).toBe(0);
}

const bytesOf = (length: number) => Uint8Array.from({ length }, () => random(256));

const OFFSETS = [undefined, 0, 1, 3, 7, -1, 2.7, Number.NaN, 1e9, -0.5, 8];

describe('buffer binding', () => {
  const ours = buffer(testEnvironment());

  it('slices as node does in every encoding, for any offsets', () => {
    const calls: Call[] = [];
    for (const name of ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8']) {
      for (const bytes of inputs()) {
        calls.push([`${name}Slice`, bytes, 0, bytes.length]);
        calls.push([`${name}Slice`, bytes]);
        for (let count = 0; count < 3; count++) {
          calls.push([`${name}Slice`, bytes, OFFSETS[random(OFFSETS.length)], OFFSETS[random(OFFSETS.length)]]);
        }
      }
    }
    compare('buffer', ours, calls);
  });

  it('writes as node does in every encoding', () => {
    const calls: Call[] = [];
    const texts = [
      '',
      'a',
      'é',
      '\u20ac\u20ac\u20ac',
      '\ud83d\ude00x',
      '\ud800',
      '\udc00a',
      'zz',
      '\u1234\u1231',
      'a\u1261cd',
      '0g11',
      'abc',
      'YQ==',
      'YQ',
      '=bad',
      'YQ==YQ==',
      '-_-_',
      'A B\nC',
    ];
    for (let count = 0; count < 60; count++) texts.push(randomText(12));
    for (const name of ['base64Write', 'base64urlWrite', 'hexWrite', 'ucs2Write']) {
      for (const text of texts) {
        calls.push([name, new Uint8Array(32), text, 0, 32]);
        calls.push([name, new Uint8Array(8), text, OFFSETS[random(OFFSETS.length)], OFFSETS[random(OFFSETS.length)]]);
      }
    }
    for (const name of ['asciiWriteStatic', 'latin1WriteStatic', 'utf8WriteStatic']) {
      for (const text of texts) {
        calls.push([name, new Uint8Array(32), text, 0, 32]);
        calls.push([name, new Uint8Array(8), text, random(8), random(4)]);
      }
    }
    compare('buffer', ours, calls);
  });

  it('searches as node does, with every offset and end', () => {
    const calls: Call[] = [];
    for (let count = 0; count < 600; count++) {
      const haystack = Uint8Array.from({ length: random(14) }, () => 97 + random(2));
      const needle = Uint8Array.from({ length: random(4) }, () => 97 + random(2));
      const offset = random(40) - 20;
      const end = count % 3 === 0 ? haystack.length : random(haystack.length + 1);
      const forward = count % 2 === 0;
      const text = String.fromCharCode(...needle);
      for (const encoding of [1, 3, 4]) {
        calls.push(['indexOfBuffer', haystack, needle, offset, encoding, forward, end]);
        calls.push([
          'indexOfString',
          haystack,
          encoding === 3 ? text.slice(0, 1) : text,
          offset,
          encoding,
          forward,
          end,
        ]);
      }
      calls.push(['indexOfNumber', haystack, 97 + random(2), offset, forward, end]);
    }
    compare('buffer', ours, calls);
  });

  it('compares, fills, measures and decodes base64 as node does', () => {
    const calls: Call[] = [];
    for (let count = 0; count < 100; count++) {
      const [left, right] = [randomBytes(6), randomBytes(6)];
      calls.push(['compare', left, right]);
      // Beyond the ends node reads whatever is there; lib never asks for that.
      const [from, start] = [random(right.length + 1), random(left.length + 1)];
      calls.push([
        'compareOffset',
        left,
        right,
        from,
        start,
        Math.max(from, right.length),
        Math.max(start, left.length),
      ]);
      calls.push([
        'fill',
        new Uint8Array(9),
        randomText(4),
        random(10),
        random(10),
        ['utf8', 'hex', 'latin1', 'ucs2', 'base64', 'ascii'][random(6)],
      ]);
      calls.push(['fill', new Uint8Array(9), randomBytes(3), random(10), random(10)]);
      calls.push(['fill', new Uint8Array(9), random(1000) - 500, random(10), random(10)]);
      calls.push(['byteLengthUtf8', randomText(20)]);
      calls.push(['isUtf8', randomBytes(3)], ['isAscii', randomBytes(2)]);
      calls.push(['btoa', randomText(5)], ['atob', randomText(5)]);
      calls.push(['swap16', bytesOf(8)], ['swap32', bytesOf(8)], ['swap64', bytesOf(16)]);
    }
    for (const text of [
      '',
      ' ',
      'YQ==',
      'YQ=',
      'YQ',
      'Y',
      'YQ===',
      '=',
      '====',
      'YW I=',
      'YWI=\n',
      'YR==',
      'ab\u00e9',
      'a=bc',
      '\u1234',
    ]) {
      calls.push(['atob', text], ['btoa', text]);
    }
    compare('buffer', ours, calls);
  });
});

describe('string_decoder binding', () => {
  it('keeps split characters as node does', () => {
    const ours = stringDecoder(testEnvironment());
    const streams = Array.from({ length: 4000 }, (_, index) => ({
      encoding: [1, 2, 3, 7, 0, 4, 5][index % 7],
      chunks: Array.from({ length: 1 + random(5) }, () =>
        random(2) ? randomBytes(4) : new TextEncoder().encode(randomText(3)),
      ),
    }));
    const there = runNative<unknown[]>(
      `const b = internalBinding('string_decoder');
       answer(input.map(({ encoding, chunks }) => {
         const state = Buffer.alloc(b.kSize); state[b.kEncodingField] = encoding;
         const out = chunks.map((chunk) => { const text = b.decode(state, chunk); return [text, state[4], state[5]]; });
         return [...out, b.flush(state)];
       }));`,
      streams,
    );
    streams.forEach(({ encoding, chunks }, index) => {
      const state = new Uint8Array(7);
      state[6] = encoding;
      const out: unknown[] = chunks.map((chunk) => {
        const text = ours.decode(state, chunk);
        return [text, state[4], state[5]];
      });
      expect([{ encoding, chunks }, ...out, ours.flush(state)]).toEqual([
        { encoding, chunks },
        ...(there[index] as unknown[]),
      ]);
    });
  });
});

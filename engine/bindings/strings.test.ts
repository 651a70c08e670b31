// Strings to bytes as Node's own Buffer makes them: every encoding, over random texts and those that leave the fast loops midway.
import { describe, expect, it } from 'vitest';
import { encodeString } from './strings';
import { random } from './testing/random';

const ENCODINGS = ['hex', 'base64', 'base64url', 'latin1', 'utf16le', 'utf8'] as const;

/** Units that a decoder takes, skips, stops at, or reads by their low byte alone (U+0130 is `0` there, U+013D is `=`). */
const ODD_UNITS = ['=', '\n', '-', '_', ' ', 'g', 'F', '\u0130', '\u013d', '\u0100', '\u00ff', '\ud83d', '\0'];

function expectSame(text: string): void {
  for (const encoding of ENCODINGS) {
    const made = Buffer.from(encodeString(text, encoding));
    expect(made.toString('hex'), `${encoding} of ${JSON.stringify(text)}`).toBe(
      Buffer.from(text, encoding).toString('hex'),
    );
  }
}

describe('encodeString', () => {
  it('reads digits of every length', () => {
    for (let length = 0; length <= 70; length++) {
      const bytes = Buffer.from(Array.from({ length }, () => random(256)));
      for (const encoding of ['hex', 'base64', 'base64url'] as const) expectSame(bytes.toString(encoding));
    }
  });

  it('meets an odd unit at any place', () => {
    for (const unit of ODD_UNITS) {
      for (let place = 0; place <= 12; place++) {
        const digits = Buffer.from(Array.from({ length: 9 }, () => random(256))).toString(random(2) ? 'hex' : 'base64');
        expectSame(digits.slice(0, place) + unit + digits.slice(place));
      }
    }
  });
});

import { expect, test } from 'vitest';
import { asNodeReads, fileName } from './given-text';

test('bytes that are no UTF-8 are read as Node reads them', () => {
  expect(asNodeReads('plain ů 😀')).toBe('plain ů 😀');
  expect(asNodeReads('a\udcffb')).toBe('a\ufffdb');
  // The beginning of a letter of three bytes is one fault, not two.
  expect(asNodeReads('\udce2\udc82x')).toBe('\ufffdx');
  expect(asNodeReads('\ud83d')).toBe('\ufffd');
});

test('a file name in other bytes is refused by name', () => {
  expect(fileName(new TextEncoder().encode('/tmp/ů'))).toBe('/tmp/ů');
  expect(() => fileName(Uint8Array.of(0x2f, 0xff))).toThrow(expect.objectContaining({ code: 'EILSEQ', errno: -84 }));
});

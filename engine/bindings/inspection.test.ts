// What util, types, icu and encoding say of values, against node.
import { inspect, isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { detailsOf, trackProxies } from '../process/proxy-registry';
import { parseDotenv } from './dotenv';
import { encodingBinding } from './encoding-binding';
import { icu } from './icu';
import { testEnvironment } from './testing/environment';
import { attempt, type Outcome, runNative } from './testing/native';
import { inputs, random, randomBytes, randomText } from './testing/random';
import { types } from './types';
import { util } from './util';

const VALUES = [
  '1',
  "'s'",
  'null',
  'undefined',
  'Symbol()',
  '{}',
  '[]',
  '()=>1',
  'async()=>1',
  'function*(){}',
  'async function*(){}',
  '(function*(){})()',
  '(async function*(){})()',
  'new Map',
  'new Set',
  'new WeakMap',
  'new WeakSet',
  'new Map().keys()',
  'new Set().entries()',
  '[].values()',
  'new Date',
  '/x/',
  'RegExp.prototype',
  'new Error',
  'Object.create(Error.prototype)',
  'new TypeError',
  'Promise.resolve()',
  'Object.create(Promise.prototype)',
  '(class extends Promise{}).resolve()',
  'Object.create(Map.prototype)',
  '{[Symbol.toStringTag]:"Map"}',
  '{[Symbol.toStringTag]:"Arguments"}',
  '(function(){return arguments})()',
  'Object(1)',
  'Object("s")',
  'Object(true)',
  'Object(1n)',
  'Object(Symbol())',
  'new ArrayBuffer(1)',
  'new SharedArrayBuffer(1)',
  'new DataView(new ArrayBuffer(1))',
  'new Uint8Array',
  'new Float64Array',
  'new BigInt64Array',
  'Object.create(Uint8Array.prototype)',
  'globalThis',
  'Math',
  'Date.prototype',
  'Map.prototype',
  'Object.setPrototypeOf(new Map, null)',
  'Object.setPrototypeOf(new Date, null)',
  'Object.assign(new Map, {constructor: 1})',
  'new WeakRef({})',
  'JSON',
  'Symbol.prototype',
  'Buffer.alloc(1)',
];
const evaluate = (source: string): any => globalThis.eval(`(${source})`);

function expectSame(label: string, keys: unknown[], here: unknown[], there: unknown[]): void {
  const differences = keys
    .map((key, index) => ({ key, here: here[index], there: there[index] }))
    .filter((pair) => !isDeepStrictEqual(pair.here, pair.there));
  expect(differences.length, `${label}\n${inspect(differences.slice(0, 12), { depth: 4, breakLength: 200 })}`).toBe(0);
}

describe('types and util', () => {
  const environment = testEnvironment();
  const ourTypes = types(environment);
  const ourUtil = util(environment);

  it('classifies values as node does', () => {
    const names = Object.keys(environment.dumped('types')).filter((name) => name !== 'isProxy');
    const there = runNative<unknown[]>(
      `const t = internalBinding('types'); answer(input.values.map((s) => { const v = (0, eval)('(' + s + ')'); return input.names.filter((n) => t[n](v)).sort(); }));`,
      { values: VALUES, names },
    );
    const here = VALUES.map((source) => {
      const value = evaluate(source);
      return names.filter((name) => ourTypes[name](value)).sort();
    });
    expectSame('types', VALUES, here, there);
  });

  it('names constructors, lists properties and previews entries as node does', () => {
    const objects = VALUES.filter(
      (source) =>
        typeof evaluate(source) === 'object' &&
        evaluate(source) !== null &&
        ![
          'globalThis',
          'RegExp.prototype',
          'Date.prototype',
          'Map.prototype',
          'Symbol.prototype',
          'new Set().entries()',
        ].includes(source),
    );
    objects.push(
      'Object.assign([1,2],{a:1,[Symbol.for("s")]:2})',
      'Object.assign("ab".split(""),{"-1":1,"4294967295":2})',
      'Object.defineProperty({b:1,7:2},"h",{value:1})',
      'new Map([[1,2],[3,4]])',
      'new Set([5,6])',
      'new Map([[1,2],[3,4]]).entries()',
      'new Map([[1,2]]).keys()',
      'new Map([[1,2]]).values()',
      'new Set([7]).values()',
      'new Set([7]).entries()',
      '(()=>{const i=new Map([[1,2],[3,4]]).keys();i.next();return i})()',
      'new (class Foo{})',
      'Object.create(null)',
    );
    const there = runNative<unknown[]>(
      `const u = internalBinding('util'); answer(input.map((s) => { const v = (0, eval)('(' + s + ')'); return [u.getConstructorName(v), u.getOwnNonIndexProperties(v, 0).map(String), u.getOwnNonIndexProperties(v, 2).map(String), u.previewEntries(v, true)]; }));`,
      objects,
    );
    const here = objects.map((source) => {
      const value = evaluate(source);
      return [
        ourUtil.getConstructorName(value),
        ourUtil.getOwnNonIndexProperties(value, 0).map(String),
        ourUtil.getOwnNonIndexProperties(value, 2).map(String),
        ourUtil.previewEntries(value, true),
      ];
    });
    expectSame('util', objects, here, there);
  });

  it('leaves an iterator that it has shown as it was', () => {
    const iterator = new Map([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]).entries();
    iterator.next();
    expect(ourUtil.previewEntries(iterator, true)).toEqual([[2, 'b', 3, 'c'], true]);
    expect(ourUtil.previewEntries(iterator, true)).toEqual([[2, 'b', 3, 'c'], true]);
    expect([...iterator]).toEqual([
      [2, 'b'],
      [3, 'c'],
    ]);
    expect(ourUtil.previewEntries(iterator, true)).toEqual([[], false]);
  });

  it('remembers what proxies wrap', () => {
    const scope = { Proxy } as { Proxy: ProxyConstructor };
    trackProxies(scope);
    const [target, handler] = [{}, {}];
    const proxy = new scope.Proxy(target, handler);
    expect(detailsOf(proxy)).toEqual([target, handler]);
    const revocable = scope.Proxy.revocable(target, handler);
    revocable.revoke();
    expect(detailsOf(revocable.proxy)).toEqual([null, null]);
    expect(() => (scope.Proxy as any)({}, {})).toThrow("Constructor Proxy requires 'new'");
    expect(ourTypes.isProxy(proxy)).toBe(true);
    expect(ourTypes.isMap(new scope.Proxy(new Map(), {}))).toBe(false);
  });

  it('reads .env files as node does', () => {
    const files = [
      'A=1',
      'A=1\nB=2\n',
      ' A = x y # c\nB="q # r"',
      "A='a\nb'\nC=3",
      'A="x\\ny"',
      'export A=1\nexportB=2',
      '#c\n\nA=',
      'A',
      'A\nB=2',
      '=x\nB=1',
      'A="unclosed\nB=2',
      "A='it''s'",
      'A=`b"t`',
      'A=#c\nB=1',
      'A==b',
      'A = "x" y\nB=2',
      'A=\n\nB=1',
      'A=\r\nB=2\r\n',
      '  # x\n  K  =  v  ',
      'A="a" # c\nB=\'b\'',
      'A=x#y',
      'A="',
      ...Array.from({ length: 200 }, () => randomEnv()),
    ];
    const there = runNative<Record<string, string>[]>(
      `const u = internalBinding('util'); answer(input.map((f) => ({ ...u.parseEnv(f) })));`,
      files,
    );
    expectSame(
      'dotenv',
      files,
      files.map((file) => Object.fromEntries(parseDotenv(file))),
      there,
    );
  });
});

const ENV_PIECES = ['A', '=', '"', "'", '`', '\n', ' ', '#', 'b', 'export ', '\\n', '\r', '\t'];
function randomEnv(): string {
  return Array.from({ length: 4 + random(12) }, () => ENV_PIECES[random(ENV_PIECES.length)]).join('');
}

describe('icu and encoding', () => {
  it('measures, transcodes and decodes as node does', () => {
    const texts = [
      ...Array.from({ length: 300 }, () => randomText(10)),
      '👨‍👩‍👧',
      '👍🏽',
      'é',
      '\x1b[1m',
      '한글',
      '🇩🇪',
      '☃️',
      '\u00ad',
      '①',
    ];
    const bytes = [...inputs().slice(0, 40), ...Array.from({ length: 60 }, () => randomBytes(12))];
    const encodings = ['ascii', 'latin1', 'ucs2', 'utf8', 'hex', 'nope'];
    const transcodes = bytes
      .filter((source) => source.length > 0)
      .flatMap((source) => encodings.flatMap((from) => encodings.map((to) => [source, from, to] as const)));
    const there = runNative<{ widths: number[]; transcoded: unknown[]; decoded: Outcome[]; ascii: string[] }>(
      `const i = internalBinding('icu'), e = internalBinding('encoding_binding');
       answer({ widths: input.texts.map((t) => i.getStringWidth(t)), transcoded: input.transcodes.map((a) => { const r = i.transcode(new Uint8Array(a[0]), a[1], a[2]); return typeof r === 'number' ? r : [...r]; }),
         decoded: input.bytes.flatMap((b) => [0,1,2,3].map((f) => attempt(() => e.decodeUTF8(b, (f & 1) !== 0, (f & 2) !== 0)))), ascii: input.domains.map((d) => e.toASCII(d)) });`,
      { texts, bytes, transcodes, domains: ['español.com', 'xn--a', 'A.b', '1', '中文', 'ß'] },
    );
    const ourIcu = icu(testEnvironment());
    const ours = encodingBinding(testEnvironment());
    expectSame(
      'width',
      texts,
      texts.map((text) => ourIcu.getStringWidth(text)),
      there.widths,
    );
    expectSame(
      'transcode',
      transcodes as never,
      transcodes.map((args) => {
        const out = ourIcu.transcode(...args);
        return typeof out === 'number' ? out : [...out];
      }),
      there.transcoded,
    );
    expectSame(
      'decode',
      bytes.flatMap((b) => [0, 1, 2, 3].map((f) => [b, f])),
      bytes.flatMap((b) => [0, 1, 2, 3].map((f) => attempt(() => ours.decodeUTF8(b, (f & 1) !== 0, (f & 2) !== 0)))),
      there.decoded,
    );
    expectSame(
      'toASCII',
      [1, 2, 3, 4, 5, 6],
      ['español.com', 'xn--a', 'A.b', '1', '中文', 'ß'].map((d) => ours.toASCII(d)),
      there.ascii,
    );
  });
});

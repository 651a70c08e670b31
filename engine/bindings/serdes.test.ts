// V8's wire format: our bytes against node's, node's bytes through our reader, and the errors of both.
import { inspect, isDeepStrictEqual } from 'node:util';
import v8 from 'node:v8';
import { describe, expect, it } from 'vitest';
import { trackProxies } from '../process/proxy-registry';
import { serdes } from './serdes';
import { testEnvironment } from './testing/environment';
import { attempt, type Outcome, runNative } from './testing/native';
import { random, randomBytes, randomText } from './testing/random';

/** Expressions, as what is tested is not itself serialisable by others. */
const EXPRESSIONS = [
  '1',
  '-1',
  '1.5',
  '2**30',
  '2**31',
  '-(2**31)',
  'NaN',
  '-0',
  "'a'",
  "'é'",
  "'\\u1234a'",
  "'\\ud800'",
  'null',
  'undefined',
  'true',
  'false',
  '10n',
  '-10n',
  '0n',
  '2n**64n',
  '-(2n**130n)',
  '({a:1})',
  '({1:2,b:[1,,3]})',
  '[1,2]',
  '[]',
  '[,1]',
  'Object.assign([1,2],{x:1})',
  "[1,1.5,,'a']",
  'new Date(5)',
  'new Date(NaN)',
  '/a/gimsuyd',
  '/\\//v',
  'new Map([[1,{a:2}]])',
  "new Set([1,'x'])",
  'Object(1)',
  "Object('aé')",
  'Object(true)',
  'Object(false)',
  'Object(5n)',
  'new Uint8Array([1,2])',
  'new DataView(new ArrayBuffer(3),1)',
  'new ArrayBuffer(2)',
  'new Float64Array(1)',
  'new BigInt64Array([1n])',
  "Object.assign(new RangeError('x'),{stack:'S'})",
  "Object.assign(new Error('m',{cause:[1]}),{stack:'S',y:1})",
  "Object.assign(new (class E extends Error{name='E'}),{stack:'q'})",
  '()=>1',
  "Symbol('x')",
  "Object(Symbol('q'))",
  'new WeakMap',
  'new WeakSet',
  'Promise.resolve()',
  'function foo(){}',
  'class A{}',
  'new (class B{constructor(){this.z=1}})',
  'new Proxy({},{})',
  'new Array(3)',
  '(()=>{const a={};a.a=a;return a})()',
  '(()=>{const a=[];a.push(a,a);return a})()',
  '({get x(){return 7}})',
  '({f(){}})',
  '[,()=>1]',
  'new SharedArrayBuffer(2)',
  "({'-1':1,'01':2,'4294967295':3, 4294967294:4})",
  'Object.create(null)',
  '(function(){return arguments})(1,2)',
  'new Int32Array(new ArrayBuffer(12),4,1)',
  'Math',
  '(()=>{const u=new Uint8Array(4);return [u,u.buffer,new Uint8Array(u.buffer,1)]})()',
  '(function*(){})()',
  'new Map().keys()',
  'new WeakRef({})',
  'new Intl.NumberFormat()',
  '(()=>{const o={a:1,b:2};Object.defineProperty(o,"c",{value:1});o[Symbol.iterator]=1;return o})()',
  '[undefined,null]',
  "'x'.repeat(200)",
  "['aé','\\u1234','b','\\u1234\\u1234']",
  '(()=>{const s="k";return {[s]:{[s]:s}}})()',
];

const evaluate = (source: string): unknown => globalThis.eval(`(${source})`);

trackProxies(globalThis);

describe('serdes binding', () => {
  const { Serializer, Deserializer } = serdes(testEnvironment());
  Serializer.prototype._getDataCloneError = Error;
  const bytesOf = (value: unknown): Uint8Array => {
    const serializer = new Serializer();
    serializer.writeHeader();
    serializer.writeValue(value);
    return serializer.releaseBuffer();
  };
  const valueOf = (bytes: Uint8Array): unknown => {
    const deserializer = new Deserializer(bytes);
    deserializer.readHeader();
    return deserializer.readValue();
  };

  it('writes the bytes that node writes, and fails as it does', () => {
    const there = runNative<Outcome[]>(
      `answer(input.map((source) => attempt(() => { const s = new v8.Serializer(); s.writeHeader(); s.writeValue((0, eval)('(' + source + ')')); return s.releaseBuffer().toString('hex'); })));`,
      EXPRESSIONS,
    );
    const here = EXPRESSIONS.map((source) => attempt(() => Buffer.from(bytesOf(evaluate(source))).toString('hex')));
    const differences = EXPRESSIONS.map((source, index) => ({ source, here: here[index], there: there[index] })).filter(
      (pair) => !isDeepStrictEqual(pair.here, pair.there),
    );
    expect(differences.length, inspect(differences, { depth: 4, breakLength: 200 })).toBe(0);
  });

  it('reads what it writes, and what node writes', () => {
    const build = (depth: number): unknown => {
      const kinds = [
        () => random(2 ** 31) - 2 ** 30,
        () => random(1000) / 7,
        () => randomText(8),
        () => null,
        () => undefined,
        () => BigInt(random(1e9)) ** 3n,
        () => randomBytes(9),
        () => new Date(random(1e9)),
        () => Array.from({ length: random(4) }, () => build(depth + 1)),
        () => Object.fromEntries(Array.from({ length: random(4) }, () => [randomText(2), build(depth + 1)])),
        () => new Map(Array.from({ length: random(3) }, () => [build(depth + 1), build(depth + 1)])),
        () => new Set(Array.from({ length: random(3) }, () => build(depth + 1))),
        () => Object.assign(new TypeError(randomText(3)), { stack: 'at x' }),
        () => new Float64Array(random(3)),
      ];
      return kinds[random(depth > 3 ? 8 : kinds.length)]();
    };
    for (let count = 0; count < 200; count++) {
      const value = build(0);
      expect(valueOf(bytesOf(value))).toEqual(value);
      const native = new v8.Serializer();
      native.writeHeader();
      native.writeValue(value);
      const bytes = native.releaseBuffer();
      expect(valueOf(bytes)).toEqual(new v8.Deserializer(bytes).readHeader() && value);
    }
  });

  it('rejects malformed input like node', () => {
    const inputs = [
      '',
      '010203',
      'ff0f',
      'ff0f7a',
      'ff0f5c00',
      'ff107b',
      'ff0f22',
      'ff0f2205',
      'ff0f4105',
      'ff0f6f2201',
      'ff0f5e05',
      'ff0f42ff',
      'ff0f3b49',
      'ff0f4902',
      'ff0f44',
      'ff0f7201',
      'ff0f740100',
      'ff0f7501',
    ];
    const there = runNative<Outcome[]>(
      `answer(input.map((hex) => attempt(() => { const d = new v8.Deserializer(Buffer.from(hex, 'hex')); d.readHeader(); return d.readValue(); })));`,
      inputs,
    );
    expect(inputs.map((hex) => attempt(() => valueOf(Buffer.from(hex, 'hex'))))).toEqual(there);
  });

  it('passes raw numbers and bytes', () => {
    const serializer = new Serializer();
    serializer.writeUint32(2 ** 32 - 1);
    serializer.writeUint64(0xdeadbeef, 0x12345678);
    serializer.writeDouble(-1.25);
    serializer.writeRawBytes(Uint8Array.of(9, 8, 7));
    const bytes = serializer.releaseBuffer();
    const native = new v8.Serializer();
    native.writeUint32(2 ** 32 - 1);
    native.writeUint64(0xdeadbeef, 0x12345678);
    native.writeDouble(-1.25);
    native.writeRawBytes(Uint8Array.of(9, 8, 7));
    expect(Buffer.from(bytes)).toEqual(native.releaseBuffer());
    const deserializer = new Deserializer(bytes);
    expect(deserializer.readUint32()).toBe(2 ** 32 - 1);
    expect(deserializer.readUint64()).toEqual([0xdeadbeef, 0x12345678]);
    expect(deserializer.readDouble()).toBe(-1.25);
    expect(deserializer._readRawBytes(3)).toBe(bytes.length - 3);
    expect(() => deserializer.readUint32()).toThrow('ReadUint32() failed');
  });
});

// RSA (RFC 8017) on BigInt: the primitives, the paddings of signatures and of encryption. Not constant-time: the machine
// that it runs on is the guest's own.
import type { CHash } from '@noble/hashes/utils.js';
import { bytesToNumber, encode, encodeOid, join, numberToBytes, TAG } from './der';

export interface RsaPrivate {
  d: bigint;
  p: bigint;
  q: bigint;
  dp: bigint;
  dq: bigint;
  qi: bigint;
}

export interface RsaNumbers {
  n: bigint;
  e: bigint;
  secret?: RsaPrivate;
}

export type FillRandom = (bytes: Uint8Array) => void;

/** OIDs of digests inside a PKCS#1 v1.5 signature. */
const DIGEST_OIDS: Record<string, string> = {
  md5: '1.2.840.113549.2.5',
  ripemd160: '1.3.36.3.2.1',
  sha1: '1.3.14.3.2.26',
  sha224: '2.16.840.1.101.3.4.2.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  'sha512-224': '2.16.840.1.101.3.4.2.5',
  'sha512-256': '2.16.840.1.101.3.4.2.6',
  'sha3-224': '2.16.840.1.101.3.4.2.7',
  'sha3-256': '2.16.840.1.101.3.4.2.8',
  'sha3-384': '2.16.840.1.101.3.4.2.9',
  'sha3-512': '2.16.840.1.101.3.4.2.10',
};

/** Salt lengths that stand for something: as long as the digest; as long as possible, or whatever is found. */
export const SALT = { digest: -1, auto: -2 } as const;

export function bitLength(value: bigint): number {
  return value.toString(2).length;
}

/** Bytes of the modulus: the length of every signature and ciphertext. */
export function modulusBytes({ n }: RsaNumbers): number {
  return Math.ceil(bitLength(n) / 8);
}

/** base ** exponent modulo `modulus`. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (const bit of exponent.toString(2).split('').reverse()) {
    if (bit === '1') result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** The inverse modulo `modulus`; throws a RangeError when there is none. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [left, right, x, y] = [((value % modulus) + modulus) % modulus, modulus, 1n, 0n];
  while (left > 1n) {
    if (right === 0n) break;
    const quotient = left / right;
    [left, right] = [right, left % right];
    [x, y] = [y, x - quotient * y];
  }
  if (left !== 1n) throw new RangeError('there is no inverse');
  return ((x % modulus) + modulus) % modulus;
}

/** RSAEP and RSAVP1. */
export function publicOperation(key: RsaNumbers, bytes: Uint8Array): Uint8Array {
  const value = bytesToNumber(bytes);
  if (value >= key.n) throw new RangeError('data too large for modulus');
  return numberToBytes(power(value, key.e, key.n), modulusBytes(key));
}

/** RSADP and RSASP1, by the Chinese remainder theorem. */
export function privateOperation(key: RsaNumbers, bytes: Uint8Array): Uint8Array {
  const value = bytesToNumber(bytes);
  const { p, q, dp, dq, qi } = key.secret as RsaPrivate;
  if (value >= key.n) throw new RangeError('data too large for modulus');
  const first = power(value, dp, p);
  const second = power(value, dq, q);
  const difference = (((first - second) * qi) % p) + p;
  return numberToBytes(second + q * (difference % p), modulusBytes(key));
}

function equal(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** MGF1. */
function mask(seed: Uint8Array, length: number, hash: CHash<any>): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let index = 0; blocks.length * hash.outputLen < length; index++)
    blocks.push(hash(join(seed, numberToBytes(BigInt(index), 4))));
  return join(...blocks).subarray(0, length);
}

const xor = (left: Uint8Array, right: Uint8Array): Uint8Array => left.map((byte, index) => byte ^ right[index]);

/** EMSA-PKCS1-v1_5 of a digest. Throws a RangeError when the key is too short, an Error for a digest without an OID. */
export function signaturePadding(key: RsaNumbers, name: string, digest: Uint8Array): Uint8Array {
  const oid = DIGEST_OIDS[name];
  if (!oid) throw new Error(`no signatures over ${name}`);
  const algorithm = encode(TAG.sequence, encodeOid(oid), encode(TAG.null));
  return blockOne(key, encode(TAG.sequence, algorithm, encode(TAG.octets, digest)));
}

/** 00 01 FF… 00 and the data, as signatures and privateEncrypt have it. */
export function blockOne(key: RsaNumbers, content: Uint8Array): Uint8Array {
  const filling = modulusBytes(key) - content.length - 3;
  if (filling < 8) throw new RangeError('data too large for key size');
  return join(Uint8Array.of(0, 1), new Uint8Array(filling).fill(0xff), Uint8Array.of(0), content);
}

/** The data of a block of that type (1 or 2); undefined when it is none. */
export function blockContent(block: Uint8Array, type: 1 | 2): Uint8Array | undefined {
  const end = block.indexOf(0, 2);
  if (block[0] !== 0 || block[1] !== type || end < 10) return undefined;
  if (type === 1 && block.subarray(2, end).some((byte) => byte !== 0xff)) return undefined;
  return block.subarray(end + 1);
}

/** 00 02, random bytes other than 0, 00 and the data. */
export function blockTwo(key: RsaNumbers, content: Uint8Array, random: FillRandom): Uint8Array {
  const filling = new Uint8Array(modulusBytes(key) - content.length - 3);
  random(filling);
  for (let index = 0; index < filling.length; index++)
    while (filling[index] === 0) random(filling.subarray(index, index + 1));
  return join(Uint8Array.of(0, 2), filling, Uint8Array.of(0), content);
}

/** EMSA-PSS. */
export function pssPadding(
  key: RsaNumbers,
  hash: CHash<any>,
  digest: Uint8Array,
  saltLength: number,
  random: FillRandom,
): Uint8Array {
  const bits = bitLength(key.n) - 1;
  const length = Math.ceil(bits / 8);
  const most = length - hash.outputLen - 2;
  const size = saltLength === SALT.digest ? hash.outputLen : saltLength === SALT.auto ? most : saltLength;
  if (size > most || size < 0) throw new RangeError('data too large for key size');
  const salt = new Uint8Array(size);
  random(salt);
  const hashed = hash(join(new Uint8Array(8), digest, salt));
  const block = join(new Uint8Array(most - size), Uint8Array.of(1), salt);
  const masked = xor(block, mask(hashed, block.length, hash));
  masked[0] &= 0xff >> (8 * length - bits);
  return numberToBytes(bytesToNumber(join(masked, hashed, Uint8Array.of(0xbc))), modulusBytes(key));
}

/** Whether a block (after publicOperation) is a PSS padding of `digest`. */
export function isPssPadding(
  key: RsaNumbers,
  hash: CHash<any>,
  digest: Uint8Array,
  block: Uint8Array,
  saltLength: number,
): boolean {
  const bits = bitLength(key.n) - 1;
  const length = Math.ceil(bits / 8);
  const encoded = block.subarray(block.length - length);
  const most = length - hash.outputLen - 1;
  if (most < 1 || encoded[length - 1] !== 0xbc || block.subarray(0, block.length - length).some((byte) => byte !== 0))
    return false;
  const hashed = encoded.subarray(most, length - 1);
  const spare = 0xff >> (8 * length - bits);
  if (encoded[0] & ~spare) return false;
  const plain = xor(encoded.subarray(0, most), mask(hashed, most, hash));
  plain[0] &= spare;
  const start = plain.findIndex((byte) => byte !== 0);
  if (start < 0 || plain[start] !== 1) return false;
  const salt = plain.subarray(start + 1);
  const wanted = saltLength === SALT.digest ? hash.outputLen : saltLength;
  if (saltLength !== SALT.auto && salt.length !== wanted) return false;
  return equal(hash(join(new Uint8Array(8), digest, salt)), hashed);
}

/** EME-OAEP. */
export function oaepPadding(
  key: RsaNumbers,
  hash: CHash<any>,
  label: Uint8Array,
  content: Uint8Array,
  random: FillRandom,
): Uint8Array {
  const length = modulusBytes(key);
  const filling = length - content.length - 2 * hash.outputLen - 2;
  if (filling < 0) throw new RangeError('data too large for key size');
  const block = join(hash(label), new Uint8Array(filling), Uint8Array.of(1), content);
  const seed = new Uint8Array(hash.outputLen);
  random(seed);
  const masked = xor(block, mask(seed, block.length, hash));
  return join(Uint8Array.of(0), xor(seed, mask(masked, seed.length, hash)), masked);
}

/** What an OAEP block holds; undefined when it is none of this hash and label. */
export function oaepContent(hash: CHash<any>, label: Uint8Array, block: Uint8Array): Uint8Array | undefined {
  const size = hash.outputLen;
  if (block.length < 2 * size + 2) return undefined;
  const masked = block.subarray(size + 1);
  const seed = xor(block.subarray(1, size + 1), mask(masked, size, hash));
  const plain = xor(masked, mask(seed, masked.length, hash));
  const start = plain.findIndex((byte, index) => index >= size && byte !== 0);
  if (block[0] !== 0 || !equal(plain.subarray(0, size), hash(label)) || start < 0 || plain[start] !== 1)
    return undefined;
  return plain.subarray(start + 1);
}

// Signing, verifying, shared secrets and RSA encryption with KeyMaterial, with OpenSSL's rules about paddings and encodings.
import type { CHash } from '@noble/hashes/utils.js';
import { EDWARDS } from './curves';
import { bytesToNumber, encode, encodeInteger, expectTag, join, numberToBytes, readSequence, TAG } from './der';
import type { KeyMaterial } from './key-encoding';
import {
  blockContent,
  blockOne,
  blockTwo,
  type FillRandom,
  isPssPadding,
  modulusBytes,
  oaepContent,
  oaepPadding,
  privateOperation,
  pssPadding,
  publicOperation,
  type RsaNumbers,
  signaturePadding,
} from './rsa';

/** Numbers of OpenSSL's paddings. */
export const PADDING = { pkcs1: 1, none: 3, oaep: 4, pss: 6 } as const;

export interface SignatureOptions {
  /** Name and function of the digest; undefined for Ed25519 and its kin. */
  digest: { name: string; hash: CHash<any> } | undefined;
  padding: number | undefined;
  saltLength: number | undefined;
  /** Signatures of curves as two plain numbers instead of DER. */
  isPlain: boolean;
  random: FillRandom;
}

/** The maximum when signing, any when verifying. */
const SALT_DEFAULT = -2;

function digestOf(options: SignatureOptions, kind: string): { name: string; hash: CHash<any> } {
  if (!options.digest) throw new Error(`a signature with a key of type ${kind} needs a digest`);
  return options.digest;
}

export function sign(key: KeyMaterial, message: Uint8Array, options: SignatureOptions): Uint8Array {
  if (key.kind === 'rsa') {
    const { name, hash } = digestOf(options, key.kind);
    const digest = hash(message);
    const padded =
      options.padding === PADDING.pss
        ? pssPadding(key.numbers, hash, digest, options.saltLength ?? SALT_DEFAULT, options.random)
        : signaturePadding(key.numbers, name, digest);
    return privateOperation(key.numbers, padded);
  }
  if (key.kind === 'ec') {
    const { hash } = digestOf(options, key.kind);
    const signature = key.curve.curve.sign(hash(message), key.secret as Uint8Array, {
      prehash: false,
      lowS: false,
      format: 'compact',
    });
    return options.isPlain ? signature : toDer(signature);
  }
  const { sign: signWith } = EDWARDS[key.kind];
  if (!signWith || options.digest) throw new Error('operation not supported for this keytype');
  return signWith(message, key.secret as Uint8Array);
}

export function verify(
  key: KeyMaterial,
  message: Uint8Array,
  signature: Uint8Array,
  options: SignatureOptions,
): boolean {
  if (key.kind === 'rsa') {
    const { name, hash } = digestOf(options, key.kind);
    const digest = hash(message);
    if (signature.length !== modulusBytes(key.numbers) || bytesToNumber(signature) >= key.numbers.n) return false;
    const block = publicOperation(key.numbers, signature);
    if (options.padding === PADDING.pss)
      return isPssPadding(key.numbers, hash, digest, block, options.saltLength ?? SALT_DEFAULT);
    const wanted = signaturePadding(key.numbers, name, digest);
    return wanted.every((byte, index) => byte === block[index]);
  }
  if (key.kind === 'ec') {
    const { hash } = digestOf(options, key.kind);
    const plain = options.isPlain ? signature : fromDer(signature, key.curve.bytes);
    if (plain?.length !== 2 * key.curve.bytes) return false;
    return key.curve.curve.verify(plain, hash(message), key.point, { prehash: false, lowS: false, format: 'compact' });
  }
  const { verify: verifyWith, bytes } = EDWARDS[key.kind];
  if (!verifyWith || options.digest) throw new Error('operation not supported for this keytype');
  return signature.length === 2 * bytes && verifyWith(signature, message, key.point);
}

function toDer(signature: Uint8Array): Uint8Array {
  const half = signature.length / 2;
  const numbers = [signature.subarray(0, half), signature.subarray(half)].map(bytesToNumber);
  return encode(TAG.sequence, ...numbers.map(encodeInteger));
}

function fromDer(signature: Uint8Array, bytes: number): Uint8Array | undefined {
  try {
    const numbers = readSequence(signature).map((value) => bytesToNumber(expectTag(value, TAG.integer)));
    return numbers.length === 2 ? join(...numbers.map((number) => numberToBytes(number, bytes))) : undefined;
  } catch {
    return undefined;
  }
}

/** ECDH and its kin: the x coordinate, or the shared bytes. */
export function sharedSecret(own: KeyMaterial, other: KeyMaterial): Uint8Array {
  if (own.kind === 'rsa' || own.kind !== other.kind || !own.secret)
    throw new Error('a shared secret needs two keys of one kind');
  if (own.kind === 'ec') {
    const point = (other as typeof own).point;
    return own.curve.curve.getSharedSecret(own.secret, point, false).slice(1, 1 + own.curve.bytes);
  }
  const { shared } = EDWARDS[own.kind];
  if (!shared) throw new Error('operation not supported for this keytype');
  return shared(own.secret, other.point);
}

export interface EncryptionOptions {
  padding: number;
  hash: CHash<any>;
  label: Uint8Array;
  random: FillRandom;
}

/** RSA encryption with the public key. */
export function encrypt(key: RsaNumbers, content: Uint8Array, options: EncryptionOptions): Uint8Array {
  const { padding, hash, label, random } = options;
  switch (padding) {
    case PADDING.oaep:
      return publicOperation(key, oaepPadding(key, hash, label, content, random));
    case PADDING.pkcs1:
      if (content.length > modulusBytes(key) - 11) throw new RangeError('data too large for key size');
      return publicOperation(key, blockTwo(key, content, random));
    case PADDING.none:
      if (content.length !== modulusBytes(key)) throw new RangeError('data too small for key size');
      return publicOperation(key, content);
    default:
      throw new Error('unknown padding type');
  }
}

/** Its opposite with the private key; undefined when the padding is not what it should be. */
export function decrypt(key: RsaNumbers, content: Uint8Array, options: EncryptionOptions): Uint8Array | undefined {
  if (content.length !== modulusBytes(key)) throw new RangeError('data greater than mod len');
  const block = privateOperation(key, content);
  switch (options.padding) {
    case PADDING.oaep:
      return oaepContent(options.hash, options.label, block);
    case PADDING.pkcs1: {
      const plain = blockContent(block, 2);
      if (plain) return plain;
      // Implicit rejection, as OpenSSL 3.2 and later: who guesses learns nothing.
      const random = new Uint8Array(modulusBytes(key) - 11);
      options.random(random);
      return random.subarray(0, random[0] % random.length);
    }
    case PADDING.none:
      return block;
    default:
      throw new Error('unknown padding type');
  }
}

/** privateEncrypt: PKCS#1's signature block over the bytes themselves. */
export function encryptPrivately(key: RsaNumbers, content: Uint8Array, padding: number): Uint8Array {
  return privateOperation(key, padding === PADDING.none ? content : blockOne(key, content));
}

/** publicDecrypt. */
export function decryptPublicly(key: RsaNumbers, content: Uint8Array, padding: number): Uint8Array | undefined {
  const block = publicOperation(key, content);
  return padding === PADDING.none ? block : blockContent(block, 1);
}

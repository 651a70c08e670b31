// The digests that the engine has, by OpenSSL's names, and Node's results in any encoding.
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js';
import { sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256 } from '@noble/hashes/sha3.js';
import type { CHash } from '@noble/hashes/utils.js';
import type { DigestStarter } from './fast-digests';

const DIGESTS: Record<string, CHash<any>> = {
  blake2b512: blake2b,
  blake2s256: blake2s,
  md5,
  ripemd160,
  sha1,
  sha224,
  sha256,
  'sha3-224': sha3_224,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
  sha384,
  sha512,
  'sha512-224': sha512_224,
  'sha512-256': sha512_256,
};

/** Digests with an output of any length; the default length in bytes. */
const EXTENDABLE: Record<string, { digest: any; length: number }> = {
  shake128: { digest: shake128, length: 16 },
  shake256: { digest: shake256, length: 32 },
};

/** Names as getHashes() lists them, in OpenSSL's order as far as it goes. */
export const HASH_NAMES = [
  'RSA-MD5',
  'RSA-RIPEMD160',
  'RSA-SHA1',
  'RSA-SHA224',
  'RSA-SHA256',
  'RSA-SHA3-224',
  'RSA-SHA3-256',
  'RSA-SHA3-384',
  'RSA-SHA3-512',
  'RSA-SHA384',
  'RSA-SHA512',
  'RSA-SHA512/224',
  'RSA-SHA512/256',
  'blake2b512',
  'blake2s256',
  'md5',
  'ripemd',
  'ripemd160',
  'rmd160',
  'sha1',
  'sha224',
  'sha256',
  'sha3-224',
  'sha3-256',
  'sha3-384',
  'sha3-512',
  'sha384',
  'sha512',
  'sha512-224',
  'sha512-256',
  'shake128',
  'shake256',
];

/** The engine's own name of a digest that OpenSSL knows by several. */
export function digestName(name: string): string {
  const lower = name.toLowerCase().replace(/^rsa-/, '').replace('/', '-');
  if (lower === 'ripemd' || lower === 'rmd160') return 'ripemd160';
  return /^sha-\d/.test(lower) ? lower.replace('sha-', 'sha') : lower;
}

/** The digest of a name, or undefined. */
export function findDigest(name: string): CHash<any> | undefined {
  return DIGESTS[digestName(name)];
}

function refuseOtherLength(digest: CHash<any>, outputLength: number | undefined): void {
  if (outputLength === undefined || outputLength === digest.outputLen) return;
  const library = 'digital envelope routines';
  const reason = 'not XOF or invalid length';
  // Written out: openssl-errors.ts brings the asymmetric keys' reader, which a hash need not load.
  throw Object.assign(new Error(`error:030000B2:${library}::${reason}`), {
    library,
    reason,
    code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH',
  });
}

/** A running hash; `outputLength` in bytes is allowed for SHAKE, and must be the digest's own for others. */
export function createHash(start: DigestStarter, name: string, outputLength: number | undefined): any {
  const plain = digestName(name);
  const extendable = EXTENDABLE[plain];
  if (extendable) return extendable.digest.create({ dkLen: outputLength ?? extendable.length });
  const digest = DIGESTS[plain];
  if (!digest) throw new Error('Digest method not supported');
  refuseOtherLength(digest, outputLength);
  return start(plain, () => digest.create());
}

/** A hash that goes on from where `state`, one of the digest `name`, is; its length is asked for anew, never taken over. */
export function copyHash(name: string, state: any, outputLength: number | undefined): any {
  const plain = digestName(name);
  const extendable = EXTENDABLE[plain];
  if (!extendable) refuseOtherLength(DIGESTS[plain], outputLength);
  const copy = state.clone();
  if (extendable) copy.outputLen = outputLength ?? extendable.length;
  return copy;
}

/** Bytes in an encoding; a Buffer for `buffer` or none. */
export function encodeOutput(bytes: Uint8Array, encoding: string | undefined): unknown {
  const buffer = (globalThis as any).Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return !encoding || encoding === 'buffer' ? buffer : buffer.toString(encoding);
}

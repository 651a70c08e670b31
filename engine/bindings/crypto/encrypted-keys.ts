// Private keys under a passphrase: PKCS#8 with PBES2 (PBKDF2 and AES-CBC, what OpenSSL writes), and the older PEM with a DEK-Info line. Other schemes
// are named in the error.
import { md5 } from '@noble/hashes/legacy.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { encodeString } from '../strings';
import { hexText } from '../text-codec';
import { CIPHERS, type CipherShape, createCipherStream } from './ciphers';
import {
  bytesToNumber,
  encode,
  encodeInteger,
  encodeOid,
  expectTag,
  join,
  readOid,
  readSequence,
  readValues,
  TAG,
} from './der';
import { findDigest } from './digests';
import type { FillRandom } from './rsa';

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const ROUNDS = 2048;
const SALT_BYTES = 16;
const MACS: Record<string, string> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const CIPHER_OIDS: Record<string, string> = {
  '2.16.840.1.101.3.4.1.2': 'aes-128-cbc',
  '2.16.840.1.101.3.4.1.22': 'aes-192-cbc',
  '2.16.840.1.101.3.4.1.42': 'aes-256-cbc',
};

/** What keeps a key from being read or written here, for the error by name. */
export class UnknownScheme extends Error {}

function run(
  shape: CipherShape,
  key: Uint8Array,
  iv: Uint8Array,
  isEncrypting: boolean,
  bytes: Uint8Array,
): Uint8Array {
  const stream = createCipherStream(shape, key, iv, isEncrypting, 16);
  return join(stream.update(bytes), stream.final());
}

function cbc(name: string): CipherShape {
  const shape = CIPHERS.get(name);
  if (shape?.mode !== 'cbc') throw new UnknownScheme(`a private key encrypted with ${name}`);
  return shape;
}

/** EncryptedPrivateKeyInfo around a PKCS#8 key. Throws UnknownScheme for a cipher other than AES-CBC. */
export function encryptPkcs8(der: Uint8Array, cipher: string, passphrase: Uint8Array, random: FillRandom): Uint8Array {
  const shape = cbc(cipher.toLowerCase());
  const [salt, iv] = [new Uint8Array(SALT_BYTES), new Uint8Array(shape.ivLength)];
  random(salt);
  random(iv);
  const digest = findDigest('sha256') as NonNullable<ReturnType<typeof findDigest>>;
  const key = pbkdf2(digest, passphrase, salt, { c: ROUNDS, dkLen: shape.keyLength });
  const macOid = Object.keys(MACS).find((oid) => MACS[oid] === 'sha256') as string;
  const cipherOid = Object.keys(CIPHER_OIDS).find((oid) => CIPHER_OIDS[oid] === shape.name) as string;
  const mac = encode(TAG.sequence, encodeOid(macOid), encode(TAG.null));
  const derivation = encode(TAG.sequence, encode(TAG.octets, salt), encodeInteger(BigInt(ROUNDS)), mac);
  const scheme = encode(
    TAG.sequence,
    encode(TAG.sequence, encodeOid(PBKDF2), derivation),
    encode(TAG.sequence, encodeOid(cipherOid), encode(TAG.octets, iv)),
  );
  const algorithm = encode(TAG.sequence, encodeOid(PBES2), scheme);
  return encode(TAG.sequence, algorithm, encode(TAG.octets, run(shape, key, iv, true, der)));
}

/** The PKCS#8 key inside. Throws OpenSSL's bad decrypt for a wrong passphrase, UnknownScheme for a scheme that is not read here. */
export function decryptPkcs8(bytes: Uint8Array, passphrase: Uint8Array): Uint8Array {
  const [algorithm, content] = readSequence(bytes);
  const [oid, scheme] = readValues(expectTag(algorithm, TAG.sequence));
  if (readOid(expectTag(oid, TAG.oid)) !== PBES2) throw new UnknownScheme('a private key encrypted without PBES2');
  const [derivation, encryption] = readValues(expectTag(scheme, TAG.sequence));
  const [function_, parameters] = readValues(expectTag(derivation, TAG.sequence));
  if (readOid(expectTag(function_, TAG.oid)) !== PBKDF2)
    throw new UnknownScheme('a private key whose passphrase goes through another function than PBKDF2');
  const [salt, rounds, ...more] = readValues(expectTag(parameters, TAG.sequence));
  const mac = more.find(({ tag }) => tag === TAG.sequence);
  const macName = MACS[mac ? readOid(expectTag(readValues(mac.body)[0], TAG.oid)) : '1.2.840.113549.2.7'];
  const digest = macName === undefined ? undefined : findDigest(macName);
  const [cipherOid, iv] = readValues(expectTag(encryption, TAG.sequence));
  const cipher = CIPHER_OIDS[readOid(expectTag(cipherOid, TAG.oid))];
  if (!digest || !cipher) throw new UnknownScheme('a private key encrypted with another cipher than AES-CBC');
  const shape = cbc(cipher);
  const key = pbkdf2(digest, passphrase, expectTag(salt, TAG.octets), {
    c: Number(bytesToNumber(expectTag(rounds, TAG.integer))),
    dkLen: shape.keyLength,
  });
  return run(shape, key, expectTag(iv, TAG.octets), false, expectTag(content, TAG.octets));
}

/** EVP_BytesToKey with MD5 and one round, as the older PEM has it. */
function legacyKey(passphrase: Uint8Array, salt: Uint8Array, length: number): Uint8Array {
  let made: Uint8Array = new Uint8Array(0);
  for (let last: Uint8Array = new Uint8Array(0); made.length < length; made = join(made, last))
    last = md5(join(last, passphrase, salt));
  return made.subarray(0, length);
}

/** The lines and the content of an older PEM block. */
export function encryptLegacy(
  der: Uint8Array,
  cipher: string,
  passphrase: Uint8Array,
  random: FillRandom,
): { lines: string; content: Uint8Array } {
  const shape = cbc(cipher.toLowerCase());
  const iv = new Uint8Array(shape.ivLength);
  random(iv);
  const key = legacyKey(passphrase, iv.subarray(0, 8), shape.keyLength);
  const lines = `Proc-Type: 4,ENCRYPTED\nDEK-Info: ${shape.name.toUpperCase()},${hexText(iv, 0, iv.length).toUpperCase()}\n\n`;
  return { lines, content: run(shape, key, iv, true, der) };
}

/** The key of an older PEM block, whose DEK-Info named `cipher` and `iv` (hexadecimal). */
export function decryptLegacy(content: Uint8Array, cipher: string, iv: string, passphrase: Uint8Array): Uint8Array {
  const shape = cbc(cipher.toLowerCase());
  const start = encodeString(iv, 'hex');
  return run(shape, legacyKey(passphrase, start.subarray(0, 8), shape.keyLength), start, false, content);
}

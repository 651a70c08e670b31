// Asymmetric keys as bytes and back: SPKI, PKCS#8, PKCS#1 and SEC1 (DER or PEM). What is not one of them, or encrypted, throws.
import { EDWARDS, type EdwardsName, WEIERSTRASS, type WeierstrassCurve } from './curves';
import {
  bytesToNumber,
  type DerValue,
  encode,
  encodeBits,
  encodeInteger,
  encodeOid,
  expectTag,
  numberToBytes,
  readBits,
  readOid,
  readSequence,
  readValues,
  TAG,
} from './der';
import { decryptLegacy, decryptPkcs8 } from './encrypted-keys';
import type { RsaNumbers } from './rsa';

export type KeyMaterial =
  | { kind: 'rsa'; numbers: RsaNumbers }
  /** `point` is uncompressed. */
  | { kind: 'ec'; curve: WeierstrassCurve; point: Uint8Array; secret?: Uint8Array }
  | { kind: EdwardsName; point: Uint8Array; secret?: Uint8Array };

export type KeyShape = 'pkcs1' | 'pkcs8' | 'spki' | 'sec1';

const RSA_OID = '1.2.840.113549.1.1.1';
const EC_OID = '1.2.840.10045.2.1';
const LABELS: Record<string, { shape: KeyShape; isPrivate: boolean }> = {
  'PUBLIC KEY': { shape: 'spki', isPrivate: false },
  'PRIVATE KEY': { shape: 'pkcs8', isPrivate: true },
  'RSA PUBLIC KEY': { shape: 'pkcs1', isPrivate: false },
  'RSA PRIVATE KEY': { shape: 'pkcs1', isPrivate: true },
  'EC PRIVATE KEY': { shape: 'sec1', isPrivate: true },
};

/** An encrypted key came without a passphrase; OpenSSL asks for that of PEM on the terminal. */
export class MissingPassphrase extends Error {
  readonly isPem: boolean;
  constructor(isPem: boolean) {
    super('Passphrase required for encrypted key');
    this.isPem = isPem;
  }
}

/** A thing that keys can be but that the engine does not read; the binding turns it into its error by name. */
export class UnreadableKey extends Error {}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from((globalThis as any).Buffer.from(text, 'base64'));

export function isPrivate(key: KeyMaterial): boolean {
  return (key.kind === 'rsa' ? key.numbers.secret : key.secret) !== undefined;
}

/** The public half. */
export function publicHalf(key: KeyMaterial): KeyMaterial {
  if (key.kind === 'rsa') return { kind: 'rsa', numbers: { n: key.numbers.n, e: key.numbers.e } };
  return { ...key, secret: undefined };
}

/** A key from the first PEM block that is one; undefined when there is no such block. */
export function readPem(text: string, passphrase?: Uint8Array): KeyMaterial | undefined {
  for (const [, label, body] of text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g)) {
    if (label === 'ENCRYPTED PRIVATE KEY') {
      if (!passphrase) throw new MissingPassphrase(true);
      return readPkcs8(decryptPkcs8(fromBase64(body), passphrase));
    }
    if (body.includes('Proc-Type: 4,ENCRYPTED')) {
      if (!passphrase) throw new MissingPassphrase(true);
      const [head, cipher, iv] = /[\s\S]*DEK-Info: *([\w-]+),([0-9A-Fa-f]+)\s*/.exec(body) ?? [];
      const shape = LABELS[label]?.shape;
      if (!head || !shape) return undefined;
      return readDer(decryptLegacy(fromBase64(body.slice(head.length)), cipher, iv, passphrase), shape);
    }
    if (label === 'CERTIFICATE') return readCertificate(fromBase64(body));
    const found = LABELS[label];
    if (found) return readDer(fromBase64(body), found.shape);
  }
  return undefined;
}

function readCertificate(bytes: Uint8Array): KeyMaterial {
  const fields = readValues(expectTag(readSequence(bytes)[0], TAG.sequence));
  // version [0] is optional; then serial, signature, issuer, validity, subject, and the key.
  const key = fields[fields[0].tag === TAG.context ? 6 : 5];
  return readSpki(readValues(expectTag(key, TAG.sequence)));
}

/** A key from DER of a known shape. */
export function readDer(bytes: Uint8Array, shape: KeyShape, passphrase?: Uint8Array): KeyMaterial {
  switch (shape) {
    case 'pkcs1':
      return readPkcs1(bytes);
    case 'pkcs8':
      return readPkcs8(bytes, passphrase);
    case 'sec1':
      return readSec1(bytes, undefined);
    case 'spki':
      return readSpki(readSequence(bytes));
  }
}

/** RSA numbers: two of a public key, nine of a private one. */
function readPkcs1(bytes: Uint8Array): KeyMaterial {
  const numbers = readSequence(bytes).map((value) => bytesToNumber(expectTag(value, TAG.integer)));
  if (numbers.length === 2) return { kind: 'rsa', numbers: { n: numbers[0], e: numbers[1] } };
  const [, n, e, d, p, q, dp, dq, qi] = numbers;
  if (qi === undefined) throw new Error('a private key with too few numbers');
  return { kind: 'rsa', numbers: { n, e, secret: { d, p, q, dp, dq, qi } } };
}

function readAlgorithm(value: DerValue | undefined): { oid: string; parameter: DerValue | undefined } {
  const [oid, parameter] = readValues(expectTag(value, TAG.sequence));
  return { oid: readOid(expectTag(oid, TAG.oid)), parameter };
}

function curveOf(parameter: DerValue | undefined): WeierstrassCurve {
  if (parameter?.tag !== TAG.oid) throw new UnreadableKey('crypto with explicit curve parameters');
  const oid = readOid(parameter.body);
  const curve = WEIERSTRASS.find((known) => known.oid === oid);
  if (!curve) throw new UnreadableKey(`crypto with the curve ${oid}`);
  return curve;
}

function edwardsOf(oid: string): EdwardsName {
  const name = Object.keys(EDWARDS).find((key) => EDWARDS[key as EdwardsName].oid === oid);
  if (!name) throw new UnreadableKey(`crypto with keys of the algorithm ${oid}`);
  return name as EdwardsName;
}

/** A point of the curve in any form, uncompressed; throws when it is none. */
export function uncompressed(curve: WeierstrassCurve, point: Uint8Array): Uint8Array {
  return curve.curve.Point.fromBytes(point).toBytes(false);
}

function readSpki([algorithm, bits]: DerValue[]): KeyMaterial {
  const { oid, parameter } = readAlgorithm(algorithm);
  const bytes = readBits(bits);
  if (oid === RSA_OID) return readPkcs1(bytes);
  if (oid === EC_OID) {
    const curve = curveOf(parameter);
    return { kind: 'ec', curve, point: uncompressed(curve, bytes) };
  }
  return rawKey(edwardsOf(oid), bytes, false);
}

function readPkcs8(bytes: Uint8Array, passphrase?: Uint8Array): KeyMaterial {
  const [version, algorithm, content] = readSequence(bytes);
  if (version?.tag === TAG.sequence) {
    if (!passphrase) throw new MissingPassphrase(false);
    return readPkcs8(decryptPkcs8(bytes, passphrase));
  }
  const { oid, parameter } = readAlgorithm(algorithm);
  const body = expectTag(content, TAG.octets);
  if (oid === RSA_OID) return readPkcs1(body);
  if (oid === EC_OID) return readSec1(body, curveOf(parameter));
  return rawKey(edwardsOf(oid), expectTag(readValues(body)[0], TAG.octets), true);
}

function readSec1(bytes: Uint8Array, known: WeierstrassCurve | undefined): KeyMaterial {
  const [, secret, ...rest] = readSequence(bytes);
  const parameter = rest.find(({ tag }) => tag === TAG.context);
  const curve = known ?? curveOf(parameter && readValues(parameter.body)[0]);
  return ecKey(curve, expectTag(secret, TAG.octets));
}

/** A private key of a curve; the point is computed. */
export function ecKey(curve: WeierstrassCurve, secret: Uint8Array): KeyMaterial {
  const padded = numberToBytes(bytesToNumber(secret), curve.bytes);
  return { kind: 'ec', curve, secret: padded, point: curve.curve.getPublicKey(padded, false) };
}

/** A key of plain bytes. Throws a RangeError when they are too few or too many. */
export function rawKey(kind: EdwardsName, bytes: Uint8Array, isSecret: boolean): KeyMaterial {
  const { bytes: length, publicOf } = EDWARDS[kind];
  if (bytes.length !== length) throw new RangeError('Invalid key length');
  const copy = bytes.slice();
  return isSecret ? { kind, secret: copy, point: publicOf(copy) } : { kind, point: copy };
}

const algorithm = (oid: string, ...parameters: Uint8Array[]): Uint8Array =>
  encode(TAG.sequence, encodeOid(oid), ...parameters);

/** The DER of a key in a shape; pkcs1 follows what the key is. */
export function writeDer(key: KeyMaterial, shape: KeyShape): Uint8Array {
  switch (shape) {
    case 'pkcs1':
      return writePkcs1(key);
    case 'sec1':
      return writeSec1(key, true);
    case 'spki':
      if (key.kind === 'rsa')
        return encode(TAG.sequence, algorithm(RSA_OID, encode(TAG.null)), encodeBits(writePkcs1(publicHalf(key))));
      return encode(TAG.sequence, curveAlgorithm(key), encodeBits(key.point));
    case 'pkcs8': {
      const version = encodeInteger(0n);
      if (key.kind === 'rsa')
        return encode(TAG.sequence, version, algorithm(RSA_OID, encode(TAG.null)), encode(TAG.octets, writePkcs1(key)));
      const content = key.kind === 'ec' ? writeSec1(key, false) : encode(TAG.octets, key.secret as Uint8Array);
      return encode(TAG.sequence, version, curveAlgorithm(key), encode(TAG.octets, content));
    }
  }
}

function curveAlgorithm(key: Exclude<KeyMaterial, { kind: 'rsa' }>): Uint8Array {
  return key.kind === 'ec' ? algorithm(EC_OID, encodeOid(key.curve.oid)) : algorithm(EDWARDS[key.kind].oid);
}

function writePkcs1(key: KeyMaterial): Uint8Array {
  if (key.kind !== 'rsa') throw new Error('PKCS#1 is for RSA');
  const { n, e, secret } = key.numbers;
  if (!secret) return encode(TAG.sequence, encodeInteger(n), encodeInteger(e));
  const { d, p, q, dp, dq, qi } = secret;
  return encode(TAG.sequence, ...[0n, n, e, d, p, q, dp, dq, qi].map(encodeInteger));
}

function writeSec1(key: KeyMaterial, withCurve: boolean): Uint8Array {
  if (key.kind !== 'ec' || !key.secret) throw new Error('SEC1 is for private keys of curves');
  const parameters = withCurve ? [encode(TAG.context, encodeOid(key.curve.oid))] : [];
  return encode(
    TAG.sequence,
    encodeInteger(1n),
    encode(TAG.octets, key.secret),
    ...parameters,
    encode(TAG.context + 1, encodeBits(key.point)),
  );
}

/** The PEM text of DER; `head` are the lines of the older encryption, and PKCS#8 that is encrypted has a label of its own. */
export function writePem(
  der: Uint8Array,
  shape: KeyShape,
  isPrivateKey: boolean,
  { isEncrypted = false, head = '' } = {},
): string {
  const label = isEncrypted
    ? 'ENCRYPTED PRIVATE KEY'
    : Object.keys(LABELS).find((key) => LABELS[key].shape === shape && LABELS[key].isPrivate === isPrivateKey);
  const lines = (globalThis as any).Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)
    .join('\n');
  return `-----BEGIN ${label}-----\n${head}${lines}\n-----END ${label}-----\n`;
}

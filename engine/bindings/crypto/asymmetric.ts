// The asymmetric half of the crypto binding: keys from what lib passes, and operations with them. Loaded on first use: curves take time to set up.
import { unsupported } from '../../process/dump';
import { findCurve } from './curves';
import { numberToBytes } from './der';
import { diffieHellman } from './diffie-hellman';
import { digestName, findDigest } from './digests';
import { exportEncrypted } from './export-encrypted';
import { readJwk, writeJwk } from './jwk';
import {
  ecKey,
  isPrivate,
  type KeyMaterial,
  type KeyShape,
  publicHalf,
  rawKey,
  readDer,
  readPem,
  uncompressed,
  writeDer,
  writePem,
} from './key-encoding';
import { asOpenssl, keyFault, opensslError } from './openssl-errors';
import { bitLength, type FillRandom, type RsaNumbers } from './rsa';
import { generateRsa } from './rsa-keys';
import {
  decrypt,
  decryptPublicly,
  encrypt,
  encryptPrivately,
  PADDING,
  type SignatureOptions,
  sharedSecret,
  sign,
  verify,
} from './signatures';

/** How lib says where a key comes from: handle's material, or data with format, type, passphrase and curve. */
export interface KeyInput {
  data: unknown;
  format: number | undefined | null;
  type: number | string | undefined | null;
  namedCurve: string | undefined | null;
  passphrase?: unknown;
}

/** Numbers and functions of the binding. */
export interface AsymmetricHost {
  constants: Record<string, number>;
  bytesOf(value: unknown): Uint8Array;
  random: FillRandom;
}

export function createAsymmetric(host: AsymmetricHost) {
  const { constants, bytesOf, random } = host;
  const shapes: Record<number, KeyShape> = {
    [constants.kKeyEncodingPKCS1]: 'pkcs1',
    [constants.kKeyEncodingPKCS8]: 'pkcs8',
    [constants.kKeyEncodingSPKI]: 'spki',
    [constants.kKeyEncodingSEC1]: 'sec1',
  };

  const jwkError = (jwk: any): Error => {
    const what =
      jwk?.kty === 'RSA' ? 'Invalid JWK RSA key' : jwk?.kty === 'EC' ? 'Invalid JWK EC key' : 'Invalid JWK data';
    return Object.assign(new TypeError(what), { code: 'ERR_CRYPTO_INVALID_JWK' });
  };

  const rawMaterial = ({ data, format, type, namedCurve }: KeyInput): KeyMaterial => {
    const bytes = bytesOf(data);
    const isSecret = format !== constants.kKeyFormatRawPublic;
    const kind = String(type).toLowerCase();
    if (kind === 'ec') {
      const curve = findCurve(String(namedCurve));
      if (!curve) throw Object.assign(new TypeError('Invalid EC curve name'), { code: 'ERR_CRYPTO_INVALID_CURVE' });
      return isSecret ? ecKey(curve, bytes) : { kind: 'ec', curve, point: uncompressed(curve, bytes) };
    }
    if (!/^(?:ed|x)(?:25519|448)$/.test(kind)) throw unsupported(`crypto with keys of type ${kind}`);
    return rawKey(kind as 'ed25519', bytes, isSecret);
  };

  const parse = (input: KeyInput): KeyMaterial | undefined => {
    const { data, format, type } = input;
    const passphrase = passphraseOf(input.passphrase);
    switch (format) {
      case constants.kKeyFormatPEM:
        return readPem(new TextDecoder('latin1').decode(bytesOf(data).slice()), passphrase);
      case constants.kKeyFormatDER:
        return readDer(bytesOf(data), shapes[type as number], passphrase);
      case constants.kKeyFormatJWK:
        return readJwk(data as Record<string, unknown>);
      case constants.kKeyFormatStore:
        throw unsupported('crypto with a key from an OpenSSL store');
      default:
        return rawMaterial(input);
    }
  };

  /** The key of an input, or its public half. */
  const read = (input: KeyInput, wantsPrivate: boolean): KeyMaterial => {
    let key: KeyMaterial | undefined;
    try {
      key = parse(input);
    } catch (error) {
      const fault = keyFault(error);
      if (fault) throw fault;
      if (typeof (error as any)?.code === 'string') throw error;
      if (input.format === constants.kKeyFormatJWK) throw jwkError(input.data);
    }
    if (!key || (wantsPrivate && !isPrivate(key))) throw opensslError('1E08010C', 'DECODER routines', 'unsupported');
    return wantsPrivate ? key : publicHalf(key);
  };

  const passphraseOf = (passphrase: unknown): Uint8Array | undefined =>
    passphrase === undefined || passphrase === null ? undefined : bytesOf(passphrase).slice();

  const exportKey = (
    key: KeyMaterial,
    format: number,
    type: number | undefined,
    cipher: unknown,
    passphrase?: unknown,
  ): unknown => {
    if (cipher) {
      const isPem = format === constants.kKeyFormatPEM;
      const secret = passphraseOf(passphrase) ?? new Uint8Array(0);
      return exportEncrypted(key, shapes[type as number], isPem, String(cipher), secret, random);
    }
    if (format === constants.kKeyFormatJWK) return exportJwk(key);
    const shape = shapes[type as number];
    const der = writeDer(key, shape);
    return format === constants.kKeyFormatPEM ? writePem(der, shape, isPrivate(key)) : der;
  };
  const exportJwk = (key: KeyMaterial): Record<string, string> => {
    if (key.kind === 'ec' && !key.curve.jwk) throw unsupported(`JWK of the curve ${key.curve.name}`);
    return writeJwk(key);
  };

  const signatureOptions = (
    algorithm: string | null | undefined,
    padding: number | undefined,
    saltLength: number | undefined,
    encoding: number | undefined,
    kind: string,
  ): SignatureOptions => {
    const name = algorithm ?? (kind === 'rsa' || kind === 'ec' ? 'sha256' : undefined);
    const hash = name === undefined ? undefined : findDigest(name);
    if (name !== undefined && !hash)
      throw Object.assign(new TypeError(`Invalid digest: ${name}`), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
    const digest = hash && name !== undefined ? { name: digestName(name), hash } : undefined;
    return { digest, padding, saltLength, isPlain: encoding === constants.kSigEncP1363, random };
  };

  const rsaOf = (key: KeyMaterial): RsaNumbers => {
    if (key.kind !== 'rsa')
      throw opensslError('03000096', 'digital envelope routines', 'operation not supported for this keytype');
    return key.numbers;
  };
  const oaep = (padding: number, hashName: string | undefined, label: unknown) => {
    const hash = findDigest(hashName ?? 'sha1');
    if (!hash) throw Object.assign(new TypeError('Invalid digest'), { code: 'ERR_OSSL_EVP_INVALID_DIGEST' });
    return { padding, hash, label: label === undefined || label === null ? new Uint8Array(0) : bytesOf(label), random };
  };

  return {
    read,
    isPrivate,
    publicHalf,
    exportKey,
    exportJwk,
    /** The kind as `asymmetricKeyType` says it, and Node's details. */
    detail(key: KeyMaterial, target: Record<string, unknown>): Record<string, unknown> {
      if (key.kind === 'rsa') {
        target.modulusLength = bitLength(key.numbers.n);
        target.publicExponent = numberToBytes(key.numbers.e).buffer;
      } else if (key.kind === 'ec') target.namedCurve = key.curve.name;
      return target;
    },
    equals: (left: KeyMaterial, right: KeyMaterial): boolean =>
      left.kind === right.kind && JSON.stringify(writeJwk(left)) === JSON.stringify(writeJwk(right)),
    /** A point of a curve in the form that OpenSSL numbers 2 (compressed), 4 or 6 (hybrid). */
    point(key: KeyMaterial, form: number): Uint8Array {
      if (key.kind !== 'ec') throw new Error('only keys of curves have points');
      if (form === 2) return key.curve.curve.Point.fromBytes(key.point).toBytes(true);
      const point = key.point.slice();
      if (form === 6) point[0] = 6 + (point[point.length - 1] & 1);
      return point;
    },
    sign: (
      key: KeyMaterial,
      message: Uint8Array,
      algorithm: string | undefined,
      padding?: number,
      salt?: number,
      encoding?: number,
    ) => asOpenssl(() => sign(key, message, signatureOptions(algorithm, padding, salt, encoding, key.kind))),
    verify: (
      key: KeyMaterial,
      message: Uint8Array,
      signature: Uint8Array,
      algorithm: string | undefined,
      padding?: number,
      salt?: number,
      encoding?: number,
    ) =>
      asOpenssl(() => verify(key, message, signature, signatureOptions(algorithm, padding, salt, encoding, key.kind))),
    sharedSecret: (own: KeyMaterial, other: KeyMaterial) => sharedSecret(own, other),
    encrypt: (key: KeyMaterial, content: Uint8Array, padding: number, hash?: string, label?: unknown) =>
      asOpenssl(() => encrypt(rsaOf(key), content, oaep(padding, hash, label))),
    decrypt(key: KeyMaterial, content: Uint8Array, padding: number, hash?: string, label?: unknown): Uint8Array {
      const plain = asOpenssl(() => decrypt(rsaOf(key), content, oaep(padding, hash, label)));
      if (!plain) throw opensslError('02000079', 'rsa routines', 'oaep decoding error');
      return plain;
    },
    encryptPrivately: (key: KeyMaterial, content: Uint8Array, padding: number) =>
      asOpenssl(() => encryptPrivately(rsaOf(key), content, padding)),
    decryptPublicly(key: KeyMaterial, content: Uint8Array, padding: number): Uint8Array {
      const plain = asOpenssl(() => decryptPublicly(rsaOf(key), content, padding));
      if (!plain) throw opensslError('02000072', 'rsa routines', 'padding check failed');
      return plain;
    },
    OAEP: PADDING.oaep,
    diffieHellman: diffieHellman(random),
    generateRsa: (bits: number, exponent: number): KeyMaterial => ({
      kind: 'rsa',
      numbers: generateRsa(bits, BigInt(exponent), random),
    }),
    generateEc(name: string): KeyMaterial {
      const curve = findCurve(name);
      if (!curve) throw Object.assign(new TypeError('Invalid EC curve name'), { code: 'ERR_CRYPTO_INVALID_CURVE' });
      return ecKey(curve, curve.curve.utils.randomSecretKey());
    },
    generateRaw(kind: 'ed25519' | 'ed448' | 'x25519' | 'x448'): KeyMaterial {
      const bytes = new Uint8Array({ ed25519: 32, ed448: 57, x25519: 32, x448: 56 }[kind]);
      random(bytes);
      return rawKey(kind, bytes, true);
    },
    ecFromSecret(name: string, secret: Uint8Array): KeyMaterial {
      const curve = findCurve(name);
      return ecKey(curve as NonNullable<typeof curve>, secret);
    },
    ecFromPoint(name: string, point: Uint8Array): KeyMaterial {
      const curve = findCurve(name);
      if (!curve) throw Object.assign(new TypeError('Invalid EC curve name'), { code: 'ERR_CRYPTO_INVALID_CURVE' });
      return { kind: 'ec', curve, point: uncompressed(curve, point) };
    },
    hasCurve: (name: string): boolean => findCurve(name) !== undefined,
  };
}

export type Asymmetric = ReturnType<typeof createAsymmetric>;

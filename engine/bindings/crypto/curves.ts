// The curves that the engine has, by OpenSSL's names, over @noble/curves.
import { ed448, x448 } from '@noble/curves/ed448.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';

export interface WeierstrassCurve {
  name: string;
  oid: string;
  /** Name in a JWK. */
  jwk: string;
  bytes: number;
  curve: typeof p256;
}

/** Curves for ECDSA and ECDH. */
export const WEIERSTRASS: WeierstrassCurve[] = [
  { name: 'prime256v1', oid: '1.2.840.10045.3.1.7', jwk: 'P-256', bytes: 32, curve: p256 },
  { name: 'secp384r1', oid: '1.3.132.0.34', jwk: 'P-384', bytes: 48, curve: p384 },
  { name: 'secp521r1', oid: '1.3.132.0.35', jwk: 'P-521', bytes: 66, curve: p521 },
  { name: 'secp256k1', oid: '1.3.132.0.10', jwk: 'secp256k1', bytes: 32, curve: secp256k1 },
];

export type EdwardsName = 'ed25519' | 'ed448' | 'x25519' | 'x448';

export interface EdwardsCurve {
  oid: string;
  /** Name in a JWK. */
  jwk: string;
  bytes: number;
  publicOf(secret: Uint8Array): Uint8Array;
  sign?(message: Uint8Array, secret: Uint8Array): Uint8Array;
  verify?(signature: Uint8Array, message: Uint8Array, point: Uint8Array): boolean;
  shared?(secret: Uint8Array, point: Uint8Array): Uint8Array;
}

/** Ed25519 and its relatives, whose keys are plain bytes. */
export const EDWARDS: Record<EdwardsName, EdwardsCurve> = {
  ed25519: {
    oid: '1.3.101.112',
    jwk: 'Ed25519',
    bytes: 32,
    publicOf: ed25519.getPublicKey,
    sign: (message, secret) => ed25519.sign(message, secret),
    // RFC 8032 as OpenSSL checks it, not ZIP 215.
    verify: (signature, message, point) => ed25519.verify(signature, message, point, { zip215: false }),
  },
  ed448: {
    oid: '1.3.101.113',
    jwk: 'Ed448',
    bytes: 57,
    publicOf: ed448.getPublicKey,
    sign: (message, secret) => ed448.sign(message, secret),
    verify: (signature, message, point) => ed448.verify(signature, message, point, { zip215: false }),
  },
  x25519: {
    oid: '1.3.101.110',
    jwk: 'X25519',
    bytes: 32,
    publicOf: x25519.getPublicKey,
    shared: (secret, point) => x25519.getSharedSecret(secret, point),
  },
  x448: {
    oid: '1.3.101.111',
    jwk: 'X448',
    bytes: 56,
    publicOf: x448.getPublicKey,
    shared: (secret, point) => x448.getSharedSecret(secret, point),
  },
};

const ALIASES: Record<string, string> = {
  'P-256': 'prime256v1',
  secp256r1: 'prime256v1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
};

/** The curve of a name as Node takes it (`prime256v1`, `P-256`), or undefined. */
export function findCurve(name: string): WeierstrassCurve | undefined {
  return WEIERSTRASS.find((curve) => curve.name === (ALIASES[name] ?? name));
}

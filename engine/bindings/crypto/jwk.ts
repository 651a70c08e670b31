// Asymmetric keys as JSON Web Keys (RFC 7517, 7518, 8037) and back.
import { EDWARDS, type EdwardsName, findCurve } from './curves';
import { bytesToNumber, numberToBytes } from './der';
import { ecKey, type KeyMaterial, rawKey, uncompressed } from './key-encoding';
import { inverse } from './rsa';

const isEdwards = (kind: string): kind is EdwardsName => kind in EDWARDS;
const toBase64Url = (bytes: Uint8Array): string => (globalThis as any).Buffer.from(bytes).toString('base64url');

/** The members of a JWK, in Node's order. */
export function writeJwk(key: KeyMaterial): Record<string, string> {
  const number = (value: bigint, length?: number): string => toBase64Url(numberToBytes(value, length));
  if (key.kind === 'rsa') {
    const { n, e, secret } = key.numbers;
    const shown: Record<string, string> = { kty: 'RSA', n: number(n), e: number(e) };
    for (const name of secret ? (['d', 'p', 'q', 'dp', 'dq', 'qi'] as const) : [])
      shown[name] = number((secret as NonNullable<typeof secret>)[name]);
    return shown;
  }
  if (key.kind === 'ec') {
    const { bytes, jwk } = key.curve;
    const [x, y] = [key.point.subarray(1, 1 + bytes), key.point.subarray(1 + bytes)];
    const secret: Record<string, string> = key.secret ? { d: toBase64Url(key.secret) } : {};
    return { kty: 'EC', x: toBase64Url(x), y: toBase64Url(y), crv: jwk, ...secret };
  }
  const secret: Record<string, string> = key.secret ? { d: toBase64Url(key.secret) } : {};
  return { crv: EDWARDS[key.kind].jwk, ...secret, x: toBase64Url(key.point), kty: 'OKP' };
}

/** A key from a JWK; throws when a member is missing or wrong. */
export function readJwk(jwk: Record<string, unknown>): KeyMaterial {
  const bytes = (name: string): Uint8Array => {
    const text = jwk[name];
    if (typeof text !== 'string') throw new Error(`a JWK without ${name}`);
    return Uint8Array.from((globalThis as any).Buffer.from(text, 'base64url'));
  };
  const number = (name: string): bigint => bytesToNumber(bytes(name));
  if (jwk.kty === 'RSA') {
    const [n, e] = [number('n'), number('e')];
    if (jwk.d === undefined) return { kind: 'rsa', numbers: { n, e } };
    const [d, p, q] = [number('d'), number('p'), number('q')];
    const dp = jwk.dp === undefined ? d % (p - 1n) : number('dp');
    const dq = jwk.dq === undefined ? d % (q - 1n) : number('dq');
    const qi = jwk.qi === undefined ? inverse(q, p) : number('qi');
    return { kind: 'rsa', numbers: { n, e, secret: { d, p, q, dp, dq, qi } } };
  }
  if (jwk.kty === 'EC') {
    const curve = findCurve(String(jwk.crv));
    if (!curve) throw new Error('a JWK with an unknown curve');
    const point = new Uint8Array(1 + 2 * curve.bytes);
    point[0] = 4;
    point.set(numberToBytes(number('x'), curve.bytes), 1);
    point.set(numberToBytes(number('y'), curve.bytes), 1 + curve.bytes);
    if (jwk.d !== undefined) return { ...ecKey(curve, bytes('d')), point: uncompressed(curve, point) } as KeyMaterial;
    return { kind: 'ec', curve, point: uncompressed(curve, point) };
  }
  const kind = String(jwk.crv).toLowerCase();
  if (jwk.kty !== 'OKP' || !isEdwards(kind)) throw new Error('a JWK of an unknown type');
  return jwk.d === undefined ? rawKey(kind, bytes('x'), false) : rawKey(kind, bytes('d'), true);
}

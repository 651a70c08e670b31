// Diffie-Hellman over primes: the groups of RFC 2409 and RFC 3526 (their primes follow from the digits of pi), and what OpenSSL says of primes
// that a program brings. Not constant-time, as rsa.ts.
import { bytesToNumber, numberToBytes } from './der';
import { bitLength, type FillRandom, power } from './rsa';
import { isPrime } from './rsa-keys';

/** Bits of the modulus, the number that the RFC adds to the digits of pi, and bits of the secrets that OpenSSL makes. */
const GROUPS: Record<string, [bits: number, added: number, secretBits: number]> = {
  modp1: [768, 149686, 767],
  modp2: [1024, 129093, 1023],
  modp5: [1536, 741804, 200],
  modp14: [2048, 124476, 225],
  modp15: [3072, 1690314, 275],
  modp16: [4096, 240904, 325],
  modp17: [6144, 929484, 375],
  modp18: [8192, 4743158, 400],
};

/** OpenSSL's findings about parameters. */
const CHECK = { notPrime: 1, notSafe: 2, badGenerator: 8, tooSmall: 0x80, tooLarge: 0x100 } as const;

export interface DhParameters {
  prime: bigint;
  generator: bigint;
  /** Bits of a fresh secret. */
  secretBits: number;
}

/** floor(pi * 2 ** bits), by Machin's formula. */
function piTimes(bits: number): bigint {
  const spare = 64n;
  const one = 1n << (BigInt(bits) + spare);
  const arcTangentOfInverse = (value: bigint): bigint => {
    let term = one / value;
    let sum = term;
    for (let divisor = 3n, sign = -1n; term > 0n; divisor += 2n, sign = -sign) {
      term /= value * value;
      sum += (sign * term) / divisor;
    }
    return sum;
  };
  return (16n * arcTangentOfInverse(5n) - 4n * arcTangentOfInverse(239n)) >> spare;
}

/** A group by name; undefined when there is none. */
function dhGroup(name: string): DhParameters | undefined {
  const group = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined;
  if (!group) return undefined;
  const [bits, added, secretBits] = group;
  const size = BigInt(bits);
  const middle = piTimes(bits - 130) + BigInt(added);
  return { prime: (1n << size) - (1n << (size - 64n)) - 1n + (middle << 64n), generator: 2n, secretBits };
}

/** What DH_check finds: 0, or numbers of CHECK together. */
function dhCheck({ prime, generator }: DhParameters, random: FillRandom): number {
  const bits = bitLength(prime);
  if (isKnown(prime, bits)) return 0;
  let found = 0;
  if (generator <= 1n || generator >= prime - 1n) found |= CHECK.badGenerator;
  if (bits < 512) found |= CHECK.tooSmall;
  if (bits > 10_000) found |= CHECK.tooLarge;
  if (!isPrimeNumber(prime, random)) found |= CHECK.notPrime;
  else if (!isPrimeNumber((prime - 1n) / 2n, random)) found |= CHECK.notSafe;
  return found;
}

function isKnown(prime: bigint, bits: number): boolean {
  return Object.entries(GROUPS).some(([name, [size]]) => size === bits && dhGroup(name)?.prime === prime);
}

/** A secret below the prime. */
function dhSecret({ prime, secretBits }: DhParameters, random: FillRandom): bigint {
  for (;;) {
    const bytes = new Uint8Array(Math.ceil(secretBits / 8));
    random(bytes);
    const secret = BigInt.asUintN(secretBits, bytesToNumber(bytes)) | (1n << BigInt(secretBits - 1));
    if (secret < prime - 1n) return secret;
  }
}

/** base ** exponent, as long as the prime. */
function dhPower(base: bigint, exponent: bigint, prime: bigint): Uint8Array {
  return numberToBytes(power(base, exponent, prime), Math.ceil(bitLength(prime) / 8));
}

/** Whether a number is prime, also a small one. */
function isPrimeNumber(candidate: bigint, random: FillRandom): boolean {
  if (candidate < 4n) return candidate > 1n;
  return candidate % 2n === 1n && isPrime(candidate, random);
}

/** A prime of exactly `bits` bits, its two highest set; congruent to `remainder` modulo `step` where these are given. */
function randomPrime(bits: number, isSafe: boolean, random: FillRandom, step?: bigint, remainder?: bigint): bigint {
  const bytes = new Uint8Array(Math.ceil(bits / 8));
  const highest = step === undefined && bits > 1 ? 3n << BigInt(bits - 2) : 1n << BigInt(bits - 1);
  for (;;) {
    random(bytes);
    let candidate = BigInt.asUintN(bits, bytesToNumber(bytes)) | highest;
    if (step !== undefined) candidate += (remainder ?? (isSafe ? 3n : 1n)) - (candidate % step);
    else if (bits > 2) candidate |= 1n;
    if (bitLength(candidate) !== bits || !isPrimeNumber(candidate, random)) continue;
    if (!isSafe || isPrimeNumber((candidate - 1n) / 2n, random)) return candidate;
  }
}

/** The operations, with a source of random bytes. */
export function diffieHellman(random: FillRandom) {
  return {
    group: dhGroup,
    power: dhPower,
    check: (parameters: DhParameters) => dhCheck(parameters, random),
    secret: (parameters: DhParameters) => dhSecret(parameters, random),
    isPrime: (candidate: bigint) => isPrimeNumber(candidate, random),
    randomPrime: (bits: number, isSafe: boolean, step?: bigint, remainder?: bigint) =>
      randomPrime(bits, isSafe, random, step, remainder),
  };
}

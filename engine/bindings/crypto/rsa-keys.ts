// RSA key pairs: two random primes by trial division and Miller-Rabin, and the numbers that follow from them.
import { bytesToNumber, numberToBytes } from './der';
import { bitLength, type FillRandom, inverse, power, type RsaNumbers } from './rsa';

const MILLER_RABIN_ROUNDS = 24;
const SMALL_PRIMES = Array.from({ length: 2000 }, (_, index) => index + 3).filter((candidate) => {
  for (let factor = 2; factor * factor <= candidate; factor++) if (candidate % factor === 0) return false;
  return true;
});
const SMALL_PRODUCT = SMALL_PRIMES.reduce((product, prime) => product * BigInt(prime), 1n);

/** Miller-Rabin behind trial division; of odd numbers from 5. */
export function isPrime(candidate: bigint, random: FillRandom): boolean {
  const rest = candidate % SMALL_PRODUCT;
  for (const prime of SMALL_PRIMES) if (rest % BigInt(prime) === 0n) return candidate === BigInt(prime);
  let odd = candidate - 1n;
  let twos = 0;
  for (; odd % 2n === 0n; odd /= 2n) twos++;
  const bytes = new Uint8Array(numberToBytes(candidate).length - 1);
  for (let round = 0; round < MILLER_RABIN_ROUNDS; round++) {
    random(bytes);
    let x = power(bytesToNumber(bytes) + 2n, odd, candidate);
    if (x === 1n || x === candidate - 1n) continue;
    let isWitness = true;
    for (let step = 1; step < twos && isWitness; step++) {
      x = (x * x) % candidate;
      isWitness = x !== candidate - 1n;
    }
    if (isWitness) return false;
  }
  return true;
}

/** A prime of exactly `bits` bits whose two highest are set, and p − 1 is prime to `e`. */
function primeFor(bits: number, e: bigint, random: FillRandom): bigint {
  const bytes = new Uint8Array(Math.ceil(bits / 8));
  for (;;) {
    random(bytes);
    let candidate = BigInt.asUintN(bits, bytesToNumber(bytes)) | (3n << BigInt(bits - 2)) | 1n;
    // A stretch of odd numbers from a random start, as OpenSSL looks for one.
    for (let step = 0; step < 500 && bitLength(candidate) === bits; step++, candidate += 2n) {
      if ((candidate - 1n) % e !== 0n && isPrime(candidate, random)) return candidate;
    }
  }
}

/** A fresh key pair. */
export function generateRsa(bits: number, e: bigint, random: FillRandom): RsaNumbers {
  for (;;) {
    const p = primeFor(Math.ceil(bits / 2), e, random);
    const q = primeFor(Math.floor(bits / 2), e, random);
    const n = p * q;
    if (p === q || bitLength(n) !== bits) continue;
    return p > q ? fromPrimes(n, e, p, q) : fromPrimes(n, e, q, p);
  }
}

function fromPrimes(n: bigint, e: bigint, p: bigint, q: bigint): RsaNumbers {
  const gcd = (left: bigint, right: bigint): bigint => (right === 0n ? left : gcd(right, left % right));
  const d = inverse(e, ((p - 1n) * (q - 1n)) / gcd(p - 1n, q - 1n));
  return { n, e, secret: { d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) } };
}

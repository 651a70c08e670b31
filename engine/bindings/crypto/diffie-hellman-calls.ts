// What lib calls for Diffie-Hellman over primes and for prime numbers: the two classes and the jobs of the binding.
import { unsupported } from '../../process/dump';
import type { Asymmetric } from './asymmetric';
import { bytesToNumber, numberToBytes } from './der';
import type { DhParameters } from './diffie-hellman';
import { encodeOutput } from './digests';
import type { jobClass } from './jobs';
import { opensslError } from './openssl-errors';

export interface DiffieHellmanHost {
  asymmetric(): Asymmetric;
  Job: ReturnType<typeof jobClass>;
  bytesOf(value: unknown): Uint8Array;
  exactBuffer(bytes: Uint8Array): ArrayBuffer;
}

const coded = (error: Error, code: string): Error => Object.assign(error, { code });
const buffer = (bytes: Uint8Array): unknown => encodeOutput(bytes, undefined);

/** Members of the binding. */
export function diffieHellmanCalls({
  asymmetric,
  Job,
  bytesOf,
  exactBuffer,
}: DiffieHellmanHost): Record<string, unknown> {
  class DiffieHellmanGroup {
    readonly #parameters: DhParameters;
    #secret: bigint | undefined;
    #open: Uint8Array | undefined;

    constructor(given: unknown, generator?: unknown) {
      const { group, check } = asymmetric().diffieHellman;
      if (typeof given === 'string') {
        const known = group(given.toLowerCase());
        if (!known) throw coded(new Error('Unknown DH group'), 'ERR_CRYPTO_UNKNOWN_DH_GROUP');
        this.#parameters = known;
        this.#tell(0);
        return;
      }
      if (typeof given === 'number')
        throw unsupported('crypto.createDiffieHellman with a prime that is to be generated');
      const prime = bytesToNumber(bytesOf(given));
      const base = typeof generator === 'number' ? BigInt(generator) : bytesToNumber(bytesOf(generator));
      if (base === 1n || base < 0n) throw opensslError('02800065', 'Diffie-Hellman routines', 'bad generator');
      this.#parameters = { prime, generator: base, secretBits: Math.max(1, prime.toString(2).length - 1) };
      this.#tell(check(this.#parameters));
    }

    #tell(found: number): void {
      Object.defineProperty(this, 'verifyError', { enumerable: true, configurable: true, get: () => found });
    }

    generateKeys(): unknown {
      const { prime, generator } = this.#parameters;
      const { secret, power } = asymmetric().diffieHellman;
      if (prime.toString(2).length < 512)
        throw coded(new Error('Key generation failed'), 'ERR_CRYPTO_OPERATION_FAILED');
      this.#secret ??= secret(this.#parameters);
      const open = power(generator, this.#secret, prime);
      this.#open = open.subarray(open.findIndex((byte) => byte !== 0));
      return this.getPublicKey();
    }

    computeSecret(given: unknown): unknown {
      const other = bytesToNumber(bytesOf(given));
      const { prime } = this.#parameters;
      const wrong = (size: string): Error =>
        coded(new RangeError(`Supplied key is too ${size}`), 'ERR_CRYPTO_INVALID_KEYLEN');
      if (other <= 1n) throw wrong('small');
      if (other >= prime - 1n) throw wrong('large');
      if (this.#secret === undefined)
        throw coded(new Error('Failed to compute shared secret'), 'ERR_CRYPTO_OPERATION_FAILED');
      return buffer(asymmetric().diffieHellman.power(other, this.#secret, prime));
    }

    getPrime(): unknown {
      return buffer(numberToBytes(this.#parameters.prime));
    }

    getGenerator(): unknown {
      return buffer(numberToBytes(this.#parameters.generator));
    }

    getPublicKey(): unknown {
      if (!this.#open)
        throw coded(new Error('No public key - did you forget to generate one?'), 'ERR_CRYPTO_INVALID_STATE');
      return buffer(this.#open.slice());
    }

    getPrivateKey(): unknown {
      if (this.#secret === undefined)
        throw coded(new Error('No private key - did you forget to generate one?'), 'ERR_CRYPTO_INVALID_STATE');
      return buffer(numberToBytes(this.#secret));
    }

    setPublicKey(key: unknown): void {
      this.#open = bytesOf(key).slice();
    }

    setPrivateKey(key: unknown): void {
      this.#secret = bytesToNumber(bytesOf(key));
    }
  }

  const numberOf = (value: unknown): bigint | undefined =>
    value === undefined || value === null ? undefined : bytesToNumber(bytesOf(value));

  return {
    DiffieHellmanGroup,
    DiffieHellman: class DiffieHellman extends DiffieHellmanGroup {},
    CheckPrimeJob: class extends Job {
      private readonly candidate: bigint;
      constructor(mode: number, candidate: unknown) {
        super(mode);
        this.candidate = bytesToNumber(bytesOf(candidate));
      }
      protected override compute(): boolean {
        return asymmetric().diffieHellman.isPrime(this.candidate);
      }
    },
    RandomPrimeJob: class extends Job {
      private readonly bits: number;
      private readonly isSafe: boolean;
      private readonly step: bigint | undefined;
      private readonly remainder: bigint | undefined;
      constructor(mode: number, bits: number, isSafe: boolean, step: unknown, remainder: unknown) {
        super(mode);
        const outside = (name: string): Error => coded(new RangeError(`invalid options.${name}`), 'ERR_OUT_OF_RANGE');
        [this.bits, this.isSafe, this.step, this.remainder] = [bits, isSafe, numberOf(step), numberOf(remainder)];
        if (this.step !== undefined && this.step.toString(2).length > bits) throw outside('add');
        if (this.remainder !== undefined && this.step !== undefined && this.step <= this.remainder)
          throw outside('rem');
      }
      protected override compute(): ArrayBuffer {
        if (this.bits < 2) throw new Error('error:01800076:bignum routines::bits too small');
        const prime = asymmetric().diffieHellman.randomPrime(this.bits, this.isSafe, this.step, this.remainder);
        return exactBuffer(numberToBytes(prime, Math.ceil(this.bits / 8)));
      }
    },
  };
}

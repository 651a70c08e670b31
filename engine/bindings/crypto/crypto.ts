// crypto: hashes, MACs, key derivation, randomness, symmetric ciphers; asymmetric keys are in files of their own. X.509, DH groups, DSA and the
// rest of OpenSSL keep their dumped placeholders, which throw by name.
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import type { Binding } from '../../process/environment';
import { REVIVES, travellers } from '../native-objects';
import { nodeError } from '../node-error';
import { encodeString, viewBytes } from '../strings';
import type { Asymmetric } from './asymmetric';
import { asymmetricCalls } from './asymmetric-calls';
import { CIPHERS, type CipherStream, createCipherStream } from './ciphers';
import { diffieHellmanCalls } from './diffie-hellman-calls';
import { copyHash, createHash, encodeOutput, findDigest, HASH_NAMES } from './digests';
import { createDigestStarter } from './fast-digests';
import { jobClass, nameJobs } from './jobs';
import { keyHandleClass } from './key-handle';

const RANDOM_CHUNK_BYTES = 65536;

/** RFC 5869: HKDF gives at most 255 blocks of its digest. */
const MOST_HKDF_BLOCKS = 255;

export const crypto: Binding = (environment) => {
  const { browser } = environment;
  const binding = environment.dumped('crypto');
  const { kCryptoJobAsync, kCryptoJobWebCrypto, kKeyTypeSecret } = binding;
  const Job = jobClass(environment, { async: kCryptoJobAsync, webCrypto: kCryptoJobWebCrypto });
  const startDigest = createDigestStarter((name) => environment.builtins.part(name));
  const bytesOf = (value: any, encoding?: string): Uint8Array =>
    typeof value === 'string'
      ? encodeString(value, encoding === 'buffer' ? 'utf8' : encoding)
      : value instanceof KeyObjectHandle
        ? value.bytes
        : value instanceof ArrayBuffer || value instanceof SharedArrayBuffer
          ? new Uint8Array(value)
          : viewBytes(value);
  const exactBuffer = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;
  const invalidDigest = (name: string): Error =>
    Object.assign(new TypeError(`Invalid digest: ${name}`), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
  const digestOf = (name: string) => {
    const digest = findDigest(name);
    if (!digest) throw invalidDigest(name);
    return digest;
  };

  class Hash {
    readonly state: any;
    readonly algorithm: string;
    private result: Uint8Array | undefined;

    constructor(algorithm: string | Hash, outputLength?: number) {
      this.algorithm = typeof algorithm === 'string' ? algorithm : algorithm.algorithm;
      this.state =
        typeof algorithm === 'string'
          ? createHash(startDigest, algorithm, outputLength)
          : copyHash(algorithm.algorithm, algorithm.state, outputLength);
    }

    update(data: unknown, encoding?: string): boolean {
      this.state.update(bytesOf(data, encoding));
      return true;
    }

    digest(encoding?: string): unknown {
      this.result ??= this.state.digest();
      return encodeOutput(this.result as Uint8Array, encoding);
    }
  }

  class Hmac {
    private state: any;

    init(name: string, key: unknown): void {
      const digest = findDigest(name);
      if (!digest) throw Object.assign(new Error(`Invalid digest: ${name}`), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
      this.state = hmac.create(digest, bytesOf(key));
    }

    update(data: unknown, encoding?: string): boolean {
      this.state.update(bytesOf(data, encoding));
      return true;
    }

    digest(encoding?: string): unknown {
      return encodeOutput(this.state.digest(), encoding);
    }
  }

  const asymmetric = (): Asymmetric => {
    // Evaluated when the first asymmetric key comes: the bundler keeps what require() asks for apart.
    loaded ??= (require('./asymmetric') as typeof import('./asymmetric')).createAsymmetric({
      constants: binding as Record<string, number>,
      bytesOf,
      random: fillRandom,
    });
    return loaded;
  };
  let loaded: Asymmetric | undefined;
  const KeyObjectHandle = keyHandleClass({ binding, asymmetric, bytesOf });

  class CipherBase {
    private readonly stream: CipherStream;
    private finished = false;

    constructor(encrypting: boolean, name: string, key: unknown, iv: unknown, tagLength: number | undefined) {
      const lower = name.toLowerCase();
      const shape = CIPHERS.get(lower) ?? [...CIPHERS.values()].find((known) => known.name === lower);
      if (!shape) throw Object.assign(new Error('Unknown cipher'), { code: 'ERR_CRYPTO_UNKNOWN_CIPHER' });
      const keyBytes = bytesOf(key);
      const ivBytes = iv === null || iv === undefined ? new Uint8Array(0) : bytesOf(iv);
      if (keyBytes.length !== shape.keyLength)
        throw Object.assign(new RangeError('Invalid key length'), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
      const ivIsFree = shape.mode === 'gcm' && ivBytes.length > 0;
      if (!ivIsFree && ivBytes.length !== shape.ivLength)
        throw Object.assign(new TypeError('Invalid initialization vector'), { code: 'ERR_CRYPTO_INVALID_IV' });
      // lib passes −1 for "not given".
      const tag = tagLength === undefined || tagLength < 0 || tagLength > 16 ? 16 : tagLength;
      this.stream = createCipherStream(shape, keyBytes, ivBytes, encrypting, tag);
    }

    update(data: unknown, encoding?: string): unknown {
      if (this.finished) throw Object.assign(new Error('Unsupported state'), { code: 'ERR_CRYPTO_INVALID_STATE' });
      return encodeOutput(this.stream.update(bytesOf(data, encoding)), undefined);
    }

    final(): unknown {
      if (this.finished) throw Object.assign(new Error('Unsupported state'), { code: 'ERR_CRYPTO_INVALID_STATE' });
      this.finished = true;
      return encodeOutput(this.stream.final(), undefined);
    }

    setAutoPadding(on = true): boolean {
      this.stream.setAutoPadding?.(on);
      return true;
    }

    setAAD(data: unknown): boolean {
      if (!this.stream.setAad || this.finished) return false;
      this.stream.setAad(bytesOf(data));
      return true;
    }

    getAuthTag(): unknown {
      return this.stream.tag && this.finished ? encodeOutput(this.stream.tag(), undefined) : undefined;
    }

    setAuthTag(tag: unknown): boolean {
      if (!this.stream.setTag || this.finished) return false;
      this.stream.setTag(bytesOf(tag));
      return true;
    }
  }

  const fillRandom = (target: Uint8Array): void => {
    for (let offset = 0; offset < target.length; offset += RANDOM_CHUNK_BYTES) {
      const chunk = new Uint8Array(Math.min(RANDOM_CHUNK_BYTES, target.length - offset));
      browser.crypto.getRandomValues(chunk);
      target.set(chunk, offset);
    }
  };

  /** A job from a function of its arguments. */
  const job = (compute: (...args: any[]) => unknown) =>
    class extends Job {
      private readonly args: any[];

      constructor(mode: number, ...args: any[]) {
        super(mode);
        this.args = args;
      }

      protected override compute(): unknown {
        return compute(...this.args);
      }
    };
  /** Unknown digests are refused when the job is made, as OpenSSL's lookups are. */
  /** OpenSSL derives no empty key. */
  const derived = (length: number, derive: () => Uint8Array): ArrayBuffer => {
    if (length === 0) throw new Error('Deriving bits failed');
    return exactBuffer(derive());
  };
  const digestJob = (position: number, compute: (...args: any[]) => unknown) =>
    class extends job(compute) {
      constructor(mode: number, ...args: any[]) {
        digestOf(args[position]);
        super(mode, ...args);
      }
    };

  const keySlots = new WeakMap<object, unknown[]>();
  let cryptoKeyClass: any;
  const slotsOf = (key: object): unknown[] => {
    const slots = keySlots.get(key);
    if (!slots) throw Object.assign(new TypeError('Illegal invocation'), { code: 'ERR_INVALID_THIS' });
    return slots.slice();
  };

  return nameJobs(
    Object.assign(binding, {
      Hash,
      Hmac,
      CipherBase,
      KeyObjectHandle,
      oneShotDigest(
        name: string,
        _id: number,
        _cache: unknown,
        input: unknown,
        encoding: string,
        _number: unknown,
        outputLength?: number,
      ) {
        return encodeOutput(
          createHash(startDigest, name, outputLength).update(bytesOf(input, 'utf8')).digest(),
          encoding,
        );
      },
      getHashes: () => [...HASH_NAMES],
      getCachedAliases: () => ({}),
      getCiphers: () => [...CIPHERS.keys()],
      getSSLCiphers: () => [],
      getCipherInfo(
        target: Record<string, unknown>,
        nameOrNid: string | number,
        keyLength?: number,
        ivLength?: number,
      ) {
        const lower = typeof nameOrNid === 'string' ? nameOrNid.toLowerCase() : undefined;
        const shape =
          CIPHERS.get(lower ?? '') ??
          [...CIPHERS.values()].find(({ name, nid }) => (lower === undefined ? nid === nameOrNid : name === lower));
        if (!shape || (keyLength !== undefined && keyLength !== shape.keyLength)) return undefined;
        if (ivLength !== undefined && ivLength !== shape.ivLength && shape.mode !== 'gcm') return undefined;
        const { name, nid, mode } = shape;
        return Object.assign(target, {
          mode: mode === 'chacha20-poly1305' ? 'stream' : mode,
          name,
          nid,
          ...(mode === 'chacha20-poly1305' ? {} : { blockSize: shape.blockSize }),
          ...(shape.ivLength > 0 ? { ivLength: ivLength ?? shape.ivLength } : {}),
          keyLength: shape.keyLength,
        });
      },
      getFipsCrypto: () => 0,
      testFipsCrypto: () => false,
      secureHeapUsed: () => undefined,
      secureBuffer: (length: number) => new Uint8Array(length),
      timingSafeEqual(left: ArrayBufferView, right: ArrayBufferView) {
        const a = viewBytes(left);
        const b = viewBytes(right);
        if (a.length !== b.length) {
          throw Object.assign(new RangeError('Input buffers must have the same byte length'), {
            code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
          });
        }
        let difference = 0;
        for (let index = 0; index < a.length; index++) difference |= a[index] ^ b[index];
        return difference === 0;
      },
      createNativeKeyObjectClass: (callback: (Base: unknown) => unknown) =>
        callback(
          class {
            constructor(...[handle]: [InstanceType<typeof KeyObjectHandle>]) {
              keySlots.set(this, [handle.getKeyType(), handle]);
              travellers.set(this, () => ({ binding: 'crypto', data: { kind: 'KeyObject', handle } }));
            }
          },
        ),
      createCryptoKeyClass(callback: (Base: unknown) => unknown[]) {
        const classes = callback(
          class {
            constructor(
              handle: InstanceType<typeof KeyObjectHandle>,
              algorithm: object,
              usages: number,
              extractable: boolean,
            ) {
              keySlots.set(this, [handle.getKeyType(), extractable, algorithm, usages, handle]);
              const data = { kind: 'CryptoKey', extractable, algorithm, usages, handle };
              travellers.set(this, () => ({ binding: 'crypto', data }));
            }
          },
        );
        cryptoKeyClass = classes[1];
        return classes;
      },
      [REVIVES](key: any): object {
        if (key.kind === 'KeyObjectHandle') return KeyObjectHandle.fromMessage(key);
        const keys = environment.realm.requireBuiltin?.('internal/crypto/keys');
        if (key.kind === 'CryptoKey')
          return new keys.InternalCryptoKey(key.handle, key.algorithm, key.usages, key.extractable);
        const type = key.handle.getKeyType();
        if (type === binding.kKeyTypeSecret) return new keys.SecretKeyObject(key.handle);
        return type === binding.kKeyTypePublic
          ? new keys.PublicKeyObject(key.handle)
          : new keys.PrivateKeyObject(key.handle);
      },
      getKeyObjectSlots: (key: object) => slotsOf(key),
      getCryptoKeySlots: (key: object) => slotsOf(key),
      startLoadingCertificatesOffThread() {},
      getBundledRootCertificates() {
        const module: { exports: string[] } = { exports: [] };
        environment.builtins.compile('internal/cloche/root_certificates')(module.exports, undefined, module);
        return module.exports;
      },
      RandomBytesJob: job((buffer: ArrayBufferView, offset: number, size: number) =>
        fillRandom(viewBytes(buffer).subarray(offset, offset + size)),
      ),
      ...diffieHellmanCalls({
        asymmetric,
        Job,
        bytesOf,
        exactBuffer,
      }),
      ...asymmetricCalls({
        binding,
        asymmetric,
        Job,
        KeyObjectHandle,
        cryptoKeyClass: () => cryptoKeyClass,
        bytesOf,
        exactBuffer,
      }),
      SecretKeyGenJob: job((bits: number, algorithm?: unknown, usages?: number, extractable?: boolean) => {
        const handle = new KeyObjectHandle();
        const key = new Uint8Array(bits / 8);
        fillRandom(key);
        handle.init(kKeyTypeSecret, key);
        return algorithm === undefined ? handle : new cryptoKeyClass(handle, algorithm, usages, extractable);
      }),
      PBKDF2Job: digestJob(4, (password, salt, iterations, length, name) =>
        derived(length, () =>
          pbkdf2(digestOf(name), bytesOf(password), bytesOf(salt), { c: iterations, dkLen: length }),
        ),
      ),
      ScryptJob: class extends job((password, salt, N, r, p, _maximum, length) =>
        length === 0
          ? new ArrayBuffer(0)
          : exactBuffer(
              scrypt(bytesOf(password), bytesOf(salt), { N, r, p, dkLen: length, maxmem: Number.MAX_SAFE_INTEGER }),
            ),
      ) {
        constructor(mode: number, ...args: any[]) {
          const [, , N, r, p, maximum] = args;
          const isPower = N > 1 && (N & (N - 1)) === 0;
          if (!isPower || 128 * N * r > maximum) {
            const reason = isPower
              ? 'error:030000AC:digital envelope routines::memory limit exceeded'
              : 'Invalid scrypt params';
            throw Object.assign(new RangeError(isPower ? `Invalid scrypt params: ${reason}` : reason), {
              code: 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS',
            });
          }
          super(mode, ...args);
          void p;
        }
      },
      HKDFJob: class extends digestJob(0, (name, key, salt, info, length) =>
        derived(length, () => hkdf(digestOf(name), bytesOf(key), bytesOf(salt), bytesOf(info), length)),
      ) {
        constructor(mode: number, ...args: any[]) {
          super(mode, ...args);
          if (args[4] > MOST_HKDF_BLOCKS * digestOf(args[0]).outputLen)
            throw nodeError(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length');
        }
      },
      HashJob: job((name: string, data: unknown, bits?: number) =>
        exactBuffer(
          createHash(startDigest, name, bits === undefined ? undefined : bits / 8)
            .update(bytesOf(data))
            .digest(),
        ),
      ),
    }),
  );
};

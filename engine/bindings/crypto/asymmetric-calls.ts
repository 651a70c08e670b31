// What lib calls for asymmetric keys: jobs for signatures, key pairs and shared secrets, the Sign, Verify and ECDH classes, RSA encryption,
// and the Web Crypto jobs over secret keys that need the same handles.
import { hmac } from '@noble/hashes/hmac.js';
import { unsupported } from '../../process/dump';
import type { Asymmetric } from './asymmetric';
import { join } from './der';
import { encodeOutput, findDigest } from './digests';
import type { jobClass } from './jobs';
import type { KeyMaterial } from './key-encoding';
import type { KeyHandleClass } from './key-handle';

type Handle = InstanceType<KeyHandleClass>;

export interface AsymmetricCallsHost {
  binding: Record<string, any>;
  asymmetric(): Asymmetric;
  Job: ReturnType<typeof jobClass>;
  KeyObjectHandle: KeyHandleClass;
  /** lib's CryptoKey class, once it has registered it. */
  cryptoKeyClass(): new (handle: Handle, algorithm: unknown, usages: number, extractable: boolean) => object;
  bytesOf(value: any, encoding?: string): Uint8Array;
  exactBuffer(bytes: Uint8Array): ArrayBuffer;
}

/** Members of the binding. */
export function asymmetricCalls(host: AsymmetricCallsHost): Record<string, unknown> {
  const { binding, asymmetric, Job, KeyObjectHandle, bytesOf, exactBuffer } = host;
  const { kCryptoJobWebCrypto, kSignJobModeSign, kWebCryptoCipherEncrypt } = binding;
  const buffer = (bytes: Uint8Array): unknown => encodeOutput(bytes, undefined);

  /** A key as lib passes it in five arguments. */
  const keyOf = (wantsPrivate: boolean, [data, format, type, passphrase, namedCurve]: any[]): KeyMaterial =>
    data instanceof KeyObjectHandle
      ? wantsPrivate
        ? data.key
        : asymmetric().publicHalf(data.key)
      : asymmetric().read({ data, format, type, namedCurve, passphrase }, wantsPrivate);

  /** A job whose arguments are read (and refused) when it is made. */
  const job = (prepare: (...args: any[]) => () => unknown) =>
    class extends Job {
      private readonly work: () => unknown;
      constructor(mode: number, ...args: any[]) {
        super(mode);
        this.work = prepare(...args);
      }
      protected override compute(): unknown {
        return this.work();
      }
    };

  /** A job that makes a pair from its first `count` arguments; the others say in which form it is wanted. */
  const pairJob = (count: number | ((args: any[]) => number), generate: (...args: any[]) => KeyMaterial) =>
    class extends Job {
      private readonly args: any[];
      constructor(mode: number, ...args: any[]) {
        super(mode);
        this.args = args;
      }
      protected override compute(): unknown {
        const own = typeof count === 'number' ? count : count(this.args);
        const key = generate(...this.args.slice(0, own));
        const rest = this.args.slice(own);
        const [publicKey, privateKey] = [asymmetric().publicHalf(key), key];
        if (this.mode === kCryptoJobWebCrypto) {
          const [algorithm, publicUsages, privateUsages, extractable] = rest;
          const CryptoKey = host.cryptoKeyClass();
          return {
            publicKey: new CryptoKey(KeyObjectHandle.around(publicKey), algorithm, publicUsages, true),
            privateKey: new CryptoKey(KeyObjectHandle.around(privateKey), algorithm, privateUsages, extractable),
          };
        }
        const [publicFormat, publicType, privateFormat, privateType, cipher, passphrase] = rest;
        const shown = (half: KeyMaterial, format: any, type: any, secrecy?: unknown): unknown => {
          const handle = KeyObjectHandle.around(half);
          return format === undefined || format === null ? handle : handle.export(format, type, secrecy, passphrase);
        };
        return [shown(publicKey, publicFormat, publicType), shown(privateKey, privateFormat, privateType, cipher)];
      }
    };

  class Updates {
    protected readonly chunks: Uint8Array[] = [];
    protected algorithm = '';

    init(algorithm: string): void {
      if (!findDigest(algorithm))
        throw Object.assign(new TypeError('Invalid digest'), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
      this.algorithm = algorithm;
    }

    update(data: unknown, encoding?: string): void {
      this.chunks.push(bytesOf(data, encoding).slice());
    }
  }

  class Sign extends Updates {
    sign(...args: any[]): unknown {
      const [padding, salt, encoding] = args.slice(5);
      const key = keyOf(true, args);
      return buffer(asymmetric().sign(key, join(...this.chunks), this.algorithm, padding, salt, encoding));
    }
  }

  class Verify extends Updates {
    verify(...args: any[]): boolean {
      const [signature, padding, salt, encoding] = args.slice(5);
      const message = join(...this.chunks);
      return asymmetric().verify(
        keyOf(false, args),
        message,
        bytesOf(signature),
        this.algorithm,
        padding,
        salt,
        encoding,
      );
    }
  }

  const edwardsKinds: Record<number, 'ed25519' | 'ed448' | 'x25519' | 'x448'> = {
    [binding.EVP_PKEY_ED25519]: 'ed25519',
    [binding.EVP_PKEY_ED448]: 'ed448',
    [binding.EVP_PKEY_X25519]: 'x25519',
    [binding.EVP_PKEY_X448]: 'x448',
  };

  class ECDH {
    private readonly curve: string;
    private key: KeyMaterial | undefined;

    constructor(curve: string) {
      if (!asymmetric().hasCurve(curve))
        throw Object.assign(new TypeError('Invalid EC curve name'), { code: 'ERR_CRYPTO_INVALID_CURVE' });
      this.curve = curve;
    }

    generateKeys(): void {
      this.key = asymmetric().generateEc(this.curve);
    }

    private get own(): Extract<KeyMaterial, { kind: 'ec' }> {
      if (this.key?.kind !== 'ec')
        throw Object.assign(new Error('Failed to get ECDH public key'), { code: 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY' });
      return this.key;
    }

    getPublicKey(form: number): unknown {
      return buffer(asymmetric().point(this.own, form));
    }

    getPrivateKey(): unknown {
      const { secret } = this.own;
      // OpenSSL gives the number without leading zeros.
      return buffer((secret as Uint8Array).slice((secret as Uint8Array).findIndex((byte) => byte !== 0)));
    }

    setPrivateKey(bytes: unknown): void {
      try {
        this.key = asymmetric().ecFromSecret(this.curve, bytesOf(bytes));
      } catch {
        throw Object.assign(new Error('Private key is not valid for specified curve.'), {
          code: 'ERR_CRYPTO_INVALID_KEYPAIR',
        });
      }
    }

    setPublicKey(): never {
      throw unsupported('crypto.ECDH#setPublicKey');
    }

    computeSecret(point: unknown): unknown {
      let other: KeyMaterial;
      try {
        other = asymmetric().ecFromPoint(this.curve, bytesOf(point));
      } catch {
        throw Object.assign(new Error('Public key is not valid for specified curve'), {
          code: 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY',
        });
      }
      return buffer(asymmetric().sharedSecret(this.own, other));
    }
  }

  const aesName = (variant: number): string => {
    const name = Object.keys(binding).find((key) => key.startsWith('kKeyVariantAES_') && binding[key] === variant);
    const [, mode, bits] = /AES_(\w+)_(\d+)$/.exec(name as string) as string[];
    if (mode !== 'CBC' && mode !== 'CTR' && mode !== 'GCM') throw unsupported(`crypto.subtle with AES-${mode}`);
    return `aes-${bits}-${mode.toLowerCase()}`;
  };

  return {
    Sign,
    Verify,
    ECDH,
    ECDHConvertKey(point: unknown, curve: string, form: number) {
      return buffer(asymmetric().point(asymmetric().ecFromPoint(curve, bytesOf(point)), form));
    },
    getCurves: () => ['prime256v1', 'secp256k1', 'secp384r1', 'secp521r1'],
    SignJob: job((signMode: number, ...args: any[]) => {
      const isSigning = signMode === kSignJobModeSign;
      const key = keyOf(isSigning, args);
      const [data, algorithm, salt, padding, encoding, context, signature] = args.slice(5);
      if (context !== undefined && context !== null && bytesOf(context).length > 0)
        throw unsupported('crypto signatures with a context');
      const message = bytesOf(data);
      if (isSigning)
        return () => exactBuffer(asymmetric().sign(key, message, algorithm ?? undefined, padding, salt, encoding));
      const given = bytesOf(signature);
      return () => asymmetric().verify(key, message, given, algorithm ?? undefined, padding, salt, encoding);
    }),
    RsaKeyPairGenJob: pairJob(
      ([variant]) => (variant === binding.kKeyVariantRSA_PSS ? 6 : 3),
      (variant: number, bits: number, exponent: number) => {
        if (variant === binding.kKeyVariantRSA_PSS) throw unsupported('crypto.generateKeyPair of rsa-pss keys');
        return asymmetric().generateRsa(bits, exponent);
      },
    ),
    EcKeyPairGenJob: class extends pairJob(2, (curve: string) => asymmetric().generateEc(curve)) {
      constructor(mode: number, curve: string, ...rest: any[]) {
        if (!asymmetric().hasCurve(curve))
          throw Object.assign(new TypeError('Invalid EC curve name'), { code: 'ERR_CRYPTO_INVALID_CURVE' });
        super(mode, curve, ...rest);
      }
    },
    NidKeyPairGenJob: pairJob(1, (nid: number) => {
      const kind = edwardsKinds[nid];
      if (!kind) throw unsupported('crypto.generateKeyPair of this key type');
      return asymmetric().generateRaw(kind);
    }),
    DHBitsJob: job((...args: any[]) => {
      const [other, own] = [keyOf(false, args), keyOf(true, args.slice(5))];
      return () => exactBuffer(asymmetric().sharedSecret(own, other));
    }),
    publicEncrypt: (...args: any[]) => {
      const [content, padding, hash, label] = args.slice(5);
      return buffer(asymmetric().encrypt(keyOf(false, args), bytesOf(content), padding, hash, label));
    },
    privateDecrypt: (...args: any[]) => {
      const [content, padding, hash, label] = args.slice(5);
      return buffer(asymmetric().decrypt(keyOf(true, args), bytesOf(content), padding, hash, label));
    },
    privateEncrypt: (...args: any[]) =>
      buffer(asymmetric().encryptPrivately(keyOf(true, args), bytesOf(args[5]), args[6])),
    publicDecrypt: (...args: any[]) =>
      buffer(asymmetric().decryptPublicly(keyOf(false, args), bytesOf(args[5]), args[6])),
    RSACipherJob: job((mode: number, handle: Handle, data: unknown, _variant: number, hash: string, label: unknown) => {
      const content = bytesOf(data);
      const { OAEP } = asymmetric();
      return () =>
        exactBuffer(
          mode === kWebCryptoCipherEncrypt
            ? asymmetric().encrypt(handle.key, content, OAEP, hash, label)
            : asymmetric().decrypt(handle.key, content, OAEP, hash, label),
        );
    }),
    HmacJob: job((mode: number, hash: string, handle: Handle, data: unknown, signature: unknown) => {
      const digest = findDigest(hash);
      if (!digest) throw new Error(`Invalid digest: ${hash}`);
      const message = bytesOf(data);
      return () => {
        const mac = hmac(digest, handle.bytes, message);
        if (mode === kSignJobModeSign) return exactBuffer(mac);
        const given = bytesOf(signature);
        return given.length === mac.length && binding.timingSafeEqual(mac, given);
      };
    }),
    AESCipherJob: job(
      (mode: number, handle: Handle, data: unknown, variant: number, iv: unknown, size?: number, aad?: unknown) => {
        const name = aesName(variant);
        const isEncrypting = mode === kWebCryptoCipherEncrypt;
        const content = bytesOf(data);
        const isGcm = name.endsWith('gcm');
        if (name.endsWith('ctr') && size !== 128)
          throw unsupported('crypto.subtle with a counter shorter than 128 bits');
        return () => {
          const tagLength = isGcm ? (size as number) : 0;
          const cipher = new binding.CipherBase(isEncrypting, name, handle.bytes, bytesOf(iv), isGcm ? tagLength : -1);
          if (aad !== undefined) cipher.setAAD(bytesOf(aad));
          const end = content.length - (isEncrypting ? 0 : tagLength);
          if (!isEncrypting && isGcm) cipher.setAuthTag(content.subarray(end));
          const parts = [cipher.update(content.subarray(0, end)), cipher.final()];
          if (isEncrypting && isGcm) parts.push(cipher.getAuthTag());
          return exactBuffer(join(...parts));
        };
      },
    ),
  };
}

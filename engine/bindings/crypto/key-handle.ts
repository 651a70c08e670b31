// KeyObjectHandle: a secret key's bytes, or an asymmetric key (asymmetric.ts, loaded when the first one comes).

import { TRAVELS, type Travelling } from '../native-objects';
import type { Asymmetric } from './asymmetric';
import { encodeOutput } from './digests';
import type { KeyMaterial } from './key-encoding';

export interface KeyHandleHost {
  /** The dumped binding: base class and constants. */
  binding: Record<string, any>;
  asymmetric(): Asymmetric;
  /** The bytes of what lib passes as a key, copied. */
  bytesOf(value: unknown): Uint8Array;
}

export interface KeyHandle {
  /** Of a secret key. */
  readonly bytes: Uint8Array;
  /** Of another. */
  readonly material: KeyMaterial | undefined;
  init(type: number, data: unknown, format?: number, encoding?: unknown, passphrase?: unknown, curve?: unknown): void;
}

/** The class for the binding. */
export function keyHandleClass(host: KeyHandleHost) {
  const { binding, asymmetric } = host;
  const { kKeyTypeSecret, kKeyTypePublic, kKeyTypePrivate, kKeyFormatJWK } = binding;

  return class KeyObjectHandle extends binding.KeyObjectHandle implements KeyHandle {
    bytes: Uint8Array = new Uint8Array(0);
    material: KeyMaterial | undefined;
    private type = kKeyTypeSecret;

    /** A handle around a key that is known. */
    static around(material: KeyMaterial): KeyObjectHandle {
      const handle = new KeyObjectHandle();
      handle.material = material;
      handle.type = asymmetric().isPrivate(material) ? kKeyTypePrivate : kKeyTypePublic;
      return handle;
    }

    /** The same key, of what `TRAVELS` said. */
    static fromMessage(key: { type: number; bytes: Uint8Array; material?: KeyMaterial }): KeyObjectHandle {
      const handle = new KeyObjectHandle();
      handle.type = key.type;
      handle.bytes = key.bytes;
      handle.material = key.material;
      return handle;
    }

    [TRAVELS](): Travelling {
      const { type, bytes, material } = this;
      return { binding: 'crypto', data: { kind: 'KeyObjectHandle', type, bytes, material } };
    }

    init(type: number, data: any, format?: number, encoding?: any, passphrase?: unknown, namedCurve?: any): void {
      this.type = type;
      if (type === kKeyTypeSecret) {
        this.bytes =
          format === kKeyFormatJWK
            ? Uint8Array.from((globalThis as any).Buffer.from(data.k, 'base64url'))
            : host.bytesOf(data).slice();
        return;
      }
      this.material =
        data instanceof KeyObjectHandle
          ? asymmetric().publicHalf(data.key)
          : asymmetric().read({ data, format, type: encoding, namedCurve, passphrase }, type === kKeyTypePrivate);
    }

    /** The asymmetric key; a bug when it is none. */
    get key(): KeyMaterial {
      if (!this.material) throw new Error('not an asymmetric key');
      return this.material;
    }

    getKeyType(): number {
      return this.type;
    }

    getSymmetricKeySize(): number {
      return this.bytes.length;
    }

    getAsymmetricKeyType(): string {
      return this.key.kind;
    }

    checkEcKeyData(): boolean {
      return this.key.kind === 'ec';
    }

    export(format?: number, type?: number, cipher?: unknown, passphrase?: unknown): unknown {
      if (!this.material) return encodeOutput(this.bytes.slice(), undefined);
      const out = asymmetric().exportKey(this.material, format as number, type, cipher, passphrase);
      return out instanceof Uint8Array ? encodeOutput(out, undefined) : out;
    }

    exportJwk(target: Record<string, unknown>): Record<string, unknown> {
      const jwk = this.material
        ? asymmetric().exportJwk(this.material)
        : { kty: 'oct', k: encodeOutput(this.bytes, 'base64url') };
      return Object.assign(target, jwk);
    }

    rawPublicKey(): unknown {
      const { key } = this;
      return key.kind === 'rsa' ? super.rawPublicKey() : encodeOutput(key.point.slice(), undefined);
    }

    rawPrivateKey(): unknown {
      const { key } = this;
      return key.kind === 'rsa' || !key.secret ? super.rawPrivateKey() : encodeOutput(key.secret.slice(), undefined);
    }

    exportECPublicRaw(form: number): unknown {
      return encodeOutput(asymmetric().point(this.key, form), undefined);
    }

    exportECPrivateRaw(): unknown {
      return this.rawPrivateKey();
    }

    keyDetail(target: Record<string, unknown>): Record<string, unknown> {
      return asymmetric().detail(this.key, target);
    }

    equals(other: KeyObjectHandle): boolean {
      if (this.material && other.material) return asymmetric().equals(this.material, other.material);
      return (
        !this.material &&
        !other.material &&
        other.bytes.length === this.bytes.length &&
        binding.timingSafeEqual(this.bytes, other.bytes)
      );
    }
  };
}

export type KeyHandleClass = ReturnType<typeof keyHandleClass>;

// Symmetric ciphers as streams. noble encrypts whole messages; here they are fed in blocks with the chaining carried along.
import { cbc, ctr, ecb, gcm } from '@noble/ciphers/aes.js';
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';

const BLOCK = 16;

export interface CipherShape {
  name: string;
  mode: 'cbc' | 'ctr' | 'ecb' | 'gcm' | 'chacha20-poly1305';
  keyLength: number;
  ivLength: number;
  blockSize: number;
  nid: number;
}

const AES_NIDS: Record<string, number> = {
  'aes-128-ecb': 418,
  'aes-128-cbc': 419,
  'aes-192-ecb': 422,
  'aes-192-cbc': 423,
  'aes-256-ecb': 426,
  'aes-256-cbc': 427,
  'aes-128-gcm': 895,
  'aes-192-gcm': 898,
  'aes-256-gcm': 901,
  'aes-128-ctr': 904,
  'aes-192-ctr': 905,
  'aes-256-ctr': 906,
};

/** Ciphers by name. */
export const CIPHERS: Map<string, CipherShape> = new Map();
for (const [name, nid] of Object.entries(AES_NIDS)) {
  const mode = name.slice(8) as CipherShape['mode'];
  CIPHERS.set(name, {
    name: mode === 'gcm' ? `id-aes${name.slice(4, 7)}-gcm` : name,
    mode,
    nid,
    keyLength: Number(name.slice(4, 7)) / 8,
    ivLength: mode === 'ecb' ? 0 : mode === 'gcm' ? 12 : BLOCK,
    blockSize: mode === 'cbc' || mode === 'ecb' ? BLOCK : 1,
  });
}
CIPHERS.set('chacha20-poly1305', {
  name: 'chacha20-poly1305',
  mode: 'chacha20-poly1305',
  keyLength: 32,
  ivLength: 12,
  blockSize: 1,
  nid: 1018,
});

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

function failure(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

/** What `update` and `final` of every mode do. */
export interface CipherStream {
  update(bytes: Uint8Array): Uint8Array;
  final(): Uint8Array;
  setAutoPadding?(on: boolean): void;
  setAad?(bytes: Uint8Array): void;
  /** Of an encryption, after final. */
  tag?(): Uint8Array;
  setTag?(tag: Uint8Array): void;
}

/** CBC and ECB: whole blocks go through, the rest waits; the last block carries PKCS#7 padding. */
class BlockStream implements CipherStream {
  private readonly key: Uint8Array;
  private iv: Uint8Array | undefined;
  private readonly encrypting: boolean;
  private pending = new Uint8Array(0) as Uint8Array;
  private padding = true;

  constructor(key: Uint8Array, iv: Uint8Array | undefined, encrypting: boolean) {
    this.key = key;
    this.iv = iv;
    this.encrypting = encrypting;
  }

  setAutoPadding(on: boolean): void {
    this.padding = on;
  }

  private blocks(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return bytes;
    const options = { disablePadding: true };
    const cipher = this.iv ? cbc(this.key, this.iv, options) : ecb(this.key, options);
    const out = this.encrypting ? cipher.encrypt(bytes) : cipher.decrypt(bytes);
    if (this.iv) this.iv = (this.encrypting ? out : bytes).slice(-BLOCK);
    return out;
  }

  update(bytes: Uint8Array): Uint8Array {
    const all = concat(this.pending, bytes);
    // A decryption keeps the last block back: it may be padding.
    const keep =
      !this.encrypting && this.padding && all.length > 0 && all.length % BLOCK === 0 ? BLOCK : all.length % BLOCK;
    this.pending = all.slice(all.length - keep);
    return this.blocks(all.slice(0, all.length - keep));
  }

  final(): Uint8Array {
    if (this.encrypting) {
      if (!this.padding) {
        if (this.pending.length > 0)
          throw failure(
            'error:1C80006B:Provider routines::wrong final block length',
            'ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH',
          );
        return new Uint8Array(0);
      }
      const count = BLOCK - this.pending.length;
      return this.blocks(concat(this.pending, new Uint8Array(count).fill(count)));
    }
    if (this.pending.length === 0 && !this.padding) return new Uint8Array(0);
    if (this.pending.length !== BLOCK)
      throw failure('error:1C80006B:Provider routines::wrong final block length', 'ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH');
    const block = this.blocks(this.pending);
    const count = block[BLOCK - 1];
    const isPadded = count >= 1 && count <= BLOCK && block.subarray(BLOCK - count).every((byte) => byte === count);
    if (!isPadded) throw failure('error:1C800064:Provider routines::bad decrypt', 'ERR_OSSL_BAD_DECRYPT');
    return block.slice(0, BLOCK - count);
  }
}

/** CTR: a key stream that is used up byte by byte. */
class CounterStream implements CipherStream {
  private readonly key: Uint8Array;
  private counter: Uint8Array;
  private spare = new Uint8Array(0) as Uint8Array;

  constructor(key: Uint8Array, counter: Uint8Array) {
    this.key = key;
    this.counter = counter.slice();
  }

  update(bytes: Uint8Array): Uint8Array {
    const missing = Math.max(0, bytes.length - this.spare.length);
    const blocks = Math.ceil(missing / BLOCK);
    let stream = this.spare;
    if (blocks > 0) {
      stream = concat(stream, ctr(this.key, this.counter).encrypt(new Uint8Array(blocks * BLOCK)));
      this.advance(blocks);
    }
    this.spare = stream.slice(bytes.length);
    return bytes.map((byte, index) => byte ^ stream[index]);
  }

  private advance(blocks: number): void {
    let carry = blocks;
    for (let index = BLOCK - 1; index >= 0 && carry > 0; index--) {
      const sum = this.counter[index] + (carry & 255);
      this.counter[index] = sum & 255;
      carry = (carry >>> 8) + (sum >> 8);
    }
  }

  final(): Uint8Array {
    return new Uint8Array(0);
  }
}

/** AEAD modes: output as it comes, the tag over everything at the end. Keeps the message, because noble authenticates whole messages. */
class AuthenticatedStream implements CipherStream {
  private readonly cipher: (aad: Uint8Array | undefined) => { encrypt(bytes: Uint8Array): Uint8Array };
  private readonly decryption: ((bytes: Uint8Array) => Uint8Array) | undefined;
  private readonly encrypting: boolean;
  private readonly tagLength: number;
  private aad: Uint8Array | undefined;
  private message = new Uint8Array(0) as Uint8Array;
  private produced = 0;
  private authTag: Uint8Array | undefined;

  constructor(
    cipher: AuthenticatedStream['cipher'],
    decryption: AuthenticatedStream['decryption'],
    encrypting: boolean,
    tagLength: number,
  ) {
    this.cipher = cipher;
    this.decryption = decryption;
    this.encrypting = encrypting;
    this.tagLength = tagLength;
  }

  setAad(bytes: Uint8Array): void {
    this.aad = this.aad ? concat(this.aad, bytes) : bytes.slice();
  }

  setTag(tag: Uint8Array): void {
    this.authTag = tag.slice();
  }

  tag(): Uint8Array {
    if (!this.authTag) throw failure('Invalid state for operation getAuthTag', 'ERR_CRYPTO_INVALID_STATE');
    return this.authTag.slice(0, this.tagLength);
  }

  /** The key stream is the same in both directions: encrypting the ciphertext decrypts it. */
  update(bytes: Uint8Array): Uint8Array {
    const streamed = this.decryption ? this.decryption(bytes) : undefined;
    this.message = concat(this.message, this.encrypting || !streamed ? bytes : streamed);
    if (streamed) return streamed;
    const out = this.cipher(this.aad).encrypt(this.message).slice(this.produced, this.message.length);
    this.produced = this.message.length;
    if (!this.encrypting) this.message = concat(this.message.slice(0, this.message.length - bytes.length), out);
    return out;
  }

  final(): Uint8Array {
    const sealed = this.cipher(this.aad).encrypt(this.message);
    const tag = sealed.slice(this.message.length);
    if (this.encrypting) {
      this.authTag = tag;
      return new Uint8Array(0);
    }
    const given = this.authTag;
    let difference = given && given.length > 0 ? 0 : 1;
    for (let index = 0; given && index < given.length; index++) difference |= given[index] ^ tag[index];
    if (difference !== 0) throw new Error('Unsupported state or unable to authenticate data');
    return new Uint8Array(0);
  }
}

/** A stream for a cipher; key and iv have been checked. */
export function createCipherStream(
  shape: CipherShape,
  key: Uint8Array,
  iv: Uint8Array,
  encrypting: boolean,
  tagLength: number,
): CipherStream {
  switch (shape.mode) {
    case 'ecb':
      return new BlockStream(key, undefined, encrypting);
    case 'cbc':
      return new BlockStream(key, iv, encrypting);
    case 'ctr':
      return new CounterStream(key, iv);
    case 'gcm': {
      let stream: CounterStream | undefined;
      if (iv.length === 12) {
        const counter = new Uint8Array(BLOCK);
        counter.set(iv);
        counter[BLOCK - 1] = 2;
        stream = new CounterStream(key, counter);
      }
      return new AuthenticatedStream(
        (aad) => gcm(key, iv, aad),
        stream && ((bytes) => (stream as CounterStream).update(bytes)),
        encrypting,
        tagLength,
      );
    }
    case 'chacha20-poly1305':
      return new AuthenticatedStream((aad) => chacha20poly1305(key, iv, aad), undefined, encrypting, tagLength);
  }
}

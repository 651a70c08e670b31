// zlib: deflate, inflate, gzip, gunzip, raw and unzip, as streams over pako's port of zlib. Error codes and messages are node_zlib.cc's.
// Brotli is in brotli.ts; Zstandard keeps its placeholders, which throw by name.

import crc32 from 'pako/lib/zlib/crc32.js';
import deflate from 'pako/lib/zlib/deflate.js';
import inflate from 'pako/lib/zlib/inflate.js';
import ZStream from 'pako/lib/zlib/zstream.js';
import { currentFrame } from '../../modules/context-frame';
import type { Binding } from '../../process/environment';
import { AsyncScopes } from '../async-scopes';
import { encodeString, viewBytes } from '../strings';
import { brotliClasses } from './brotli';

const MODE = { none: 0, deflate: 1, inflate: 2, gzip: 3, gunzip: 4, deflateRaw: 5, inflateRaw: 6, unzip: 7 } as const;
const Z = {
  ok: 0,
  streamEnd: 1,
  needDict: 2,
  streamError: -2,
  dataError: -3,
  memError: -4,
  bufError: -5,
  finish: 4,
} as const;
const DEFLATED = 8;
const CODES: Record<number, string> = {
  [Z.needDict]: 'Z_NEED_DICT',
  [Z.streamError]: 'Z_STREAM_ERROR',
  [Z.dataError]: 'Z_DATA_ERROR',
  [Z.memError]: 'Z_MEM_ERROR',
  [Z.bufError]: 'Z_BUF_ERROR',
};

export const zlib: Binding = (environment) => {
  const scopes = AsyncScopes.of(environment);
  class Zlib {
    declare onerror: ((message: string, errno: number, code: string) => void) | undefined;
    readonly #mode: number;
    #windowBits = 15;
    #level = -1;
    #memLevel = 8;
    #strategy = 0;
    #dictionary: Uint8Array | undefined;
    #writeState: Uint32Array = new Uint32Array(2);
    #processed: (() => void) | undefined;
    #stream: any;
    #closed = false;
    /** The async context that the stream was made in. */
    readonly #frame = currentFrame();
    readonly #ids = scopes.begin(this, 'ZLIB');

    constructor(mode: number) {
      this.#mode = mode;
    }

    getAsyncId(): number {
      return this.#ids.asyncId;
    }

    init(
      windowBits: number,
      level: number,
      memLevel: number,
      strategy: number,
      writeState: Uint32Array,
      processed: () => void,
      dictionary?: ArrayBufferView,
    ): void {
      this.#windowBits = windowBits;
      this.#level = level;
      this.#memLevel = memLevel;
      this.#strategy = strategy;
      this.#writeState = writeState;
      this.#processed = processed;
      this.#dictionary = dictionary ? viewBytes(dictionary) : undefined;
      this.#start();
    }

    get #isDeflating(): boolean {
      return this.#mode === MODE.deflate || this.#mode === MODE.gzip || this.#mode === MODE.deflateRaw;
    }

    #start(): void {
      this.#stream = new ZStream();
      let bits = this.#windowBits;
      if (this.#mode === MODE.gzip || this.#mode === MODE.gunzip) bits += 16;
      else if (this.#mode === MODE.unzip) bits += 32;
      else if (this.#mode === MODE.deflateRaw || this.#mode === MODE.inflateRaw) bits = -bits;
      let result: number;
      if (this.#isDeflating) {
        result = deflate.deflateInit2(this.#stream, this.#level, DEFLATED, bits, this.#memLevel, this.#strategy);
        if (result === Z.ok && this.#dictionary) result = deflate.deflateSetDictionary(this.#stream, this.#dictionary);
      } else {
        result = inflate.inflateInit2(this.#stream, bits);
        if (result === Z.ok && this.#dictionary && this.#mode === MODE.inflateRaw)
          result = inflate.inflateSetDictionary(this.#stream, this.#dictionary);
      }
      if (result !== Z.ok) this.#fail(this.#dictionary ? 'Failed to set dictionary' : 'Init error', result);
    }

    #fail(message: string, result: number): void {
      this.onerror?.(message, result, CODES[result] ?? 'Z_ERRNO');
    }

    /** One call of the codec; false when it failed. */
    #process(
      flush: number,
      input: ArrayBufferView | null,
      inputOffset: number,
      inputLength: number,
      output: ArrayBufferView,
      outputOffset: number,
      outputLength: number,
    ): boolean {
      const stream = this.#stream;
      stream.input = input ? viewBytes(input) : new Uint8Array(0);
      stream.next_in = inputOffset;
      stream.avail_in = input ? inputLength : 0;
      stream.output = viewBytes(output);
      stream.next_out = outputOffset;
      stream.avail_out = outputLength;
      const result = this.#isDeflating ? deflate.deflate(stream, flush) : this.#inflate(flush);
      this.#writeState[0] = stream.avail_out;
      this.#writeState[1] = stream.avail_in;
      return this.#check(result, flush);
    }

    #inflate(flush: number): number {
      const stream = this.#stream;
      let result = inflate.inflate(stream, flush);
      if (result === Z.needDict && this.#dictionary) {
        result = inflate.inflateSetDictionary(stream, this.#dictionary);
        if (result === Z.ok) result = inflate.inflate(stream, flush);
        else if (result === Z.dataError) result = Z.needDict;
      }
      // A gzip file may have several members; zeros after one are padding, anything else is read as the next.
      while (
        stream.avail_in > 0 &&
        result === Z.streamEnd &&
        (this.#mode === MODE.gunzip || this.#mode === MODE.unzip) &&
        stream.input[stream.next_in] !== 0
      ) {
        inflate.inflateReset(stream);
        result = inflate.inflate(stream, flush);
      }
      return result;
    }

    #check(result: number, flush: number): boolean {
      if (result === Z.streamEnd) return true;
      if (result === Z.ok || result === Z.bufError) {
        if (this.#stream.avail_out !== 0 && flush === Z.finish) {
          this.#fail('unexpected end of file', Z.bufError);
          return false;
        }
        return true;
      }
      if (result === Z.needDict) this.#fail(this.#dictionary ? 'Bad dictionary' : 'Missing dictionary', result);
      else this.#fail(this.#stream.msg || 'Zlib error', result);
      return false;
    }

    writeSync(...args: [number, ArrayBufferView | null, number, number, ArrayBufferView, number, number]): void {
      this.#process(...args);
    }

    write(...args: [number, ArrayBufferView | null, number, number, ArrayBufferView, number, number]): void {
      environment.loop.enqueueIn(this.#frame, () => {
        if (this.#closed) return;
        if (this.#process(...args)) scopes.run(this.#ids, () => this.#processed?.call(this));
      });
    }

    params(level: number, strategy: number): void {
      // pako has no deflateParams: the block under way is ended, and the compressor's settings are replaced where zlib keeps them.
      if (!this.#isDeflating) return;
      const fresh = new ZStream();
      const result = deflate.deflateInit2(fresh, level, DEFLATED, this.#windowBits, this.#memLevel, strategy);
      if (result !== Z.ok) {
        this.#fail('Failed to set parameters', result);
        return;
      }
      for (const key of ['level', 'strategy', 'max_lazy_match', 'good_match', 'nice_match', 'max_chain_length'])
        this.#stream.state[key] = (fresh as any).state[key];
    }

    reset(): void {
      this.#start();
    }

    close(): void {
      if (!this.#closed) scopes.end(this.#ids);
      this.#closed = true;
    }
  }

  return Object.assign(environment.dumped('zlib'), {
    Zlib,
    ...brotliClasses(environment),
    crc32(data: string | ArrayBufferView, value = 0) {
      const bytes = typeof data === 'string' ? encodeString(data, 'utf8') : viewBytes(data);
      return crc32(value, bytes, bytes.length, 0) >>> 0;
    },
  });
};

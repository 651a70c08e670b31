// Brotli streams over brotli-wasm, which is fetched when the first stream is made. The decoder is exact; the encoder knows the quality and no
// other parameter (its output is valid, and not the bytes of C's), and cannot flush before the end.

import type { BrotliWasmType } from 'brotli-wasm';
import { currentFrame } from '../../modules/context-frame';
import { unsupported } from '../../process/dump';
import type { ProcessEnvironment } from '../../process/environment';
import { AsyncScopes } from '../async-scopes';
import { viewBytes } from '../strings';

const OPERATION = { process: 0, flush: 1, finish: 2 } as const;
const QUALITY_PARAMETER = 1;
const DEFAULT_QUALITY = 11;
/** BrotliStreamResultCode. */
const RESULT = { success: 1, needsInput: 2 } as const;
const BUF_ERROR = -5;

type WriteArguments = [number, ArrayBufferView | null, number, number, ArrayBufferView, number, number];

/** The classes for the binding. */
export function brotliClasses(environment: ProcessEnvironment) {
  const scopes = AsyncScopes.of(environment);
  let wasm: BrotliWasmType | undefined;
  const load = (): BrotliWasmType => {
    if (wasm) return wasm;
    const { builtins, browser } = environment;
    const module: { exports: any } = { exports: {} };
    const parts: Record<string, object> = {
      util: { TextDecoder: browser.TextDecoder, TextEncoder: browser.TextEncoder },
      path: { join: () => 'brotli' },
      fs: { readFileSync: () => builtins.part('brotli') },
    };
    builtins.compile('internal/cloche/brotli')(module.exports, (id: string) => parts[id], module);
    wasm = module.exports as BrotliWasmType;
    return wasm;
  };

  abstract class BrotliStream {
    declare onerror: ((message: string, errno: number, code: string) => void) | undefined;
    #parameters: Uint32Array = new Uint32Array(0);
    #writeState: Uint32Array = new Uint32Array(2);
    #processed: (() => void) | undefined;
    #closed = false;
    /** The async context that the stream was made in. */
    readonly #frame = currentFrame();
    readonly #ids = scopes.begin(this, 'ZLIB');

    init(parameters: Uint32Array, writeState: Uint32Array, processed: () => void, dictionary?: ArrayBufferView): void {
      if (dictionary) throw unsupported('zlib: brotli with a dictionary');
      this.#parameters = parameters.slice();
      this.#writeState = writeState;
      this.#processed = processed;
      this.start();
    }

    protected get parameters(): Uint32Array {
      return this.#parameters;
    }

    protected abstract start(): void;
    /** Moves what it can; `consumed` and `produced` in bytes. Throws what the package throws. */
    protected abstract step(
      operation: number,
      input: Uint8Array,
      output: Uint8Array,
    ): [consumed: number, produced: number];
    /** Whether the end of the input in this state is an error. */
    protected abstract isTruncated(): boolean;
    protected abstract free(): void;

    #run(...args: WriteArguments): boolean {
      const [operation, input, inputOffset, inputLength, output, outputOffset, outputLength] = args;
      const source = input ? viewBytes(input).subarray(inputOffset, inputOffset + inputLength) : new Uint8Array(0);
      const target = viewBytes(output).subarray(outputOffset, outputOffset + outputLength);
      let moved: [number, number];
      try {
        moved = this.step(operation, source, target);
      } catch (error) {
        // The package puts the decoder's code into a text.
        const code = Number(/Error code (-\d+)$/.exec(error instanceof Error ? error.message : '')?.[1]);
        if (Number.isNaN(code)) throw error;
        this.onerror?.('Decompression failed', code, `ERR_${decoderError(code)}`);
        return false;
      }
      this.#writeState[0] = target.length - moved[1];
      this.#writeState[1] = source.length - moved[0];
      if (operation === OPERATION.finish && moved[1] < target.length && this.isTruncated()) {
        this.onerror?.('unexpected end of file', BUF_ERROR, 'Z_BUF_ERROR');
        return false;
      }
      return true;
    }

    writeSync(...args: WriteArguments): void {
      this.#run(...args);
    }

    write(...args: WriteArguments): void {
      environment.loop.enqueueIn(this.#frame, () => {
        if (!this.#closed && this.#run(...args)) scopes.run(this.#ids, () => this.#processed?.call(this));
      });
    }

    params(): void {}

    reset(): void {
      this.free();
      this.start();
    }

    close(): void {
      if (!this.#closed) {
        this.free();
        scopes.end(this.#ids);
      }
      this.#closed = true;
    }

    getAsyncId(): number {
      return this.#ids.asyncId;
    }
  }

  const decoderError = (code: number): string => {
    const { zlib } = environment.internalBinding('constants');
    const name = Object.keys(zlib).find((key) => key.startsWith('BROTLI_DECODER_ERROR_') && zlib[key] === code);
    return name ? name.replace('BROTLI_DECODER', '') : 'BROTLI_DECODER_FAILED';
  };

  class BrotliEncoder extends BrotliStream {
    #stream: any;
    #finished = false;

    protected start(): void {
      const quality = this.parameters[QUALITY_PARAMETER];
      this.#stream = new (load().CompressStream)(Math.min(quality, DEFAULT_QUALITY));
      this.#finished = false;
    }

    protected step(operation: number, input: Uint8Array, output: Uint8Array): [number, number] {
      if (operation === OPERATION.flush) throw unsupported('zlib: a brotli flush before the end');
      let [consumed, produced] = [0, 0];
      const call = (chunk: Uint8Array | undefined): number => {
        const result = this.#stream.compress(chunk, output.length - produced);
        const { buf, code, input_offset } = result;
        result.free();
        output.set(buf, produced);
        produced += buf.length;
        consumed += chunk ? input_offset : 0;
        this.#finished = !chunk && code === RESULT.success;
        return buf.length + input_offset;
      };
      while (consumed < input.length && produced < output.length) if (call(input.subarray(consumed)) === 0) break;
      if (operation === OPERATION.finish && consumed === input.length)
        while (!this.#finished && produced < output.length) if (call(undefined) === 0) break;
      return [consumed, produced];
    }

    protected isTruncated(): boolean {
      return false;
    }

    protected free(): void {
      this.#stream.free();
    }
  }

  class BrotliDecoder extends BrotliStream {
    #stream: any;
    #state = 0;

    protected start(): void {
      this.#stream = new (load().DecompressStream)();
      this.#state = 0;
    }

    protected step(_operation: number, input: Uint8Array, output: Uint8Array): [number, number] {
      let [consumed, produced] = [0, 0];
      while (this.#state !== RESULT.success && produced < output.length) {
        const result = this.#stream.decompress(input.subarray(consumed), output.length - produced);
        const { buf, code, input_offset } = result;
        result.free();
        output.set(buf, produced);
        produced += buf.length;
        consumed += input_offset;
        this.#state = code;
        if (code === RESULT.needsInput || buf.length + input_offset === 0) break;
      }
      return [consumed, produced];
    }

    protected isTruncated(): boolean {
      return this.#state === RESULT.needsInput;
    }

    protected free(): void {
      this.#stream.free();
    }
  }
  return { BrotliEncoder, BrotliDecoder };
}

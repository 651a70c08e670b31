// WebAssembly.compileStreaming and instantiateStreaming. The browser's own want its own Response; Node's get undici's, so they are
// rebuilt here on the callback that lib registers: it feeds the bytes of a response to a state object.
import type { Binding } from '../process/environment';
import { viewBytes } from './strings';

type Implementation = (state: WasmStreamingObject, source: unknown) => void;

/** node's WasmStreamingObject: collects bytes and then compiles them. */
class WasmStreamingObject {
  readonly #chunks: Uint8Array[] = [];
  readonly #settle: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #fail: (reason: unknown) => void;

  constructor(settle: (bytes: Uint8Array<ArrayBuffer>) => void, fail: (reason: unknown) => void) {
    this.#settle = settle;
    this.#fail = fail;
  }

  setURL(): void {}

  push(chunk: ArrayBufferView | ArrayBuffer): void {
    this.#chunks.push(viewBytes(chunk).slice());
  }

  finish(): void {
    const bytes = new Uint8Array(this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#settle(bytes);
  }

  abort(reason: unknown): void {
    this.#fail(reason);
  }
}

export const wasmWebApi: Binding = () => {
  const { compile, instantiate } = WebAssembly;
  return {
    setImplementation(implementation: Implementation) {
      const bytesOf = (source: unknown): Promise<Uint8Array<ArrayBuffer>> =>
        Promise.resolve(source).then(
          (response) =>
            new Promise((resolve, reject) => implementation(new WasmStreamingObject(resolve, reject), response)),
        );
      const methods = {
        compileStreaming: (source: unknown) => bytesOf(source).then((bytes) => compile(bytes)),
        instantiateStreaming: (source: unknown, imports?: WebAssembly.Imports) =>
          bytesOf(source).then((bytes) => instantiate(bytes, imports)),
      };
      for (const [name, value] of Object.entries(methods)) {
        Object.defineProperty(WebAssembly, name, { configurable: true, writable: true, enumerable: true, value });
      }
    },
  };
};

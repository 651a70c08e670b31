// The digests that programs hash much with, in hash-wasm's WebAssembly (three to six times as fast as JavaScript for MD5, SHA-1 and SHA-512).
// Compiled synchronously, one instance per algorithm and process: whichever hash is being fed has its state in the instance, the others keep theirs
// in a copy. Who hashes little never fetches it.

/** What a running digest does, whoever computes it. */
export interface RunningDigest {
  update(bytes: Uint8Array): RunningDigest;
  digest(): Uint8Array;
  /** Another one that goes on from here. */
  clone(): RunningDigest;
}

interface Shape {
  /** The engine's part (the manifest's `parts`) that computes it. */
  part: 'md5' | 'sha1' | 'sha256' | 'sha512';
  /** What Hash_Init is told. */
  bits: number;
  outputBytes: number;
}

const SHAPES: Record<string, Shape | undefined> = {
  md5: { part: 'md5', bits: 0, outputBytes: 16 },
  sha1: { part: 'sha1', bits: 0, outputBytes: 20 },
  sha224: { part: 'sha256', bits: 224, outputBytes: 28 },
  sha256: { part: 'sha256', bits: 256, outputBytes: 32 },
  sha384: { part: 'sha512', bits: 384, outputBytes: 48 },
  sha512: { part: 'sha512', bits: 512, outputBytes: 64 },
};

/** What hash-wasm's modules export; lengths in bytes, addresses in their memory. */
interface DigestExports {
  memory: WebAssembly.Memory;
  /** Address of a word that says how long the state is. */
  STATE_SIZE: WebAssembly.Global;
  Hash_GetBuffer(): number;
  Hash_GetState(): number;
  Hash_Init(bits: number): void;
  Hash_Update(length: number): void;
  /** Leaves the digest in the buffer. */
  Hash_Final(padding: null): void;
}

/** Length of the buffer in which the modules take their input. */
const BUFFER_BYTES = 16 * 1024;

/** A first piece of this length pays for fetching the part, as does this much in many small ones. */
const WORTH_AT_ONCE = 32 * 1024;
const WORTH_IN_ALL = 256 * 1024;

// Taken before the guest's code runs, which may replace them.
const { Module, Instance } = WebAssembly;

class DigestModule {
  readonly #exports: DigestExports;
  readonly #memory: Uint8Array;
  readonly #buffer: number;
  readonly #state: number;
  readonly #stateEnd: number;
  #current: FastDigest | undefined;

  constructor(code: Uint8Array<ArrayBuffer>) {
    this.#exports = new Instance(new Module(code)).exports as unknown as DigestExports;
    const { memory, STATE_SIZE } = this.#exports;
    this.#memory = new Uint8Array(memory.buffer);
    this.#buffer = this.#exports.Hash_GetBuffer();
    this.#state = this.#exports.Hash_GetState();
    this.#stateEnd = this.#state + new DataView(memory.buffer).getUint32(STATE_SIZE.value, true);
  }

  /** Puts a digest's state into the instance; what was there is kept by whose it is. */
  #enter(digest: FastDigest): void {
    if (this.#current === digest) return;
    if (this.#current) this.#current.parked = this.stateOf(this.#current);
    this.#current = digest;
    if (digest.parked) this.#memory.set(digest.parked, this.#state);
    else this.#exports.Hash_Init(digest.shape.bits);
  }

  /** A copy of where a digest is; undefined before its beginning. */
  stateOf(digest: FastDigest): Uint8Array | undefined {
    return this.#current === digest ? this.#memory.slice(this.#state, this.#stateEnd) : digest.parked;
  }

  update(digest: FastDigest, bytes: Uint8Array): void {
    this.#enter(digest);
    if (bytes.length <= BUFFER_BYTES) {
      this.#memory.set(bytes, this.#buffer);
      this.#exports.Hash_Update(bytes.length);
      return;
    }
    for (let at = 0; at < bytes.length; at += BUFFER_BYTES) {
      const piece = bytes.subarray(at, at + BUFFER_BYTES);
      this.#memory.set(piece, this.#buffer);
      this.#exports.Hash_Update(piece.length);
    }
  }

  finish(digest: FastDigest): Uint8Array {
    this.#enter(digest);
    this.#exports.Hash_Final(null);
    this.#current = undefined;
    return this.#memory.slice(this.#buffer, this.#buffer + digest.shape.outputBytes);
  }
}

class FastDigest implements RunningDigest {
  readonly shape: Shape;
  /** The state while another digest is in the module. */
  parked: Uint8Array | undefined;
  readonly #module: DigestModule;

  constructor(module: DigestModule, shape: Shape, parked?: Uint8Array) {
    this.#module = module;
    this.shape = shape;
    this.parked = parked;
  }

  update(bytes: Uint8Array): this {
    this.#module.update(this, bytes);
    return this;
  }

  digest(): Uint8Array {
    return this.#module.finish(this);
  }

  clone(): FastDigest {
    return new FastDigest(this.#module, this.shape, this.#module.stateOf(this));
  }
}

/** A digest that is decided about with its first piece: only then is it known whether the fast one pays. */
class UndecidedDigest implements RunningDigest {
  readonly #decide: (bytes: number) => RunningDigest;
  #digest: RunningDigest | undefined;

  constructor(decide: (bytes: number) => RunningDigest, digest?: RunningDigest) {
    this.#decide = decide;
    this.#digest = digest;
  }

  update(bytes: Uint8Array): this {
    this.#digest ??= this.#decide(bytes.length);
    this.#digest.update(bytes);
    return this;
  }

  digest(): Uint8Array {
    this.#digest ??= this.#decide(0);
    return this.#digest.digest();
  }

  clone(): UndecidedDigest {
    return new UndecidedDigest(this.#decide, this.#digest?.clone());
  }
}

/** Starts a digest by its plain name; `slow` makes the one that is computed in JavaScript. */
export type DigestStarter = (name: string, slow: () => RunningDigest) => RunningDigest;

/** The starter of a process; `part` gives the bytes of an engine's part or throws (then all stays with JavaScript, whose digests are the same). */
export function createDigestStarter(part: (name: string) => Uint8Array<ArrayBuffer>): DigestStarter {
  const modules = new Map<string, DigestModule | undefined>();
  let hashed = 0;

  const load = (name: string): DigestModule | undefined => {
    let loaded: DigestModule | undefined;
    try {
      loaded = new DigestModule(part(name));
    } catch {
      // Without network and not kept: the slow ones are there.
    }
    modules.set(name, loaded);
    return loaded;
  };

  return (name, slow) => {
    const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
    if (!shape) return slow();
    const known = modules.get(shape.part);
    if (known) return new FastDigest(known, shape);
    if (modules.has(shape.part)) return slow();
    return new UndecidedDigest((bytes) => {
      hashed += bytes;
      const pays = bytes >= WORTH_AT_ONCE || hashed >= WORTH_IN_ALL;
      const module = modules.get(shape.part) ?? (pays && !modules.has(shape.part) ? load(shape.part) : undefined);
      return module ? new FastDigest(module, shape) : slow();
    });
  };
}

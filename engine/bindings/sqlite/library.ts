// SQLite's own WebAssembly build (sqlite.org's npm package; only its .wasm, which is fetched when the first database is made). Its C interface
// is called directly; what its unix VFS asks of an operating system is answered from the tree (system-calls.ts).
import type { ProcessEnvironment } from '../../process/environment';
import { GuestMemory } from '../wasi/guest-memory';
import { systemCalls } from './system-calls';

const INITIAL_PAGES = 256;
const MAXIMUM_PAGES = 32768;
/** sqlite3_destructor_type: SQLite makes its own copy. */
export const TRANSIENT = -1;

/** WebAssembly's binary words that a shim is written in. */
const WASM = { header: [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], i32: 0x7f, func: 0x60 } as const;

export interface SqliteLibrary {
  /** SQLite's C functions by their names: pointers and ints are numbers, 64-bit integers bigints. */
  readonly c: Record<string, (...args: any[]) => any>;
  readonly memory: GuestMemory;
  /** The UTF-8 text at an address that ends with a zero byte, or has `length` bytes; null at address 0. */
  text(address: number, length?: number): string | null;
  /** A C string that must be freed. */
  string(text: string | Uint8Array): number;
  /** A copy of bytes that must be freed; never address 0. */
  copy(bytes: Uint8Array): number;
  /** Runs `use` with C strings that are freed after it; undefined stands for a null pointer. */
  withStrings<Result>(texts: (string | Uint8Array | undefined)[], use: (...addresses: number[]) => Result): Result;
  /** 16 bytes for results that C writes through pointers. Used up by the next call. */
  readonly scratch: number;
  /** A C function pointer to `run`, whose `parameters` are pointers and ints, as is what it returns, if it does. */
  pointerTo(run: (...args: number[]) => unknown, parameters: number, returns: boolean): number;
}

/** Fetches and starts the library; throws when it can't be fetched. */
export function loadSqlite(environment: ProcessEnvironment): SqliteLibrary {
  const { browser, builtins } = environment;
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAXIMUM_PAGES });
  const guest = new GuestMemory(memory);
  const module = new WebAssembly.Module(builtins.part('sqlite'));
  const { env, wasi } = systemCalls(environment, guest, memory, MAXIMUM_PAGES);
  const { exports } = new WebAssembly.Instance(module, {
    env: { memory, ...env },
    wasi_snapshot_preview1: wasi,
  });
  const c = exports as Record<string, (...args: any[]) => any>;
  c.__wasm_call_ctors();
  c.sqlite3_initialize();
  const table = exports.__indirect_function_table as WebAssembly.Table;
  const decoder = new browser.TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new browser.TextEncoder();

  const place = (bytes: Uint8Array, end: number): number => {
    const address = c.malloc(bytes.length + end);
    if (address === 0) throw new RangeError('SQLite is out of memory');
    guest.bytes(address, bytes.length).set(bytes);
    if (end > 0) guest.setU8(address + bytes.length, 0);
    return address;
  };
  const string = (text: string | Uint8Array): number =>
    place(typeof text === 'string' ? encoder.encode(text) : text, 1);
  return {
    c,
    memory: guest,
    scratch: c.malloc(16),
    text(address, length) {
      if (address === 0) return null;
      const all = new Uint8Array(memory.buffer);
      return decoder.decode(all.subarray(address, length === undefined ? all.indexOf(0, address) : address + length));
    },
    string,
    copy: (bytes) => place(bytes, 1),
    withStrings(texts, use) {
      const addresses: number[] = [];
      try {
        for (const text of texts) addresses.push(text === undefined ? 0 : string(text));
        return use(...addresses);
      } finally {
        for (const address of addresses) if (address !== 0) c.free(address);
      }
    },
    pointerTo(run, parameters, returns) {
      const index = table.grow(1);
      table.set(index, shim(run, parameters, returns));
      return index;
    },
  };
}

/** A WebAssembly function that calls `run`: a table takes nothing else. */
function shim(run: (...args: number[]) => unknown, parameters: number, returns: boolean): Function {
  const type = [WASM.func, parameters, ...new Array(parameters).fill(WASM.i32), ...(returns ? [1, WASM.i32] : [0])];
  const section = (id: number, content: number[]): number[] => [id, content.length, ...content];
  const bytes = [
    ...WASM.header,
    ...section(1, [1, ...type]),
    // import "e" "f" (func (type 0))
    ...section(2, [1, 1, 0x65, 1, 0x66, 0, 0]),
    // export "f" (func 0)
    ...section(7, [1, 1, 0x66, 0, 0]),
  ];
  const module = new WebAssembly.Module(new Uint8Array(bytes));
  return new WebAssembly.Instance(module, { e: { f: run } }).exports.f as Function;
}

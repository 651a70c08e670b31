// wasi: WASI preview1 for lib's node:wasi. Every call returns a WASI error number; the program's memory comes with `_setMemory`.
import type { Binding } from '../../process/environment';
import { Errno } from '../fs/request';
import { nodeError } from '../node-error';
import { GuestMemory } from './guest-memory';
import { WASI_ERROR, wasiErrno } from './wasi-errno';
import { WasiError, wasiFiles } from './wasi-files';

const CLOCK = { realtime: 0, monotonic: 1, processTime: 2, threadTime: 3 } as const;
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;
const EVENT = { clock: 0, read: 1, write: 2 } as const;
const ABSOLUTE_TIME = 1;
/** Signals of WASI in its order, from 0: none, then as Linux numbers them. */
const SIGNALS = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 29, 30, 31,
];

interface Subscription {
  userdata: bigint;
  kind: number;
  fd: number;
  /** Milliseconds on performance.now's clock at which a clock subscription fires. */
  deadline: number;
}

export const wasi: Binding = (environment) => {
  const { browser, state } = environment;
  const nanoseconds = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1e6));
  const now = (clock: number): bigint => {
    if (clock === CLOCK.realtime) return nanoseconds(browser.timeOrigin + browser.performanceNow());
    if (clock > CLOCK.threadTime) throw new WasiError(WASI_ERROR.inval);
    return nanoseconds(browser.performanceNow());
  };
  const pauseWord = new Int32Array(new SharedArrayBuffer(4));

  function WASI(this: Record<string, any>, args: string[], env: string[], preopens: string[], stdio: number[]): void {
    let memory: GuestMemory | undefined;
    const ram = (): GuestMemory => memory as GuestMemory;
    let files: ReturnType<typeof wasiFiles>;
    try {
      files = wasiFiles(environment, ram, preopens, stdio);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      const code = `UVWASI_${environment.errorName(error.errno)[0]}`;
      throw Object.assign(new Error(`${code}, uvwasi_init`), {
        errno: wasiErrno(error.errno),
        code,
        syscall: 'uvwasi_init',
      });
    }

    /** Strings as C has them: a table of addresses, and the bytes. */
    const putStrings = (list: string[], table: number, address: number): void => {
      let at = address;
      for (const [index, text] of list.entries()) {
        const encoded = new TextEncoder().encode(`${text}\0`);
        ram().setU32(table + index * 4, at);
        ram().bytes(at, encoded.length).set(encoded);
        at += encoded.length;
      }
    };
    const putSizes = (list: string[], count: number, bytes: number): void => {
      ram().setU32(count, list.length);
      ram().setU32(
        bytes,
        list.reduce((sum, text) => sum + new TextEncoder().encode(text).length + 1, 0),
      );
    };

    const subscriptionAt = (address: number): Subscription => {
      const kind = ram().u8(address + 8);
      const start = browser.performanceNow();
      let deadline = Number.POSITIVE_INFINITY;
      if (kind === EVENT.clock) {
        const timeout = ram().u64(address + 24);
        const isAbsolute = (ram().u16(address + 40) & ABSOLUTE_TIME) !== 0;
        deadline = start + Number(isAbsolute ? timeout - now(ram().u32(address + 16)) : timeout) / 1e6;
      }
      return { userdata: ram().u64(address), kind, fd: ram().u32(address + 16), deadline };
    };
    /** Bytes that can be moved now, 0 for "not yet"; a file is always ready. */
    const readiness = ({ fd, kind }: Subscription): number => {
      const { descriptors, descriptions } = environment;
      const description = descriptors.get(files.descriptorOf(fd));
      const pipe = kind === EVENT.read ? descriptions.incoming(description) : descriptions.outgoing(description);
      if (!pipe) return 1;
      if (kind === EVENT.read) return pipe.isReadable() ? Math.max(1, pipe.available()) : 0;
      return pipe.isWritable() ? 1 : 0;
    };
    const poll = (input: number, output: number, count: number, out: number): void => {
      if (count === 0) throw new WasiError(WASI_ERROR.inval);
      const wanted = Array.from({ length: count }, (_, index) => subscriptionAt(input + index * SUBSCRIPTION_BYTES));
      let events = 0;
      const report = ({ userdata, kind }: Subscription, error: number, bytes: number): void => {
        const at = output + events++ * EVENT_BYTES;
        ram().bytes(at, EVENT_BYTES).fill(0);
        ram().setU64(at, userdata);
        ram().setU16(at + 8, error);
        ram().setU8(at + 10, kind);
        ram().setU64(at + 16, bytes);
      };
      const first = Math.min(...wanted.map(({ deadline }) => deadline));
      const streams = wanted.filter(({ kind }) => kind !== EVENT.clock);
      for (;;) {
        const seen = environment.activity();
        for (const stream of streams) {
          try {
            const bytes = readiness(stream);
            if (bytes > 0) report(stream, 0, bytes);
          } catch (error) {
            report(stream, error instanceof WasiError ? error.code : WASI_ERROR.badf, 0);
          }
        }
        const time = browser.performanceNow();
        for (const clock of wanted) if (clock.kind === EVENT.clock && clock.deadline <= time) report(clock, 0, 0);
        if (events > 0) break;
        if (streams.length > 0) environment.waitForActivity(seen, Math.max(0, first - time));
        else Atomics.wait(pauseWord, 0, 0, Math.max(0, first - time));
      }
      ram().setU32(out, events);
    };

    const calls: Record<string, (...args: any[]) => void> = {
      ...files.calls,
      args_get: (table, bytes) => putStrings(args, table, bytes),
      args_sizes_get: (count, bytes) => putSizes(args, count, bytes),
      environ_get: (table, bytes) => putStrings(env, table, bytes),
      environ_sizes_get: (count, bytes) => putSizes(env, count, bytes),
      clock_res_get(clock, out) {
        now(clock);
        ram().setU64(out, 1000n);
      },
      clock_time_get: (clock, _precision, out) => ram().setU64(out, now(clock)),
      poll_oneoff: poll,
      proc_exit: (code) => environment.process.reallyExit(code),
      proc_raise(signal) {
        if (SIGNALS[signal] === undefined) throw new WasiError(WASI_ERROR.inval);
        environment.internalBinding('process_methods')._kill(state.pid, SIGNALS[signal]);
      },
      random_get(address, length) {
        const target = ram().bytes(address, length);
        for (let done = 0; done < target.length; done += 65536) {
          // Copied: getRandomValues refuses shared memory.
          const chunk = new Uint8Array(Math.min(65536, target.length - done));
          target.set(browser.crypto.getRandomValues(chunk), done);
        }
      },
      sched_yield() {},
    };

    for (const name of SOCKET_CALLS) {
      calls[name] = () => {
        throw new WasiError(WASI_ERROR.notsup);
      };
    }
    for (const [name, call] of Object.entries(calls)) {
      this[name] = (...values: unknown[]): number => {
        if (!memory) throw nodeError(Error, 'ERR_WASI_NOT_STARTED', 'wasi.start() has not been called');
        try {
          call(...values);
          return WASI_ERROR.success;
        } catch (error) {
          if (error instanceof Errno) return wasiErrno(error.errno);
          if (error instanceof WasiError) return error.code;
          if (error instanceof RangeError) return WASI_ERROR.overflow;
          throw error;
        }
      };
    }
    this._setMemory = (given: WebAssembly.Memory): void => {
      if (!(given instanceof WebAssembly.Memory)) {
        throw nodeError(
          TypeError,
          'ERR_INVALID_ARG_TYPE',
          '"instance.exports.memory" property must be a WebAssembly.Memory object',
        );
      }
      memory = new GuestMemory(given);
    };
  }
  return { WASI };
};

const SOCKET_CALLS = ['sock_accept', 'sock_recv', 'sock_send', 'sock_shutdown'];

// Every message between the kernel and the processes. Tagged unions; nothing else crosses. The page's side is page-protocol.ts.
import type { SharedText } from '../memory/shared-text';
import type { FilePolicy } from '../tree/types';

/** What to run: a file that the kernel resolves to a builtin program (see programs.ts). */
export interface SpawnRequest {
  pid: number;
  slot: number;
  /** Absolute path of the executable, resolved against PATH by the caller. */
  file: string;
  /** argv[0] included. */
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  umask: number;
}

/** What a worker thread starts with. The kernel only passes it on, with the port. */
export interface ThreadBoot {
  /** As worker_threads counts them: unique in the process, 1 for the first. */
  threadId: number;
  name: string;
  /** Of the process. */
  pid: number;
  ppid: number;
  argv0: string;
  execArgv: string[];
  options: Record<string, unknown>;
  env: Record<string, string>;
  umask: number;
  /** Four numbers, as lib orders them; a browser does not enforce them. */
  resourceLimits: number[];
  isInternal: boolean;
  share: ThreadShare;
  /** The thread's end of its private port (engine/bindings/port-queue.ts). */
  port: { port: MessagePort; incoming: SharedArrayBuffer; outgoing: SharedArrayBuffer; received: number; waiting: [] };
}

/** What all threads of a process see together (engine/process/thread-share.ts). */
export interface ThreadShare {
  words: SharedArrayBuffer;
}

/** Messages that engine/kernel/net.ts answers; the kernel only passes them on. */
export type NetMessage =
  /** The sender has bound and listens now, or no longer (engine/ipc/ports.ts): the page hears of it. */
  | { type: 'listen'; id: number }
  | { type: 'unlisten'; id: number }
  /** Connect to a local server: a pair of rings is made and one end given to each side, then `connected` is answered. */
  /** `from`: the address that the client has bound. */
  | { type: 'connect'; id: number; port: number; host: string; from?: { host: string; port: number } }
  | { type: 'connect'; id: number; path: string }
  /** For the UDP socket at `index` of the table of ports, whose process knows it as `id`; where it comes from. */
  | { type: 'datagram'; index: number; id: number; bytes: Uint8Array; address: string; port: number }
  /** HTTP to the outside world is spoken over a ring to the gateway. */
  | { type: 'gateway'; id: number; host: string; port: number };

/** Process → kernel. */
export type ProcessMessage =
  /** Pre-booted: answers `prepare`. */
  | { type: 'ready' }
  /** The slot has been allocated and its descriptor table filled by the sender. */
  | ({ type: 'spawn' } & SpawnRequest)
  /** Replaces the sender by another program with the same pid, descriptors and group; the sender's worker ends. */
  | ({ type: 'exec' } & SpawnRequest)
  /** `isFree`: the worker ran only programs of ours, nothing of this one goes on in it, and it waits for another `start`. */
  | { type: 'exit'; code: number; isFree?: boolean }
  /** The sender has ended with this code, but its worker goes on as `pid` in `slot`, which it has allocated and given its descriptors. */
  | { type: 'leave'; code: number; pid: number; slot: number }
  /** The worker's JavaScript failed outside Node's own handling. */
  | { type: 'crash'; message: string }
  /** `pid` as in kill(2): 0 is the sender's group, −1 everybody, −n the group n. */
  /** With `told`: `killed` is answered when it has been acted on. */
  | { type: 'kill'; pid: number; signal: number; told?: number }
  /** The sender stands in the background of its terminal and wanted to read (SIGTTIN) or to set modes (SIGTTOU): its group gets the signal if it still stands there. */
  | { type: 'refused'; signal: number }
  /** A job without a worker: the sender has allocated `pid` for it, gets its signals (with `pid`) and ends it through the process table. */
  | { type: 'job'; pid: number }
  | { type: 'jobEnd'; pid: number }
  /** The sender runs a script that asks whether SIGINT is pending; one that is not taken soon ends it all the same. */
  | { type: 'interruptible'; on: boolean }
  | NetMessage
  /** Watch the tree below a path; the kernel answers with `treeChange` until `unwatch`. */
  | { type: 'watch'; id: number; path: string; recursive: boolean; since: number }
  | { type: 'unwatch'; id: number }
  /** Start a thread of the sender's process, or end one that the sender has started. */
  | { type: 'thread'; boot: ThreadBoot }
  | { type: 'stopThread'; threadId: number }
  /** For the members of a broadcast channel in the other threads of the sender's process; `message` as port-queue.ts puts it. */
  | { type: 'broadcast'; name: string; message: unknown }
  /** A line for the developer's console. */
  | { type: 'debug'; text: string };

/** Kernel → process. */
export type KernelMessage =
  /** First message to a fresh worker: share memory and assets, and pre-boot. */
  | { type: 'prepare'; memory: WebAssembly.Memory; assets: ProcessAssets }
  /** Run this. The descriptor table of `slot` is already filled; call `become(slot, pid)` first. */
  | { type: 'start'; program: string; request: SpawnRequest; ppid: number; policy?: FilePolicy | undefined }
  /** Or be a thread; `tid` is its own id in `slot`. */
  | { type: 'startThread'; boot: ThreadBoot; slot: number; tid: number; policy?: FilePolicy | undefined }
  | { type: 'broadcast'; name: string; message: unknown }
  /** A thread of the receiver's has ended; `problem`: why it could not start. */
  | { type: 'threadExit'; threadId: number; code: number; problem?: string }
  /**
   * A doorbell: signals that the process handles are also raised in its slot. Take them with `takePending` until it returns 0; a blocking
   * wait may have taken it already. With `pid`: a signal for a job of the receiver, not raised anywhere.
   */
  | { type: 'signal'; signal: number; pid?: number }
  /** A child has become a zombie. The receiver frees its slot with `reap`, unless a blocking wait has done so already. */
  | { type: 'childExit'; pid: number; code: number; signal: number }
  | { type: 'killed'; id: number }
  /** A child has been stopped by a signal or goes on. */
  | { type: 'childStopped'; pid: number; signal: number }
  | { type: 'childContinued'; pid: number }
  /** errno 0, or why it failed; `fd` is the new descriptor in the receiver's table. */
  | { type: 'connection'; id: number; fd: number; host?: string; remoteHost?: string; remotePort?: number }
  | { type: 'datagram'; id: number; bytes: Uint8Array; address: string; port: number }
  | { type: 'connected'; id: number; errno: number; fd: number; localPort?: number }
  /** `name` is relative to the watched path; empty when the log has overflowed and everything may have changed. */
  | { type: 'treeChange'; id: number; kind: 'rename' | 'change'; name: string };

/**
 * Lib's sources lie in texts of their own by when they are needed: what every worker loads before it is ready, which is there; the rest of lib; `fetch`; what
 * strips types; what hardly anybody asks for.
 */
export const LIB_TEXTS = ['start', 'core', 'undici', 'amaro', 'rest'] as const;
export type LibTextName = (typeof LIB_TEXTS)[number];

/** Concatenated function sources. */
export interface LibText {
  text: SharedText;
  /** Where each id lies: `[start, end]` in bytes, then pairs of offset and length, in code units, of what the build has inserted into it (keep-frames.ts). */
  index: Record<string, number[]>;
}

/** What a process worker needs to boot. Bytes are UTF-8 in shared memory; text is evaluated once per worker. */
export interface ProcessAssets {
  lib: Readonly<Record<LibTextName, LibText>>;
  /** URLs of parts that a binding fetches when it needs them, by name. */
  partUrls: Record<string, string>;
  /** Source of the shell's bundle, which is the applets too: nearly every computer's first program. */
  shell: Uint8Array;
  /** JSON of constants, option tables and shapes dumped from real Node. */
  dump: Uint8Array;
  /** Builtins that are loaded while the worker waits in the pool. */
  preload: string[];
}

// What the threads of one process see together: the counter of thread ids and the working directory, in shared memory. Only the main
// thread may change directory; the version is odd while it writes.
import type { ThreadShare } from '../kernel/protocol';
import type { ProcessState } from './environment';

const WORD = { lastThreadId: 0, version: 1, cwdBytes: 2 } as const;
const HEADER_BYTES = 16;
/** PATH_MAX. */
const CWD_BYTES = 4096;

/** Makes the share of a process that is about to start its first thread, and keeps its working directory there from now on. */
export function createThreadShare(state: ProcessState): ThreadShare {
  const share: ThreadShare = { words: new SharedArrayBuffer(HEADER_BYTES + CWD_BYTES) };
  const words = new Int32Array(share.words, 0, HEADER_BYTES / 4);
  const bytes = new Uint8Array(share.words, HEADER_BYTES);
  let cwd = state.cwd;
  const write = (): void => {
    const encoded = new TextEncoder().encode(cwd).subarray(0, CWD_BYTES);
    Atomics.add(words, WORD.version, 1);
    bytes.set(encoded);
    Atomics.store(words, WORD.cwdBytes, encoded.length);
    Atomics.add(words, WORD.version, 1);
  };
  Object.defineProperty(state, 'cwd', {
    enumerable: true,
    configurable: true,
    get: () => cwd,
    set(next: string) {
      cwd = next;
      write();
    },
  });
  write();
  return share;
}

/** Makes a thread's state follow the working directory of its process. */
export function followThreadShare(state: ProcessState, share: ThreadShare): void {
  const words = new Int32Array(share.words, 0, HEADER_BYTES / 4);
  const bytes = new Uint8Array(share.words, HEADER_BYTES);
  let seen = -1;
  let cwd = '/';
  Object.defineProperty(state, 'cwd', {
    enumerable: true,
    configurable: true,
    get() {
      for (;;) {
        const version = Atomics.load(words, WORD.version);
        if (version === seen) return cwd;
        if (version % 2 !== 0) continue;
        // Copied: TextDecoder refuses shared memory.
        const copy = bytes.slice(0, Atomics.load(words, WORD.cwdBytes));
        if (Atomics.load(words, WORD.version) !== version) continue;
        cwd = new TextDecoder().decode(copy);
        seen = version;
      }
    },
  });
}

/** The next free thread id of the process; the first is 1. */
export function nextThreadId(share: ThreadShare): number {
  return Atomics.add(new Int32Array(share.words, 0, 1), WORD.lastThreadId, 1) + 1;
}

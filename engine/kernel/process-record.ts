// What the kernel remembers of a process while it lives. The shared memory holds the rest: its slot, state, parent and descriptors.
import type { FilePolicy } from '../tree/types';
import type { RunEnd } from './page-protocol';
import type { ProcessWorker } from './worker-pool';

/** A process that the page starts. */
export interface FirstProcess {
  onEnd?(end: RunEnd): void;
  policy?: FilePolicy;
}

/** One process; process-control.ts alone changes it. */
export interface ProcessRecord {
  pid: number;
  slot: number;
  worker: ProcessWorker | undefined;
  /** Counts starts, so that an exec outdates a start that still waits for its worker. */
  incarnation: number;
  ended: boolean;
  /** A script that SIGINT interrupts runs in it. */
  interruptible: boolean;
  onEnd: ((end: RunEnd) => void) | undefined;
  /** The thread of the parent that started it and hears of its end. */
  starter: number | undefined;
  /** The parent's, whatever the parent asks for. */
  policy: FilePolicy | undefined;
}

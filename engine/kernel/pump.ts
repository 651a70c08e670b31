// Moves bytes from a ring to the page, never more than the page has credit for.
import type { Pipe } from '../ipc/types';
import { WINDOW_BYTES } from './page-protocol';

export interface Pump {
  /** The page has consumed so many bytes. */
  credit(bytes: number): void;
  /** Bytes outside the ring (a terminal's echo), in order with the rest. */
  inject(bytes: Uint8Array): void;
  /** The process has ended: what comes within `graceMs` from those who share its ring still goes to the page, the rest is thrown away. */
  finish(graceMs?: number): void;
}

const CHUNK_BYTES = 64 * 1024;

/** Starts pumping; `send` gets fresh arrays that may be transferred, `done` is called once when the page's stream is over. */
export function createPump(
  pipe: Pipe,
  process: (bytes: Uint8Array) => Uint8Array,
  send: (bytes: Uint8Array) => void,
  done: () => void,
  released: () => void,
): Pump {
  const buffer = new Uint8Array(CHUNK_BYTES);
  let outstanding = 0;
  let wake: (() => void) | undefined;
  let remaining = Infinity;
  let isOver = false;

  const over = (): void => {
    if (isOver) return;
    isOver = true;
    done();
  };

  const run = async (): Promise<void> => {
    for (;;) {
      if (outstanding >= WINDOW_BYTES && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (remaining <= 0) over();
      await pipe.whenReadable();
      const count = pipe.read(buffer);
      if (count === 0 || (count < 0 && !pipe.hasWriter())) break;
      if (count < 0 || isOver) continue;
      const bytes = process(buffer.slice(0, Math.min(count, remaining)));
      remaining -= count;
      outstanding += bytes.length;
      send(bytes);
    }
    over();
    released();
  };
  void run();

  return {
    credit(bytes) {
      outstanding -= bytes;
      if (outstanding < WINDOW_BYTES) wake?.();
    },
    inject(bytes) {
      if (isOver) return;
      outstanding += bytes.length;
      send(bytes);
    },
    finish(graceMs = 0) {
      if (graceMs > 0 && pipe.hasWriter()) {
        setTimeout(() => this.finish(), graceMs);
        return;
      }
      remaining = pipe.available();
      if (remaining === 0) over();
      wake?.();
    },
  };
}

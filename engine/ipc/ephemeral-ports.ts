// Ephemeral ports, handed out from one shared counter: a process knows its port before the kernel has heard of the listener.
import { HEADER_WORD } from '../memory/layout';

const FIRST = 32768;
const COUNT = 28232;
/** The last of ipc's words in the header. */
const WORD = HEADER_WORD.ipc + 127;

/** The next port of Linux's ephemeral range. */
export function reserveEphemeralPort(memory: WebAssembly.Memory): number {
  return FIRST + (Atomics.add(new Int32Array(memory.buffer), WORD, 1) % COUNT);
}

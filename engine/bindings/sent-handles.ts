// Connections that are sent over the channel of fork() and cluster, in its JSON mode: the descriptor is given to the other process at once, and what it is
// comes in front of its message, between two bytes that no UTF-8 text has.
import type { ProcessEnvironment } from '../process/environment';

/** What the other side needs beside the bytes that follow. */
export interface SentHandle {
  fd: number;
  /** The binding's class, and what it says about itself. */
  kind: 'tcp' | 'pipe';
  ends: unknown;
}

/** A handle that can be sent, once it has a descriptor. */
export interface Sendable {
  fd: number;
  sent(): Pick<SentHandle, 'kind' | 'ends'> | undefined;
}

const MARK = 0xff;
/** Below this begins a message of the other mode: its length. No text of JSON begins so. */
const FIRST_OF_JSON = 0x20;

/** Gives the handle's descriptor to the process in `slot`: the bytes to put in front of the message, or a negative errno. */
export function giveHandle(
  { descriptors, browser }: ProcessEnvironment,
  handle: Sendable,
  slot: number,
): Uint8Array | number {
  const about = handle.sent();
  if (!about) throw new Error('not a connection');
  const fd = descriptors.giveLowest(slot, handle.fd);
  if (fd < 0) return fd;
  const text = new browser.TextEncoder().encode(JSON.stringify({ ...about, fd } satisfies SentHandle));
  const marked = new Uint8Array(text.length + 2).fill(MARK);
  marked.set(text, 1);
  return marked;
}

/** Takes what arrives on a channel apart: `pass` gets the bytes of messages, and the handle that came in front of them. */
export function handleReader(
  environment: ProcessEnvironment,
  pass: (bytes: Uint8Array, handle: SentHandle | undefined) => void,
): (bytes: Uint8Array) => void {
  let cut = new Uint8Array(0);
  let isJson: boolean | undefined;
  return (bytes) => {
    isJson ??= bytes[0] >= FIRST_OF_JSON;
    if (!isJson) return pass(bytes, undefined);
    let rest: Uint8Array = bytes;
    if (cut.length > 0) {
      rest = new Uint8Array(cut.length + bytes.length);
      rest.set(cut);
      rest.set(bytes, cut.length);
      cut = new Uint8Array(0);
    }
    let handle: SentHandle | undefined;
    while (rest.length > 0) {
      const start = rest.indexOf(MARK);
      if (start !== 0) {
        pass(rest.slice(0, start < 0 ? rest.length : start), handle);
        handle = undefined;
        if (start < 0) return;
        rest = rest.subarray(start);
      }
      // The message behind a handle must be there in part: the handle is told with its bytes.
      const end = rest.indexOf(MARK, 1);
      if (end < 0 || end === rest.length - 1) {
        cut = rest.slice();
        return;
      }
      handle = JSON.parse(new environment.browser.TextDecoder().decode(rest.slice(1, end)));
      rest = rest.subarray(end + 1);
    }
  };
}

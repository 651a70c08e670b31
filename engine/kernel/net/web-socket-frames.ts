// RFC 6455 framing for a client: frames out are masked, frames in come from a stream in any cut. No extensions are offered, so none are accepted.

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A whole message or a control frame. */
export interface SocketFrame {
  opcode: number;
  payload: Uint8Array<ArrayBuffer>;
}

/** The largest message that is taken, in bytes. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;
const MAX_CONTROL_BYTES = 125;

/** A violation of the protocol; `code` is the close code for it. */
export class SocketFault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One final frame, masked with four random bytes. */
export function encodeFrame(
  opcode: number,
  payload: Uint8Array,
  mask = crypto.getRandomValues(new Uint8Array(4)),
): Uint8Array {
  const { length } = payload;
  const extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
  const frame = new Uint8Array(2 + extra + 4 + length);
  const view = new DataView(frame.buffer);
  frame[0] = 0x80 | opcode;
  frame[1] = 0x80 | (extra === 0 ? length : extra === 2 ? 126 : 127);
  if (extra === 2) view.setUint16(2, length);
  if (extra === 8) view.setBigUint64(2, BigInt(length));
  frame.set(mask, 2 + extra);
  for (let at = 0; at < length; at++) frame[6 + extra + at] = payload[at] ^ mask[at & 3];
  return frame;
}

/** A close frame's payload. */
export function closePayload(code: number, reason: string): Uint8Array {
  const text = new TextEncoder().encode(reason).subarray(0, MAX_CONTROL_BYTES - 2);
  return Uint8Array.from([code >> 8, code & 255, ...text]);
}

/** Code and reason of a close frame; 1005 when it has none. */
export function readClose(payload: Uint8Array): { code: number; reason: string } {
  if (payload.length === 0) return { code: 1005, reason: '' };
  if (payload.length === 1) throw new SocketFault(1002, 'a close frame of one byte');
  return { code: (payload[0] << 8) | payload[1], reason: decodeText(payload.subarray(2)) };
}

/** The text of a message; throws a SocketFault for bytes that are no UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SocketFault(1007, 'text that is no UTF-8');
  }
}

/** Puts frames and messages together. */
export class FrameReader {
  private held = new Uint8Array(0);
  private message: { opcode: number; parts: Uint8Array[]; bytes: number } | undefined;

  /** The messages and control frames that `bytes` completes; throws a SocketFault. */
  push(bytes: Uint8Array): SocketFrame[] {
    const joined = new Uint8Array(this.held.length + bytes.length);
    joined.set(this.held);
    joined.set(bytes, this.held.length);
    const found: SocketFrame[] = [];
    let at = 0;
    for (;;) {
      const frame = readFrame(joined, at);
      if (!frame) break;
      at = frame.end;
      const complete = this.take(frame);
      if (complete) found.push(complete);
    }
    this.held = joined.slice(at);
    return found;
  }

  private take({ opcode, isFinal, payload }: RawFrame): SocketFrame | undefined {
    if (opcode >= OPCODE.close) {
      if (!isFinal || payload.length > MAX_CONTROL_BYTES || opcode > OPCODE.pong)
        throw new SocketFault(1002, 'a bad control frame');
      return { opcode, payload };
    }
    if (opcode > OPCODE.binary) throw new SocketFault(1002, `opcode ${opcode}`);
    const isFirst = opcode !== OPCODE.continuation;
    if (isFirst === (this.message !== undefined)) throw new SocketFault(1002, 'a frame out of order');
    this.message ??= { opcode, parts: [], bytes: 0 };
    this.message.parts.push(payload);
    this.message.bytes += payload.length;
    if (this.message.bytes > MAX_MESSAGE_BYTES) throw new SocketFault(1009, 'a message that is too large');
    if (!isFinal) return undefined;
    const { message } = this;
    this.message = undefined;
    const whole = new Uint8Array(message.bytes);
    let offset = 0;
    for (const part of message.parts) {
      whole.set(part, offset);
      offset += part.length;
    }
    return { opcode: message.opcode, payload: whole };
  }
}

interface RawFrame {
  opcode: number;
  isFinal: boolean;
  payload: Uint8Array<ArrayBuffer>;
  end: number;
}

/** The frame at `at`, or undefined while it is incomplete. */
function readFrame(bytes: Uint8Array, at: number): RawFrame | undefined {
  if (bytes.length < at + 2) return undefined;
  if ((bytes[at] & 0x70) !== 0) throw new SocketFault(1002, 'a reserved bit is set');
  if ((bytes[at + 1] & 0x80) !== 0) throw new SocketFault(1002, 'a masked frame from a server');
  const short = bytes[at + 1] & 0x7f;
  const extra = short < 126 ? 0 : short === 126 ? 2 : 8;
  const start = at + 2 + extra;
  if (bytes.length < start) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = extra === 0 ? short : extra === 2 ? view.getUint16(at + 2) : Number(view.getBigUint64(at + 2));
  if (length > MAX_MESSAGE_BYTES) throw new SocketFault(1009, 'a frame that is too large');
  const end = start + length;
  if (bytes.length < end) return undefined;
  return { opcode: bytes[at] & 15, isFinal: (bytes[at] & 0x80) !== 0, payload: bytes.slice(start, end), end };
}

// Framing against RFC 6455's own examples, in every cut, and the violations that must be refused.
import { describe, expect, it } from 'vitest';
import {
  closePayload,
  decodeText,
  encodeFrame,
  FrameReader,
  OPCODE,
  readClose,
  type SocketFault,
} from './web-socket-frames';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const text = (payload: Uint8Array) => Buffer.from(payload).toString();
/** A frame as a server sends it. */
const server = (first: number, payload: Uint8Array) => {
  const { length } = payload;
  const size =
    length < 126
      ? [length]
      : length < 65536
        ? [126, length >> 8, length & 255]
        : [127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255];
  return Uint8Array.from([first, ...size, ...payload]);
};

describe('frames', () => {
  it("encodes the RFC's masked Hello", () => {
    expect(encodeFrame(OPCODE.text, Buffer.from('Hello'), bytes('37 fa 21 3d'))).toEqual(
      bytes('81 85 37 fa 21 3d 7f 9f 4d 51 58'),
    );
  });

  it.each([0, 1, 125, 126, 127, 65535, 65536, 70000])('encodes a length of %i', (length) => {
    const frame = encodeFrame(OPCODE.binary, new Uint8Array(length).fill(7), bytes('00 00 00 00'));
    const unmasked = server(0x82, new Uint8Array(length).fill(7));
    expect(frame.length).toBe(unmasked.length + 4);
    // Without the mask bit and the mask it is what a server would send, so the reader takes it.
    const extra = unmasked.length - length;
    const plain = Uint8Array.from([...frame.subarray(0, extra), ...frame.subarray(extra + 4)]);
    plain[1] &= 0x7f;
    expect(new FrameReader().push(plain)).toEqual([{ opcode: OPCODE.binary, payload: new Uint8Array(length).fill(7) }]);
  });

  it('reads fragments with a ping between them, cut anywhere', () => {
    const wire = Uint8Array.from([
      ...bytes('01 03 48 65 6c'),
      ...bytes('89 02 68 69'),
      ...bytes('80 02 6c 6f'),
      ...server(0x82, new Uint8Array(300)),
      ...server(0x88, closePayload(1000, 'bye')),
    ]);
    for (let size = 1; size <= wire.length; size++) {
      const reader = new FrameReader();
      const found = [];
      for (let at = 0; at < wire.length; at += size) found.push(...reader.push(wire.subarray(at, at + size)));
      expect(found.map(({ opcode, payload }) => [opcode, payload.length])).toEqual([
        [9, 2],
        [1, 5],
        [2, 300],
        [8, 5],
      ]);
      expect(text(found[1].payload)).toBe('Hello');
      expect(readClose(found[3].payload)).toEqual({ code: 1000, reason: 'bye' });
    }
  });

  it.each([
    ['masked', '81 85 37 fa 21 3d 7f 9f 4d 51 58', 1002],
    ['reserved bit', 'c1 00', 1002],
    ['unknown opcode', '83 00', 1002],
    ['fragmented ping', '09 00', 1002],
    ['long ping', '89 7e 00 7e', 1002],
    ['continuation of nothing', '80 00', 1002],
    ['a message within a message', '01 00 81 00', 1002],
    ['too large', '82 7f 00 00 00 ff 00 00 00 00', 1009],
  ])('refuses %s', (_name, hex, code) => {
    const wire = bytes(hex);
    const padded = hex.startsWith('89 7e') ? Uint8Array.from([...wire, ...new Uint8Array(126)]) : wire;
    let fault: SocketFault | undefined;
    try {
      new FrameReader().push(padded);
    } catch (error) {
      fault = error as SocketFault;
    }
    expect(fault?.code).toBe(code);
  });

  it('refuses text and close frames that are malformed', () => {
    expect(() => decodeText(bytes('ff'))).toThrow('UTF-8');
    expect(() => readClose(bytes('03'))).toThrow('one byte');
    expect(readClose(new Uint8Array(0))).toEqual({ code: 1005, reason: '' });
  });
});

// What arrives on a channel, cut anywhere.
import { expect, test } from 'vitest';
import { giveHandle, handleReader, type SentHandle } from './sent-handles';

const given: [number, number][] = [];
const environment = {
  browser: { TextEncoder, TextDecoder },
  descriptors: {
    giveLowest(slot: number, fd: number) {
      given.push([slot, fd]);
      return 40 + fd;
    },
  },
} as any;
const handle = (fd: number) => ({ fd, sent: () => ({ kind: 'tcp' as const, ends: { port: fd } }) });
const encode = (text: string) => new TextEncoder().encode(text);

test('each handle comes with the message behind it, wherever the bytes are cut', () => {
  const parts = [
    encode('"hello"\n'),
    giveHandle(environment, handle(3), 9) as Uint8Array,
    encode('{"a":"ÿ"}\n'),
    giveHandle(environment, handle(4), 9) as Uint8Array,
    encode('{"b":1}\n"last"\n'),
  ];
  expect(given).toEqual([
    [9, 3],
    [9, 4],
  ]);
  const whole = Buffer.concat(parts);
  for (let size = 1; size <= whole.length; size++) {
    let text = '';
    const handles: [string, SentHandle][] = [];
    const read = handleReader(environment, (bytes, sent) => {
      if (sent) handles.push([text, sent]);
      text += Buffer.from(bytes).toString('latin1');
    });
    for (let at = 0; at < whole.length; at += size) read(whole.subarray(at, at + size));
    expect(Buffer.from(text, 'latin1').toString()).toBe('"hello"\n{"a":"ÿ"}\n{"b":1}\n"last"\n');
    expect(handles.map(([before, sent]) => [Buffer.from(before, 'latin1').toString(), sent])).toEqual([
      ['"hello"\n', { kind: 'tcp', ends: { port: 3 }, fd: 43 }],
      ['"hello"\n{"a":"ÿ"}\n', { kind: 'tcp', ends: { port: 4 }, fd: 44 }],
    ]);
  }
});

test('bytes of the advanced mode pass as they are', () => {
  const frame = Uint8Array.of(0, 0, 0, 3, 0xff, 0x0f, 0xff);
  const seen: Uint8Array[] = [];
  handleReader(environment, (bytes) => seen.push(bytes))(frame);
  expect(seen).toEqual([frame]);
});

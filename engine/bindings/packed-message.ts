// A message between threads as bytes alone, so that the other side can read it while it blocks: what was transferred is copied, which nobody can
// tell from a move, since the sender no longer has it. Shared memory, ports and WebAssembly modules are references that only the browser carries.
import type { HostPart, Message } from './message-clone';
import { WireReader } from './wire-reader';
import { WireWriter } from './wire-writer';

/** The message as bytes; undefined when it refers to something that bytes cannot say, or has more than `limit` of them. */
export function packed(message: Message, limit: number): Uint8Array<ArrayBuffer> | undefined {
  if (!canBePacked(message) || sizeOf(message) > limit) return undefined;
  const writer = new WireWriter({
    cloneError: (text) => new Error(text),
    writeHostObject: unexpected,
    sharedBufferId: unexpected,
  });
  writer.writeHeader();
  writer.writeValue(toPlain(message));
  return writer.release();
}

/** The message that `packed` made these bytes of. */
export function unpacked(bytes: Uint8Array): Message {
  const reader = new WireReader(bytes, { readHostObject: unexpected, sharedBuffer: unexpected });
  reader.readHeader();
  return reader.readValue() as Message;
}

function canBePacked({ buffers, shared, hosts }: Message): boolean {
  // Bytes do not say how far a buffer may grow.
  if (shared.length > 0 || buffers.some((buffer) => (buffer as { resizable?: boolean }).resizable)) return false;
  return hosts.every((part) => part.kind === 'blob' || ('data' in part && canBePacked(part.data)));
}

function sizeOf({ bytes, buffers, hosts }: Message): number {
  let size = bytes.length;
  for (const buffer of buffers) size += buffer.byteLength;
  for (const part of hosts) {
    if (part.kind === 'blob') for (const { length } of part.parts) size += length;
    else if ('data' in part) size += sizeOf(part.data);
  }
  return size;
}

/** Views become views of just their bytes: the rest of their buffers is nobody's. */
function toPlain({ bytes, buffers, hosts }: Message): Message {
  return { bytes: bytes.slice(), buffers, shared: [], hosts: hosts.map(plainPart) };
}

function plainPart(part: HostPart): HostPart {
  switch (part.kind) {
    case 'script':
    case 'native':
      return { ...part, data: toPlain(part.data) };
    case 'blob':
      return { kind: 'blob', parts: part.parts.map((bytes) => bytes.slice()) };
    case 'wasm':
    case 'port':
      return unexpected();
  }
}

function unexpected(): never {
  throw new Error('A message was packed that refers to something shared.');
}

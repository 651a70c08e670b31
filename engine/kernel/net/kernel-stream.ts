// The kernel's end of a pair of rings, as promises: what the gateway and previews read and write.
import type { Ipc } from '../../ipc/types';
import { EAGAIN } from '../../memory/errno';

export interface KernelStream {
  /** The next bytes, or undefined at the end of the stream. */
  read(): Promise<Uint8Array | undefined>;
  /** Puts bytes back in front. */
  unread(bytes: Uint8Array): void;
  /** Resolves when all is in the ring; false when nobody reads any more. */
  write(bytes: Uint8Array): Promise<boolean>;
  /** False when a write would fail. */
  hasReader(): boolean;
  /** True when the other end has finished writing and all of it has been read. */
  isOver(): boolean;
  /** Half-close: the other end reads end of file. */
  end(): void;
  close(): void;
}

const CHUNK_BYTES = 64 * 1024;

/** Takes over `fd` of the kernel's own table. */
export function openKernelStream(ipc: Ipc, fd: number): KernelStream {
  const table = ipc.tableOf(0);
  const description = table.get(fd);
  const incoming = ipc.descriptions.incoming(description);
  const outgoing = ipc.descriptions.outgoing(description);
  if (!incoming || !outgoing) throw new Error(`descriptor ${fd} of the kernel is no stream`);
  const buffer = new Uint8Array(CHUNK_BYTES);
  const putBack: Uint8Array[] = [];
  let closed = false;

  return {
    async read() {
      const kept = putBack.pop();
      if (kept) return kept;
      while (!closed) {
        await incoming.whenReadable();
        if (closed) break;
        const count = incoming.read(buffer);
        if (count === EAGAIN) continue;
        return count > 0 ? buffer.slice(0, count) : undefined;
      }
      return undefined;
    },
    unread(bytes) {
      if (bytes.length > 0) putBack.push(bytes);
    },
    async write(bytes) {
      let offset = 0;
      while (offset < bytes.length) {
        if (closed) return false;
        const count = outgoing.write(bytes.subarray(offset));
        if (count === EAGAIN) await outgoing.whenWritable();
        else if (count < 0) return false;
        else offset += count;
      }
      return !closed;
    },
    hasReader: () => !closed && outgoing.hasReader(),
    isOver: () => closed || (putBack.length === 0 && !incoming.hasWriter() && incoming.available() === 0),
    end() {
      if (!closed) ipc.descriptions.shutdownWrite(description);
    },
    close() {
      if (closed) return;
      closed = true;
      table.close(fd);
    },
  };
}

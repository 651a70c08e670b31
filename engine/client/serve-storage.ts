// The IDE's end of the project file's port. It believes nothing: whoever asks may be a hostile program that has taken over the sandbox. It can spoil its own
// project's file, and reach nothing else.
import {
  MAX_STORAGE_BYTES,
  MAX_TRANSFER_BYTES,
  type StorageReply,
  type StorageRequest,
} from '../kernel/persistence/port-storage';
import { handleStorage, type SyncHandle } from '../kernel/persistence/storage';

/** Answers the requests that come through `port` from an open file, in order, until the returned function is called with the reason. */
export function serveFile(
  port: MessagePort,
  handle: SyncHandle,
  setAside: () => Promise<string>,
): (reason: string) => void {
  const storage = handleStorage(handle, setAside);
  let isClosed = false;
  let isAside = false;
  let queue: Promise<void> = Promise.resolve();

  const answer = async (request: StorageRequest): Promise<unknown> => {
    switch (request.do) {
      case 'read':
        checkRange(request.at, request.length);
        return storage.read(request.at, request.length);
      case 'write': {
        const { at, bytes } = request;
        if (!(bytes instanceof Uint8Array)) throw new TypeError('what is to be written are no bytes');
        checkRange(at, bytes.length);
        if (at + bytes.length > MAX_STORAGE_BYTES)
          throw new DOMException('A project’s file may not be larger than 4 GB.', 'QuotaExceededError');
        return storage.write(at, bytes);
      }
      case 'flush':
        return storage.flush();
      case 'size':
        return storage.size();
      case 'truncate':
        checkRange(request.size, 0);
        return storage.truncate(request.size);
      case 'setAside':
        // A copy is as large as the file: one is enough.
        if (isAside) throw new Error('the project’s file has been set aside already');
        isAside = true;
        return storage.setAside();
      default:
        throw new TypeError('there is no such request');
    }
  };

  port.onmessage = ({ data }: MessageEvent<StorageRequest>) => {
    queue = queue.then(async () => {
      if (isClosed) return;
      let reply: StorageReply;
      try {
        reply = { id: data.id, value: await answer(data) };
      } catch (error) {
        const { name = 'Error', message = String(error) } = error as Error;
        reply = { id: data.id, failed: { name, message } };
      }
      const transfer = 'value' in reply && reply.value instanceof Uint8Array ? [reply.value.buffer as ArrayBuffer] : [];
      port.postMessage(reply, transfer);
    });
  };
  return (reason) => {
    if (isClosed) return;
    isClosed = true;
    port.postMessage({ closed: reason } satisfies StorageReply);
    port.close();
  };
}

function checkRange(at: number, length: number): void {
  if (!Number.isSafeInteger(at) || at < 0) throw new RangeError(`${at} is no position in the project’s file`);
  if (!Number.isSafeInteger(length) || length < 0 || length > MAX_TRANSFER_BYTES)
    throw new RangeError(`${length} bytes are not moved at once`);
}

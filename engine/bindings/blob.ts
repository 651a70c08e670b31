// The blob binding: a blob is a list of byte sources that never change; slices share them. Readers give one source per pull.
import type { Binding, ProcessEnvironment } from '../process/environment';
import { nodeError } from './node-error';
import { viewBytes } from './strings';

/** A part of a blob. `read` may throw when a file has changed or gone since. */
interface Source {
  readonly length: number;
  read(start: number, end: number): Uint8Array;
}

const STATUS = { end: 0, next: 1, failed: -1 } as const;

type Pull = (status: number, buffer?: ArrayBuffer) => void;

class Reader {
  private readonly sources: Source[];
  private index = 0;

  constructor(sources: Source[]) {
    this.sources = sources;
  }

  pull(callback: Pull): void {
    const source = this.sources[this.index++];
    if (!source) {
      callback(STATUS.end);
      return;
    }
    let bytes: Uint8Array;
    try {
      bytes = source.read(0, source.length);
    } catch {
      this.index--;
      callback(STATUS.failed);
      return;
    }
    callback(STATUS.next, bytes.slice().buffer as ArrayBuffer);
  }

  // Every source answers at once, so nobody is ever woken.
  setWakeup(): void {}
}

class Blob {
  readonly #sources: Source[];

  constructor(sources: Source[]) {
    this.#sources = sources;
  }

  static sourcesOf(blob: Blob): Source[] {
    return blob.#sources;
  }

  getReader(): Reader {
    return new Reader(this.#sources);
  }

  slice(start: number, end: number): Blob {
    const parts: Source[] = [];
    let at = 0;
    for (const source of this.#sources) {
      const from = Math.max(0, start - at);
      const to = Math.min(source.length, end - at);
      if (from < to) {
        parts.push({ length: to - from, read: (first, last) => source.read(from + first, from + last) });
      }
      at += source.length;
    }
    return new Blob(parts);
  }
}

/** True for a blob handle, which postMessage passes by reference: its bytes never change. */
export function isBlobHandle(value: unknown): value is Blob {
  return value instanceof Blob;
}

/** All bytes of a blob handle, to send it to another thread. Throws when a file behind it cannot be read. */
export function blobHandleBytes(blob: Blob): Uint8Array[] {
  return Blob.sourcesOf(blob).map((source) => source.read(0, source.length));
}

/** A blob handle over `parts`, which must not change any more. */
export function blobHandleFrom(parts: Uint8Array[]): Blob {
  return new Blob(parts.filter((part) => part.length > 0).map(memorySource));
}

function memorySource(bytes: Uint8Array): Source {
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** A file as it is now: reading it fails once its size or time has changed. */
function fileSource(environment: ProcessEnvironment, path: string): Source {
  const fs = environment.requireBuiltin('fs');
  const stats = fs.statSync(path);
  return {
    length: stats.size,
    read(start, end) {
      const now = fs.statSync(path);
      if (now.size !== stats.size || now.mtimeMs !== stats.mtimeMs) throw new Error(`${path} has changed`);
      const bytes = new Uint8Array(end - start);
      const fd = fs.openSync(path, 'r');
      try {
        fs.readSync(fd, bytes, 0, bytes.length, start);
      } finally {
        fs.closeSync(fd);
      }
      return bytes;
    },
  };
}

export const blob: Binding = (environment) => {
  const objects = new Map<string, [handle: Blob, length: number, type: string]>();
  return Object.assign(environment.dumped('blob'), {
    createBlob(sources: (Uint8Array | Blob)[], _length: number) {
      const list = sources.flatMap((source) =>
        source instanceof Blob ? Blob.sourcesOf(source) : [memorySource(source)],
      );
      return new Blob(list.filter((source) => source.length > 0));
    },
    concat(views: (ArrayBufferView | ArrayBuffer)[]) {
      const parts = Array.from(views, viewBytes);
      const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        joined.set(part, at);
        at += part.length;
      }
      return joined.buffer;
    },
    createBlobFromFilePath(path: string) {
      let source: Source;
      try {
        source = fileSource(environment, path);
      } catch {
        throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', 'Unable to open file as blob');
      }
      return [new Blob([source]), source.length];
    },
    storeDataObject(id: string, handle: Blob, length: number, type: string) {
      if (!(handle instanceof Blob)) throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a blob');
      objects.set(id, [handle, length, type]);
    },
    getDataObject: (id: string) => objects.get(id),
    revokeObjectURL(url: string) {
      const id = /^blob:nodedata:([^:?#]+)$/.exec(url)?.[1];
      if (id !== undefined) objects.delete(id);
    },
  });
};

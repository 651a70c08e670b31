// Reading and writing through a descriptor, whatever is behind it: a file, a device, a pipe, a terminal. Synchronous calls block as
// the system calls do; asynchronous ones on rings wait without blocking the loop.
import type { Pipe } from '../../ipc/types';
import { DESCRIPTION_KIND } from '../../ipc/types';
import { EAGAIN, EBADF, EIO, EISDIR, ESPIPE } from '../../memory/errno';
import type { ProcessEnvironment } from '../../process/environment';
import { DEVICE, FILE_TYPE } from '../../tree/types';
import { awaitKeyboard } from '../foreground';
import { check, Errno } from './request';

const O_ACCMODE = 3;
const O_WRONLY = 1;
const O_RDONLY = 0;
const O_APPEND = 0o2000;

export type Position = number | bigint | null | undefined;

/** What is no number (`writeSync(fd, text, 'utf8')` is common) and what is negative means the descriptor's own, as in C++. */
function explicit(position: Position): number | undefined {
  if (typeof position !== 'number' && typeof position !== 'bigint') return undefined;
  return Number(position) < 0 ? undefined : Number(position);
}

export class DescriptorIo {
  private readonly environment: ProcessEnvironment;

  constructor(environment: ProcessEnvironment) {
    this.environment = environment;
  }

  /** The open file description of `fd`; throws EBADF. */
  description(fd: number): number {
    return check(this.environment.descriptors.get(fd));
  }

  /** The inode behind `fd`, or undefined for a pipe or terminal. */
  inode(fd: number): number | undefined {
    const { descriptions } = this.environment;
    const description = this.description(fd);
    const kind = descriptions.kindOf(description);
    return kind === DESCRIPTION_KIND.file || kind === DESCRIPTION_KIND.device
      ? descriptions.inoOf(description)
      : undefined;
  }

  /** The ring that a read would come from, when it would have to wait. */
  private blockingSource(fd: number): Pipe | undefined {
    const pipe = this.environment.descriptions.incoming(this.description(fd));
    return pipe && !pipe.isReadable() ? pipe : undefined;
  }

  /** Bytes read into `target`; 0 at end of file. Blocks on an empty ring. */
  read(fd: number, target: Uint8Array, position: Position): number {
    const { descriptions, tree } = this.environment;
    const description = this.description(fd);
    const pipe = descriptions.incoming(description);
    const at = explicit(position);
    if (pipe) {
      if (at !== undefined) throw new Errno(ESPIPE);
      if (target.length === 0) return 0;
      const terminal = descriptions.terminalOf(description);
      if (terminal && !awaitKeyboard(this.environment, terminal)) throw new Errno(EIO);
      for (;;) {
        const count = pipe.read(target);
        if (count !== EAGAIN) return check(count);
        pipe.waitReadable();
      }
    }
    if (descriptions.outgoing(description) || (descriptions.flagsOf(description) & O_ACCMODE) === O_WRONLY)
      throw new Errno(EBADF);
    const ino = descriptions.inoOf(description);
    if (descriptions.kindOf(description) === DESCRIPTION_KIND.device) return this.readDevice(ino, target);
    if (tree.typeOf(ino) === FILE_TYPE.directory) throw new Errno(EISDIR);
    if (at !== undefined) return check(tree.read(ino, target, at));
    const start = descriptions.positionOf(description);
    const count = check(tree.read(ino, target, start));
    descriptions.setPosition(description, start + count);
    return count;
  }

  /** As `read`, waiting for a ring without blocking the worker; undefined when no wait is needed. */
  readLater(fd: number, target: Uint8Array, position: Position): Promise<number> | undefined {
    const source = this.blockingSource(fd);
    if (!source) return undefined;
    const attempt = async (): Promise<number> => {
      for (;;) {
        await source.whenReadable();
        const count = source.read(target);
        if (count !== EAGAIN) return check(count);
      }
    };
    if (explicit(position) !== undefined) throw new Errno(ESPIPE);
    return attempt();
  }

  /** Writes all of `source`, blocking on a full ring; returns its length. */
  write(fd: number, source: Uint8Array, position: Position): number {
    const { descriptions, tree } = this.environment;
    const description = this.description(fd);
    const pipe = descriptions.outgoing(description);
    const at = explicit(position);
    if (pipe) {
      if (at !== undefined) throw new Errno(ESPIPE);
      let done = 0;
      while (done < source.length) {
        const count = pipe.write(source.subarray(done));
        if (count === EAGAIN) pipe.waitWritable();
        else done += check(count);
      }
      return done;
    }
    const flags = descriptions.flagsOf(description);
    if (descriptions.incoming(description) || (flags & O_ACCMODE) === O_RDONLY) throw new Errno(EBADF);
    const ino = descriptions.inoOf(description);
    if (descriptions.kindOf(description) === DESCRIPTION_KIND.device) return source.length;
    if (flags & O_APPEND) {
      const count = check(tree.append(ino, source));
      descriptions.setPosition(description, tree.sizeOf(ino));
      return count;
    }
    if (at !== undefined) return check(tree.write(ino, source, at));
    const start = descriptions.positionOf(description);
    const count = check(tree.write(ino, source, start));
    descriptions.setPosition(description, start + count);
    return count;
  }

  /** As `write` on a ring that is full; undefined when no wait is needed. */
  writeLater(fd: number, source: Uint8Array): Promise<number> | undefined {
    const pipe = this.environment.descriptions.outgoing(this.description(fd));
    if (!pipe) return undefined;
    let done = 0;
    while (done < source.length) {
      const count = pipe.write(source.subarray(done));
      if (count === EAGAIN) break;
      done += check(count);
    }
    if (done === source.length) return Promise.resolve(done);
    const rest = async (): Promise<number> => {
      while (done < source.length) {
        await pipe.whenWritable();
        const count = pipe.write(source.subarray(done));
        if (count !== EAGAIN) done += check(count);
      }
      return done;
    };
    return rest();
  }

  /** Everything from the current position to the end of file. */
  readAll(fd: number): Uint8Array {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const chunk = new Uint8Array(65536);
      const count = this.read(fd, chunk, null);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      total += count;
    }
    const out = new Uint8Array(total);
    let offset = 0;
    for (const chunk of chunks) {
      out.set(chunk, offset);
      offset += chunk.length;
    }
    return out;
  }

  private readDevice(ino: number, target: Uint8Array): number {
    const { tree, browser } = this.environment;
    switch (tree.rdevOf(ino)) {
      case DEVICE.null:
        return 0;
      case DEVICE.zero:
        target.fill(0);
        return target.length;
      case DEVICE.random:
      case DEVICE.urandom: {
        for (let offset = 0; offset < target.length; offset += 65536) {
          const chunk = new Uint8Array(Math.min(65536, target.length - offset));
          browser.crypto.getRandomValues(chunk);
          target.set(chunk, offset);
        }
        return target.length;
      }
      default:
        throw new Errno(EBADF);
    }
  }
}

// What stands behind a descriptor number of the shell: a real descriptor, a capture in memory, or a text in memory.
// Channels are counted: `2>&1` and a subshell share one, and the last owner closes it.
import fs from 'node:fs';
import { killedBy } from '../execute/control';
import { type Os, WOULD_BLOCK } from '../os';
import { gateOf, whenOpen } from './gate';
import { encodeText } from './text';

/** One open file of the shell, shared by count. */
export interface Channel {
  /** Bytes read, 0 at the end. Never reads ahead. Rejects with Killed when the signal is aborted. */
  read(bytes: Uint8Array, signal: AbortSignal): number | Promise<number>;
  /** Writes all bytes. Rejects with EPIPE or Killed. */
  write(bytes: Uint8Array, signal: AbortSignal): void | Promise<void>;
  /** A real descriptor that a child process can inherit. */
  descriptor(): number;
  isTerminal(): boolean;
  retain(): this;
  release(): void;
}

abstract class Counted {
  #owners = 1;

  retain(): this {
    this.#owners++;
    return this;
  }

  release(): void {
    if (--this.#owners === 0) this.dispose();
  }

  protected abstract dispose(): void;
}

/** A real descriptor. `owned` ones are closed with the last owner. */
export class DescriptorChannel extends Counted implements Channel {
  readonly #os: Os;
  readonly #fd: number;
  #owned: boolean;

  constructor(os: Os, fd: number, owned = true) {
    super();
    this.#os = os;
    this.#fd = fd;
    this.#owned = owned;
  }

  read(bytes: Uint8Array, signal: AbortSignal): number | Promise<number> {
    if (signal.aborted) throw killedBy(signal);
    if (this.#mustWait(signal)) return this.#readLater(bytes, signal);
    const count = this.#os.tryRead(this.#fd, bytes);
    return count === WOULD_BLOCK ? this.#readLater(bytes, signal) : count;
  }

  async #readLater(bytes: Uint8Array, signal: AbortSignal): Promise<number> {
    for (;;) {
      await this.#ready('read', signal);
      if (this.#mustWait(signal)) continue;
      const count = this.#os.tryRead(this.#fd, bytes);
      if (count !== WOULD_BLOCK) return count;
    }
  }

  write(bytes: Uint8Array, signal: AbortSignal): void | Promise<void> {
    if (signal.aborted) throw killedBy(signal);
    if (gateOf(signal)?.closed) return this.#writeLater(bytes, signal);
    let done = 0;
    while (done < bytes.length) {
      const count = this.#os.tryWrite(this.#fd, done === 0 ? bytes : bytes.subarray(done));
      if (count === WOULD_BLOCK) return this.#writeLater(bytes.subarray(done), signal);
      done += count;
    }
  }

  async #writeLater(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      await whenOpen(signal);
      const count = this.#os.tryWrite(this.#fd, bytes.subarray(done));
      if (count === WOULD_BLOCK) await this.#ready('write', signal);
      else done += count;
    }
  }

  /** Whether the reader's job is stopped; a background job that reads the keyboard becomes so. */
  #mustWait(signal: AbortSignal): boolean {
    const gate = gateOf(signal);
    if (!gate) return false;
    if (!gate.closed && !gate.inForeground && this.isTerminal()) gate.refuseKeyboard();
    return gate.closed !== undefined;
  }

  async #ready(direction: 'read' | 'write', signal: AbortSignal): Promise<void> {
    await whenOpen(signal);
    return new Promise((resolve, reject) => {
      const abort = () => {
        cancel();
        reject(killedBy(signal));
      };
      if (signal.aborted) return reject(killedBy(signal));
      const cancel = this.#os.wait(this.#fd, direction, () => {
        signal.removeEventListener('abort', abort);
        resolve();
      });
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  descriptor(): number {
    return this.#fd;
  }

  isTerminal(): boolean {
    return this.#os.isTerminal(this.#fd);
  }

  /** From now on it is owned; without an owner it is closed at once. */
  closeWithLast(): void {
    this.#owned = true;
    this.retain();
    this.release();
  }

  protected dispose(): void {
    if (this.#owned) fs.closeSync(this.#fd);
  }
}

const NEVER = new AbortController().signal;

/** Collects what is written: the output of `$( )`. A child process gets a real pipe that drains into the same place. */
export class CaptureChannel extends Counted implements Channel {
  readonly #os: Os;
  readonly #chunks: Uint8Array[] = [];
  #pipe: Channel | undefined;
  #drained: Promise<void> = Promise.resolve();
  readonly #released: Promise<void>;
  #release!: () => void;

  constructor(os: Os) {
    super();
    this.#os = os;
    this.#released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  read(): number {
    throw Object.assign(new Error('EBADF: bad file descriptor, read'), { code: 'EBADF' });
  }

  write(bytes: Uint8Array, signal: AbortSignal): void | Promise<void> {
    if (this.#pipe) return this.#pipe.write(bytes, signal);
    this.#chunks.push(bytes.slice());
  }

  descriptor(): number {
    if (!this.#pipe) {
      const [read, write] = this.#os.pipe();
      this.#pipe = new DescriptorChannel(this.#os, write);
      this.#drained = this.#drain(new DescriptorChannel(this.#os, read));
    }
    return this.#pipe.descriptor();
  }

  async #drain(source: Channel): Promise<void> {
    const buffer = new Uint8Array(65536);
    try {
      for (;;) {
        const count = await source.read(buffer, NEVER);
        if (count === 0) return;
        this.#chunks.push(buffer.slice(0, count));
      }
    } finally {
      source.release();
    }
  }

  /** All bytes, once every writer has let go. */
  async bytes(): Promise<Buffer> {
    await this.#released;
    await this.#drained;
    return Buffer.concat(this.#chunks);
  }

  isTerminal(): boolean {
    return false;
  }

  protected dispose(): void {
    this.#pipe?.release();
    this.#release();
  }
}

/** A text to read: here-documents and here-strings. */
export class TextChannel extends Counted implements Channel {
  readonly #os: Os;
  readonly #bytes: Uint8Array;
  #position = 0;
  #pipe: Channel | undefined;

  constructor(os: Os, text: string) {
    super();
    this.#os = os;
    this.#bytes = encodeText(text);
  }

  read(bytes: Uint8Array, signal: AbortSignal): number | Promise<number> {
    if (this.#pipe) return this.#pipe.read(bytes, signal);
    const part = this.#bytes.subarray(this.#position, this.#position + bytes.length);
    bytes.set(part);
    this.#position += part.length;
    return part.length;
  }

  write(): void {
    throw Object.assign(new Error('EBADF: bad file descriptor, write'), { code: 'EBADF' });
  }

  descriptor(): number {
    if (!this.#pipe) {
      const [read, write] = this.#os.pipe();
      this.#pipe = new DescriptorChannel(this.#os, read);
      const sink = new DescriptorChannel(this.#os, write);
      void feed(sink, this.#bytes.subarray(this.#position));
    }
    return this.#pipe.descriptor();
  }

  isTerminal(): boolean {
    return false;
  }

  protected dispose(): void {
    this.#pipe?.release();
  }
}

async function feed(sink: Channel, bytes: Uint8Array): Promise<void> {
  try {
    await sink.write(bytes, NEVER);
  } catch {
    // The reader left early, which is its right.
  } finally {
    sink.release();
  }
}

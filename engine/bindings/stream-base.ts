// LibuvStreamWrap over the rings of a descriptor: reading with flow control, writing that tries at once and finishes later, shutdown.
// lib reads the numbers of the last call from a shared array (`streamBaseState`), as it does from C++.
import { PIPE_BYTES } from '../ipc/regions';
import type { Pipe } from '../ipc/types';
import { EAGAIN, EBADF, ECANCELED, EINVAL, ENOTCONN, EPIPE, UV_EOF } from '../memory/errno';
import { currentFrame, runInFrame } from '../modules/context-frame';
import type { Binding, ProcessEnvironment } from '../process/environment';
import { type AsyncIds, AsyncScopes } from './async-scopes';
import { refuseKeyboard, standsInBackground } from './foreground';
import { HandleWrap } from './handle-wrap';
import { encodeString, viewBytes } from './strings';

const READ_CHUNK_BYTES = 65536;
const originalThen = Promise.prototype.then;

/** The shared array of the stream_wrap binding, one per process. */
const states = new WeakMap<ProcessEnvironment, { state: Int32Array; names: Record<string, number> }>();

/** Creates it when it is asked for first; `names` says what stands where. */
export function streamState(environment: ProcessEnvironment): { state: Int32Array; names: Record<string, number> } {
  let found = states.get(environment);
  if (!found) {
    found = { state: new Int32Array(5), names: environment.dumped('stream_wrap') as Record<string, number> };
    states.set(environment, found);
  }
  return found;
}

interface PendingWrite {
  request: any;
  ids: AsyncIds;
  /** The async context of the request. */
  frame: unknown;
  bytes: Uint8Array;
  offset: number;
}

export class StreamWrap extends HandleWrap {
  /** A TCP connection rather than a pipe. */
  #peerIsGone = false;
  /** The descriptor behind the stream, −1 before it has one. */
  /** lib's own note. */
  reading = false;
  #fd = -1;
  #bytesRead = 0;
  #bytesWritten = 0;
  #onread: ((buffer?: ArrayBuffer) => unknown) | undefined;
  /** Takes the bytes instead of `onread`: an HTTP parser that reads the stream itself. */
  #consumer: ((bytes: Uint8Array) => void) | undefined;
  #reading = false;
  #waiting = false;
  #blocking = false;
  #shutDown = false;
  #userBuffer: Uint8Array | undefined;
  readonly #writes: PendingWrite[] = [];
  #pumping = false;
  #shutdownRequest: { request: any; frame: unknown; ids: AsyncIds } | undefined;

  protected get isSocket(): boolean {
    return false;
  }

  get onread(): ((buffer?: ArrayBuffer) => unknown) | undefined {
    return this.#onread;
  }

  set onread(onread: ((buffer?: ArrayBuffer) => unknown) | undefined) {
    this.#onread = onread;
  }

  set consumer(consumer: ((bytes: Uint8Array) => void) | undefined) {
    this.#consumer = consumer;
  }

  get fd(): number {
    return this.#fd;
  }

  set fd(fd: number) {
    this.#fd = fd;
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  get isStreamBase(): boolean {
    return true;
  }

  get writeQueueSize(): number {
    return this.#writes.reduce((total, { bytes, offset }) => total + bytes.length - offset, 0);
  }

  protected incoming(): Pipe | undefined {
    const description = this.fd < 0 ? EBADF : this.environment.descriptors.get(this.fd);
    return description < 0 ? undefined : this.environment.descriptions.incoming(description);
  }

  protected outgoing(): Pipe | undefined {
    const description = this.fd < 0 ? EBADF : this.environment.descriptors.get(this.fd);
    return description < 0 ? undefined : this.environment.descriptions.outgoing(description);
  }

  readStart(): number {
    if (!this.incoming()) return this.fd < 0 ? ENOTCONN : EINVAL;
    this.#reading = true;
    this.setActive(true);
    this.#awaitData();
    return 0;
  }

  readStop(): number {
    this.#reading = false;
    this.setActive(this.keepsAlive());
    return 0;
  }

  /** Whether the handle is active for another reason than reading (a listening server, a running process). */
  protected keepsAlive(): boolean {
    return false;
  }

  #awaitData(): void {
    const pipe = this.incoming();
    if (this.#waiting || !this.#reading || this.closed || !pipe) return;
    this.#waiting = true;
    const deliver = (): void =>
      this.later(() => {
        this.#waiting = false;
        if (this.#reading && !this.closed) this.#deliver(pipe);
      });
    if (pipe.isReadable()) deliver();
    else originalThen.call(pipe.whenReadable(), deliver);
  }

  #deliver(pipe: Pipe): void {
    const description = this.environment.descriptors.get(this.fd);
    const terminal = description < 0 ? undefined : this.environment.descriptions.terminalOf(description);
    const changes = terminal?.changes();
    if (terminal && standsInBackground(this.environment, terminal)) {
      refuseKeyboard(this.environment);
      this.#waiting = true;
      originalThen.call(terminal.whenModesChange(changes), () => {
        this.#waiting = false;
        this.#awaitData();
      });
      return;
    }
    const { state, names } = streamState(this.environment);
    const target = this.#userBuffer ?? new Uint8Array(Math.min(READ_CHUNK_BYTES, Math.max(1, pipe.available())));
    const count = pipe.read(target);
    if (count === EAGAIN) {
      this.#awaitData();
      return;
    }
    if (count <= 0) {
      this.#reading = false;
      this.setActive(this.keepsAlive());
      state[names.kReadBytesOrError] = count === 0 ? UV_EOF : count;
      this.#tellUserBuffer();
      return;
    }
    this.#bytesRead += count;
    state[names.kReadBytesOrError] = count;
    state[names.kArrayBufferOffset] = 0;
    try {
      if (this.#consumer) this.#consumer(target.subarray(0, count));
      else if (this.#userBuffer) this.#tellUserBuffer();
      else this.pass(count === target.length ? target : target.slice(0, count));
    } finally {
      // Also when the program has thrown: somebody may listen to 'uncaughtException', and the stream goes on.
      this.#awaitData();
    }
  }

  /** Tells lib that its own buffer holds what was read, or that reading has ended; it may answer with the buffer for the next read. */
  #tellUserBuffer(): void {
    const next = this.onread?.(undefined);
    if (ArrayBuffer.isView(next)) this.#userBuffer = viewBytes(next);
  }

  /** Hands what was read to lib: the whole of a buffer. */
  protected pass(bytes: Uint8Array): void {
    this.onread?.(bytes.buffer as ArrayBuffer);
  }

  useUserBuffer(buffer: Uint8Array): void {
    this.#userBuffer = viewBytes(buffer);
  }

  setBlocking(blocking: boolean): number {
    this.#blocking = blocking;
    return 0;
  }

  writeBuffer(request: any, buffer: ArrayBufferView): number {
    return this.#write(request, viewBytes(buffer));
  }

  writeUtf8String(request: any, text: string): number {
    return this.#write(request, encodeString(text, 'utf8'));
  }

  writeAsciiString(request: any, text: string): number {
    return this.#write(request, encodeString(text, 'latin1'));
  }

  writeLatin1String(request: any, text: string): number {
    return this.#write(request, encodeString(text, 'latin1'));
  }

  writeUcs2String(request: any, text: string): number {
    return this.#write(request, encodeString(text, 'utf16le'));
  }

  /** Buffers only, or alternately a chunk and its encoding. */
  writev(request: any, chunks: any[], allBuffers: boolean): number {
    const parts: Uint8Array[] = [];
    for (let index = 0; index < chunks.length; index += allBuffers ? 1 : 2) {
      const chunk = chunks[index];
      parts.push(typeof chunk === 'string' ? encodeString(chunk, chunks[index + 1]) : viewBytes(chunk));
    }
    const joined = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
    let offset = 0;
    for (const part of parts) {
      joined.set(part, offset);
      offset += part.length;
    }
    return this.#write(request, joined);
  }

  #write(request: any, bytes: Uint8Array): number {
    const { state, names } = streamState(this.environment);
    const pipe = this.outgoing();
    state[names.kBytesWritten] = bytes.length;
    state[names.kLastWriteWasAsync] = 0;
    if (!pipe) return this.fd < 0 ? EBADF : EPIPE;
    if (this.#shutDown) return EPIPE;
    let offset = 0;
    while (offset < bytes.length && this.#writes.length === 0) {
      const count = pipe.write(bytes.subarray(offset));
      if (count === EAGAIN) {
        if (!this.#blocking) break;
        pipe.waitWritable();
      } else if (count === EPIPE && this.isSocket && !this.#peerIsGone) {
        // A network only tells the next call that the other side has gone; what its buffers take now is lost.
        this.#peerIsGone = true;
        offset += Math.min(PIPE_BYTES, bytes.length - offset);
      } else if (count < 0) return count;
      else offset += count;
    }
    this.#bytesWritten += bytes.length;
    if (offset === bytes.length && this.#writes.length === 0) return 0;
    state[names.kLastWriteWasAsync] = 1;
    // The caller may reuse its buffer only after the callback: lib keeps it for us.
    const ids = this.causing(() => AsyncScopes.of(this.environment).begin(request, 'WRITEWRAP'));
    this.#writes.push({ request, ids, frame: currentFrame(), bytes, offset });
    this.environment.loop.startRequest();
    this.#pump(pipe);
    return 0;
  }

  /** Writes what is queued as the ring drains. */
  #pump(pipe: Pipe): void {
    if (this.#pumping) return;
    this.#pumping = true;
    originalThen.call(pipe.whenWritable(), () =>
      this.environment.loop.enqueue(() => {
        this.#pumping = false;
        const done: (() => void)[] = [];
        while (this.#writes.length > 0) {
          const write = this.#writes[0];
          const count = this.closed ? ECANCELED : pipe.write(write.bytes.subarray(write.offset));
          if (count === EAGAIN) break;
          if (count > 0) write.offset += count;
          if (count < 0 || write.offset === write.bytes.length) {
            this.#writes.shift();
            const status = Math.min(count, 0);
            done.push(() => {
              this.environment.loop.endRequest();
              runInFrame(write.frame, () =>
                AsyncScopes.of(this.environment).finish(write.ids, () =>
                  write.request.oncomplete(status, this, status < 0 ? status : undefined),
                ),
              );
            });
          }
        }
        // A task each: one that throws does not silence the others.
        const [first, ...others] = done;
        for (const tell of others) this.environment.loop.enqueue(tell);
        if (this.#writes.length > 0) this.#pump(pipe);
        else this.#finishShutdown();
        first?.();
      }),
    );
  }

  shutdown(request: any): number {
    if (this.fd < 0) return ENOTCONN;
    this.#shutDown = true;
    const ids = this.causing(() => AsyncScopes.of(this.environment).begin(request, 'SHUTDOWNWRAP'));
    this.#shutdownRequest = { request, ids, frame: currentFrame() };
    this.environment.loop.startRequest();
    if (this.#writes.length === 0) this.#finishShutdown();
    return 0;
  }

  #finishShutdown(): void {
    if (!this.#shutdownRequest) return;
    const { request, ids, frame } = this.#shutdownRequest;
    this.#shutdownRequest = undefined;
    this.environment.loop.enqueueIn(frame, () => {
      if (!this.closed) this.#closeWriteEnd();
      this.environment.loop.endRequest();
      AsyncScopes.of(this.environment).finish(ids, () => request.oncomplete(this.closed ? ECANCELED : 0));
    });
  }

  /** Half-close: the peer sees end of file, reading goes on. */
  #closeWriteEnd(): void {
    const { descriptors, descriptions } = this.environment;
    const description = descriptors.get(this.fd);
    if (description >= 0) descriptions.shutdownWrite(description);
  }

  protected dispose(): void {
    const { loop, descriptors } = this.environment;
    for (const { request, ids, frame } of this.#writes.splice(0)) {
      loop.enqueueIn(frame, () => {
        loop.endRequest();
        AsyncScopes.of(this.environment).finish(ids, () => request.oncomplete(ECANCELED, this, ECANCELED));
      });
    }
    if (this.#shutdownRequest) this.#finishShutdown();
    if (this.fd >= 0) descriptors.close(this.fd);
    this.fd = -1;
  }
}

/** stream_wrap. */
export const streamWrap: Binding = (environment) =>
  Object.assign(environment.dumped('stream_wrap'), {
    streamBaseState: streamState(environment).state,
    WriteWrap: class WriteWrap {},
    ShutdownWrap: class ShutdownWrap {},
    LibuvStreamWrap: class LibuvStreamWrap extends StreamWrap {
      constructor() {
        super(environment, 'STREAM');
      }
    },
  });

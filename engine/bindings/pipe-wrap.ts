// pipe_wrap: pipes of the standard streams and of children, Unix sockets, and the IPC channel of fork().

import { PORT_HOST } from '../ipc/ports';
import { EADDRINUSE, EBADF, ECANCELED, EEXIST, EINVAL, EPIPE } from '../memory/errno';
import { unsupported } from '../process/dump';
import type { Binding } from '../process/environment';
import { joinBytes } from '../tree/snapshot-entries';
import { AsyncScopes } from './async-scopes';
import { LocalSockets } from './local-sockets';
import { giveHandle, handleReader, type Sendable, type SentHandle } from './sent-handles';
import { StreamWrap, streamState } from './stream-base';
import { encodeString } from './strings';

/** The longest name of a Unix socket on Linux. */
const LONGEST_NAME_BYTES = 107;
const isTooLong = (path: string): boolean => encodeString(path, 'utf8').length > LONGEST_NAME_BYTES;

export const pipeWrap: Binding = (environment) => {
  const { constants } = environment.dumped('pipe_wrap');
  const sockets = LocalSockets.of(environment);

  class Pipe extends StreamWrap {
    declare onconnection: ((status: number, client?: Pipe) => void) | undefined;
    readonly #kind: number;
    #path = '';
    #listener = 0;
    #index = -1;
    /** Of a channel: where the process at the other end stands. */
    #peerSlot: number | undefined;
    /** What has come with the bytes that lib is given now. */
    declare pendingHandle: object | null;
    #takeApart: ((bytes: Uint8Array) => void) | undefined;

    set peerSlot(slot: number | undefined) {
      this.#peerSlot = slot;
    }

    constructor(kind: number) {
      super(environment, kind === constants.SERVER ? 'PIPESERVERWRAP' : 'PIPEWRAP');
      this.#kind = kind;
    }

    open(fd: number): number {
      if (environment.descriptors.get(fd) < 0) return EBADF;
      this.fd = fd;
      return 0;
    }

    bind(path: string): number {
      if (this.#index >= 0 || isTooLong(path)) return EINVAL;
      const ino = environment.tree.makeSocket(environment.absolute(path), 0o777 & ~environment.state.umask);
      if (ino < 0) return ino === EEXIST ? EADDRINUSE : ino;
      const index = sockets.bind(ino, PORT_HOST.unix);
      if (index < 0) return index;
      this.#index = index;
      this.#path = environment.absolute(path);
      return 0;
    }

    listen(_backlog: number): number {
      if (this.#index < 0) return EINVAL;
      this.#listener = sockets.listen(this.#index, ({ fd }) => {
        const client = this.causing(() => new Pipe(constants.SOCKET));
        client.fd = fd;
        this.callBack(() => this.onconnection?.(0, client));
      });
      this.setActive(true);
      return 0;
    }

    connect(request: any, path: string): number {
      if (isTooLong(path)) return EINVAL;
      const scopes = AsyncScopes.of(environment);
      const ids = this.causing(() => scopes.begin(request, 'PIPECONNECTWRAP'));
      sockets.connect({ type: 'connect', path: environment.absolute(path) }, (errno, fd) => {
        if (this.closed && fd >= 0) environment.descriptors.close(fd);
        else if (errno === 0) this.fd = fd;
        scopes.finish(ids, () => request.oncomplete(this.closed ? ECANCELED : errno, this, request, true, true));
      });
      return 0;
    }

    protected override keepsAlive(): boolean {
      return this.#listener !== 0;
    }

    /** Of a listening socket: who else may use its file. */
    fchmod(access: number): number {
      if (this.#index < 0) return this.fd < 0 ? EBADF : EINVAL;
      const ino = environment.tree.lookup(this.#path);
      if (ino < 0) return ino;
      const readable = (access & constants.UV_READABLE) !== 0 ? 0o444 : 0;
      const writable = (access & constants.UV_WRITABLE) !== 0 ? 0o222 : 0;
      return environment.tree.setMode(ino, readable | writable);
    }

    sent(): Pick<SentHandle, 'kind' | 'ends'> | undefined {
      return this.fd < 0 || this.isIpc ? undefined : { kind: 'pipe', ends: undefined };
    }

    override writeUtf8String(request: any, text: string, handle?: Partial<Sendable>): number {
      if (!handle) return super.writeUtf8String(request, text);
      if (!handle.sent?.()) throw unsupported('sending anything but a connection over the channel to a process');
      // The channel of a process that was forked goes to its parent.
      const slot =
        this.#peerSlot ?? environment.processes.find(environment.processes.parentPidOf(environment.state.slot));
      const front = slot < 0 ? EPIPE : giveHandle(environment, handle as Sendable, slot);
      if (typeof front === 'number') return front;
      return super.writeBuffer(request, joinBytes([front, encodeString(text, 'utf8')]));
    }

    override writeBuffer(request: any, buffer: ArrayBufferView, handle?: unknown): number {
      if (handle) throw unsupported('sending a connection over a channel with advanced serialization');
      return super.writeBuffer(request, buffer);
    }

    protected override pass(bytes: Uint8Array): void {
      if (!this.isIpc) return super.pass(bytes);
      this.#takeApart ??= handleReader(environment, (part, sent) => {
        if (sent) this.pendingHandle = receive(sent);
        const { state, names } = streamState(environment);
        state[names.kReadBytesOrError] = part.length;
        state[names.kArrayBufferOffset] = part.byteOffset;
        super.pass(part);
      });
      this.#takeApart(bytes);
    }

    get isIpc(): boolean {
      return this.#kind === constants.IPC;
    }

    protected override dispose(): void {
      if (this.#index >= 0) {
        sockets.release(this.#index, this.#listener);
        environment.tree.unlink(this.#path);
        this.#index = -1;
        this.#listener = 0;
      }
      super.dispose();
    }
  }
  const receive = (sent: SentHandle): object => {
    if (sent.kind === 'tcp') return environment.internalBinding('tcp_wrap').TCP.received(sent);
    const pipe = new Pipe(constants.SOCKET);
    pipe.fd = sent.fd;
    return pipe;
  };
  return { ...environment.dumped('pipe_wrap'), Pipe, PipeConnectWrap: class PipeConnectWrap {} };
};

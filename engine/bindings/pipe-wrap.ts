// pipe_wrap: pipes of the standard streams and of children, Unix sockets, and the IPC channel of fork().
import { EBADF, ENOTSUP } from '../memory/errno';
import type { Binding } from '../process/environment';
import { LocalSockets } from './local-sockets';
import { StreamWrap } from './stream-base';

export const pipeWrap: Binding = (environment) => {
  const { constants } = environment.dumped('pipe_wrap');
  const sockets = LocalSockets.of(environment);

  class Pipe extends StreamWrap {
    onconnection: ((status: number, client?: Pipe) => void) | undefined;
    private readonly kind: number;
    private path = '';
    private listener = 0;

    constructor(kind: number) {
      super(environment);
      this.kind = kind;
    }

    open(fd: number): number {
      if (environment.descriptors.get(fd) < 0) return EBADF;
      this.fd = fd;
      return 0;
    }

    bind(path: string): number {
      this.path = environment.absolute(path);
      return 0;
    }

    listen(backlog: number): number {
      this.listener = sockets.listen(
        { path: this.path, backlog },
        (fd) => {
          const client = new Pipe(constants.SOCKET);
          client.fd = fd;
          this.onconnection?.(0, client);
        },
        (errno) => this.onconnection?.(errno),
      );
      this.setActive(true);
      return 0;
    }

    connect(request: any, path: string): number {
      sockets.connect({ path: environment.absolute(path) }, (errno, fd) => {
        if (errno === 0) this.fd = fd;
        request.oncomplete(errno, this, request, true, true);
      });
      return 0;
    }

    protected override keepsAlive(): boolean {
      return this.listener !== 0;
    }

    fchmod(): number {
      return 0;
    }

    /** Handles cannot be sent over a channel: lib asks this before it tries. */
    writeHandle(): number {
      return ENOTSUP;
    }

    get isIpc(): boolean {
      return this.kind === constants.IPC;
    }

    protected override dispose(): void {
      if (this.listener !== 0) sockets.unlisten(this.listener);
      super.dispose();
    }
  }
  return { ...environment.dumped('pipe_wrap'), Pipe, PipeConnectWrap: class PipeConnectWrap {} };
};

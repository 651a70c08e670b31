// pipe_wrap: pipes of the standard streams and of children, Unix sockets, and the IPC channel of fork().
import { PORT_HOST } from '../ipc/ports';
import { EADDRINUSE, EBADF, ECANCELED, EEXIST, EINVAL, ENOTSUP } from '../memory/errno';
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
    private index = -1;

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
      if (this.index >= 0) return EINVAL;
      const ino = environment.tree.makeSocket(environment.absolute(path), 0o777 & ~environment.state.umask);
      if (ino < 0) return ino === EEXIST ? EADDRINUSE : ino;
      const index = sockets.bind(ino, PORT_HOST.unix);
      if (index < 0) return index;
      this.index = index;
      this.path = environment.absolute(path);
      return 0;
    }

    listen(_backlog: number): number {
      if (this.index < 0) return EINVAL;
      this.listener = sockets.listen(this.index, ({ fd }) => {
        const client = new Pipe(constants.SOCKET);
        client.fd = fd;
        this.onconnection?.(0, client);
      });
      this.setActive(true);
      return 0;
    }

    connect(request: any, path: string): number {
      sockets.connect({ type: 'connect', path: environment.absolute(path) }, (errno, fd) => {
        if (this.closed && fd >= 0) environment.descriptors.close(fd);
        else if (errno === 0) this.fd = fd;
        request.oncomplete(this.closed ? ECANCELED : errno, this, request, true, true);
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
      if (this.index >= 0) {
        sockets.release(this.index, this.listener);
        environment.tree.unlink(this.path);
        this.index = -1;
        this.listener = 0;
      }
      super.dispose();
    }
  }
  return { ...environment.dumped('pipe_wrap'), Pipe, PipeConnectWrap: class PipeConnectWrap {} };
};

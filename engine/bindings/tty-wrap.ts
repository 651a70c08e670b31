// tty_wrap: terminals. Modes and size live in shared memory; the kernel's line discipline acts on them.

import type { Terminal } from '../ipc/types';
import { EBADF, EINVAL, ENOTSUP } from '../memory/errno';
import type { Binding, ProcessEnvironment } from '../process/environment';
import { awaitModes } from './foreground';
import { StreamWrap } from './stream-base';

/** The terminal behind a descriptor, if one is. */
export function terminalOf(environment: ProcessEnvironment, fd: number): Terminal | undefined {
  const description = environment.descriptors.get(fd);
  return description < 0 ? undefined : environment.descriptions.terminalOf(description);
}

/** libuv's uv_tty_mode_t. */
const MODE = { NORMAL: 0, RAW: 1, IO: 2, RAW_VT: 3 } as const;

export const ttyWrap: Binding = (environment) => ({
  UV_TTY_MODE_NORMAL: MODE.NORMAL,
  UV_TTY_MODE_IO: MODE.IO,
  UV_TTY_MODE_RAW_VT: MODE.RAW_VT,
  isTTY: (fd: number) => terminalOf(environment, fd) !== undefined,
  TTY: class TTY extends StreamWrap {
    constructor(fd: number, context: { code?: string; errno?: number; message?: string; syscall?: string }) {
      super(environment, 'TTYWRAP');
      if (terminalOf(environment, fd)) {
        // The stream owns a descriptor of its own: closing it must not close the standard one.
        this.fd = environment.descriptors.duplicate(fd);
        this.setBlocking(true);
        return;
      }
      const errno = environment.descriptors.get(fd) < 0 ? EBADF : EINVAL;
      const [code, message] = environment.errorName(errno);
      Object.assign(context, { errno, code, message, syscall: 'uv_tty_init' });
    }

    getWindowSize(out: number[]): number {
      const terminal = terminalOf(environment, this.fd);
      if (!terminal) return EBADF;
      out[0] = terminal.columns;
      out[1] = terminal.rows;
      return 0;
    }

    /** Normal is canonical with echo and signals. Output is always post-processed, so the mode for binary output is refused. */
    setRawMode(mode: number): number {
      const terminal = terminalOf(environment, this.fd);
      if (!terminal) return EBADF;
      if (mode === MODE.IO) return ENOTSUP;
      awaitModes(environment, terminal);
      const cooked = mode === MODE.NORMAL;
      terminal.setModes({ canonical: cooked, echo: cooked, signals: cooked, returnsNewline: cooked });
      return 0;
    }
  },
});

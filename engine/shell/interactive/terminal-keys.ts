// The keyboard as bytes, straight from the descriptor: nothing is read ahead, so a command that is started gets what was typed for it.
import { type Os, WOULD_BLOCK } from '../os';
import { type NextByte, NO_MORE, TIMED_OUT } from './keys';

/** Bytes of the terminal behind `fd`; an error of reading counts as its end. */
export function terminalKeys(os: Os, fd: number): NextByte {
  const byte = new Uint8Array(1);
  return async (timeoutMs) => {
    for (;;) {
      let count: number;
      try {
        count = os.tryRead(fd, byte);
      } catch {
        return NO_MORE;
      }
      if (count === 0) return NO_MORE;
      if (count !== WOULD_BLOCK) return byte[0]!;
      if (!(await whenReadable(os, fd, timeoutMs))) return TIMED_OUT;
    }
  };
}

function whenReadable(os: Os, fd: number, timeoutMs: number | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    let clock: NodeJS.Timeout | undefined;
    const cancel = os.wait(fd, 'read', () => {
      clearTimeout(clock);
      resolve(true);
    });
    if (timeoutMs !== undefined)
      clock = setTimeout(() => {
        cancel();
        resolve(false);
      }, timeoutMs);
  });
}

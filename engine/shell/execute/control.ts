// How the shell leaves a construct early: small exceptions that unwind to the construct that handles them.
import os from 'node:os';

/** `break n` and `continue n`, unwinding `levels` loops. */
export class LoopExit {
  readonly kind: 'break' | 'continue';
  levels: number;
  constructor(kind: 'break' | 'continue', levels: number) {
    this.kind = kind;
    this.levels = levels;
  }
}

/** `return n` from a function or a sourced file. */
export class Return {
  readonly status: number;
  constructor(status: number) {
    this.status = status;
  }
}

/** `exit n`, or a fatal error of a non-interactive shell: ends the (sub)shell. */
export class Exit {
  readonly status: number;
  constructor(status: number) {
    this.status = status;
  }
}

/** An error in an expansion: everything that stands on the same line is given up. */
export class Discard {
  readonly status: number;
  constructor(status: number) {
    this.status = status;
  }
}

/** The running task was killed. */
export class Killed {
  readonly signal: NodeJS.Signals;
  /** Ctrl-C in the terminal: child processes have got the signal already. */
  readonly fromTerminal: boolean;
  constructor(signal: NodeJS.Signals, fromTerminal = false) {
    this.signal = signal;
    this.fromTerminal = fromTerminal;
  }
  get status(): number {
    return 128 + signalNumber(this.signal);
  }
}

/** An error of an expansion or of a special builtin: printed, and the command (or the shell) ends with `status`. */
export class ShellError {
  readonly message: string;
  readonly status: number;
  /** True: ends a non-interactive shell. `line`: ends what stands on the same line. */
  readonly fatal: boolean | 'line';
  constructor(message: string, status = 1, fatal: boolean | 'line' = false) {
    this.message = message;
    this.status = status;
    this.fatal = fatal;
  }
}

/** The reason of an aborted task's signal. */
export function killedBy(signal: AbortSignal): Killed {
  return signal.reason instanceof Killed ? signal.reason : new Killed('SIGTERM');
}

/** Linux number of a signal name; 0 for an unknown one. */
export function signalNumber(name: string): number {
  return (os.constants.signals as Record<string, number>)[name] ?? 0;
}

/** `TERM`, `SIGTERM`, `15` and `sigterm` as a signal name; undefined when there is none. `EXIT` and 0 are not signals. */
export function signalName(text: string): NodeJS.Signals | undefined {
  if (/^\d+$/.test(text)) {
    const found = Object.entries(os.constants.signals).find(([, value]) => value === Number(text));
    return found?.[0] as NodeJS.Signals | undefined;
  }
  const upper = text.toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  return name in os.constants.signals ? (name as NodeJS.Signals) : undefined;
}

/** Linux' message of an error of Node, as strerror gives it. */
export function errorText(error: unknown): string {
  const code = (error as NodeJS.ErrnoException)?.code;
  return (code && STRERROR[code]) || (error instanceof Error ? error.message : String(error));
}

const STRERROR: Record<string, string> = {
  EAGAIN: 'Resource temporarily unavailable',
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EEXIST: 'File exists',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  EINVAL: 'Invalid argument',
  ENOTEMPTY: 'Directory not empty',
  ELOOP: 'Too many levels of symbolic links',
  EXDEV: 'Invalid cross-device link',
  EBADF: 'Bad file descriptor',
  EPIPE: 'Broken pipe',
  ENOSPC: 'No space left on device',
  EROFS: 'Read-only file system',
  EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long',
  ENOEXEC: 'Exec format error',
  ENXIO: 'No such device or address',
  ESRCH: 'No such process',
  ENOSYS: 'Function not implemented',
  ENOTSUP: 'Operation not supported',
  EBUSY: 'Device or resource busy',
  ECHILD: 'No child processes',
};

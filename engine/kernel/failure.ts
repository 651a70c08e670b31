// How a negative errno becomes an error that the page can show: Node's code and libuv's words.
import * as errno from '../memory/errno';

const MESSAGES: Record<string, string> = {
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or directory',
  ESRCH: 'no such process',
  EIO: 'i/o error',
  ENOEXEC: 'exec format error',
  EBADF: 'bad file descriptor',
  EAGAIN: 'resource temporarily unavailable',
  ENOMEM: 'not enough memory',
  EACCES: 'permission denied',
  EEXIST: 'file already exists',
  ENOTDIR: 'not a directory',
  EISDIR: 'illegal operation on a directory',
  EINVAL: 'invalid argument',
  EMFILE: 'too many open files',
  EFBIG: 'file too large',
  ENOSPC: 'no space left on device',
  EROFS: 'read-only file system',
  ENAMETOOLONG: 'name too long',
  ENOTEMPTY: 'directory not empty',
  ELOOP: 'too many symbolic links encountered',
  ECANCELED: 'operation canceled',
  ENOTSUP: 'operation not supported on socket',
};

const CODES = new Map(Object.entries(errno).map(([code, number]) => [number as number, code]));

/** A failed call: `code` is Node's, `path` what it was about. */
export class Failure extends Error {
  readonly code: string;
  readonly path: string | undefined;

  constructor(code: string, message: string, path?: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.path = path;
  }
}

/** Name of a negative errno, `E<n>` for one that we never make. */
export function errnoCode(number: number): string {
  return CODES.get(number) ?? `E${-number}`;
}

/** `ENOENT: no such file or directory, open '/x'`, as Node words it. */
export function failure(number: number, syscall: string, path?: string, destination?: string): Failure {
  const code = errnoCode(number);
  const subject = path === undefined ? '' : ` '${path}'`;
  const target = destination === undefined ? '' : ` -> '${destination}'`;
  return new Failure(code, `${code}: ${MESSAGES[code] ?? 'unknown error'}, ${syscall}${subject}${target}`, path);
}

/** The result, or throws the failure that a negative one stands for. */
export function checked(result: number, syscall: string, path?: string, destination?: string): number {
  if (result < 0) throw failure(result, syscall, path, destination);
  return result;
}

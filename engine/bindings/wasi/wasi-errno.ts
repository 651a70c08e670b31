// WASI preview1's error numbers (witx: typenames.witx, $errno) for those of Linux.

/** Errors that only WASI knows. */
export const WASI_ERROR = {
  success: 0,
  badf: 8,
  inval: 28,
  nosys: 52,
  notsup: 58,
  overflow: 61,
  notcapable: 76,
} as const;

/** Linux number → WASI number. */
const FROM_LINUX: Record<number, number> = {
  1: 63, // EPERM
  2: 44, // ENOENT
  3: 71, // ESRCH
  4: 27, // EINTR
  5: 29, // EIO
  6: 60, // ENXIO
  7: 1, // E2BIG
  8: 45, // ENOEXEC
  9: 8, // EBADF
  10: 12, // ECHILD
  11: 6, // EAGAIN
  12: 48, // ENOMEM
  13: 2, // EACCES
  16: 10, // EBUSY
  17: 20, // EEXIST
  18: 75, // EXDEV
  20: 54, // ENOTDIR
  21: 31, // EISDIR
  22: 28, // EINVAL
  24: 33, // EMFILE
  25: 59, // ENOTTY
  27: 22, // EFBIG
  28: 51, // ENOSPC
  29: 70, // ESPIPE
  30: 69, // EROFS
  31: 34, // EMLINK
  32: 64, // EPIPE
  36: 37, // ENAMETOOLONG
  37: 46, // ENOLCK
  38: 52, // ENOSYS
  39: 55, // ENOTEMPTY
  40: 32, // ELOOP
  95: 58, // ENOTSUP
  105: 42, // ENOBUFS
};

/** The WASI number of a negative errno of Linux; EIO for one that WASI has no word for. */
export function wasiErrno(errno: number): number {
  return FROM_LINUX[-errno] ?? FROM_LINUX[5];
}

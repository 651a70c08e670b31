// What SQLite's unix VFS imports from its C library (Emscripten's musl: its structures, and WASI's error numbers), on the tree and the
// process's own descriptors. Locks are real ones between processes; memory can't be mapped, so there is no write-ahead log for several.
import { LOCK_TYPE, type LockType } from '../../ipc/types';
import { EINVAL, ENOENT } from '../../memory/errno';
import type { ProcessEnvironment } from '../../process/environment';
import { FILE_TYPE, STAT_FIELDS } from '../../tree/types';
import { DescriptorIo } from '../fs/descriptor-io';
import { check, Errno } from '../fs/request';
import type { GuestMemory } from '../wasi/guest-memory';
import { WASI_ERROR, wasiErrno } from '../wasi/wasi-errno';

const FCNTL = { getFlags: 1, setFlags: 2, getLock: 12, setLock: 13, setLockWait: 14 } as const;
const AT_REMOVEDIR = 0x200;
const NOFOLLOW = 0x100;
const SEEK = { set: 0, current: 1, end: 2 } as const;
/** RecordLocks' end of the file. */
const END = 0x7fffffff;
const WASM_PAGE = 65536;

type Call = (...args: any[]) => number;

/** The imports, by module. */
export function systemCalls(
  environment: ProcessEnvironment,
  memory: GuestMemory,
  grown: WebAssembly.Memory,
  maximumPages: number,
): { env: Record<string, Call | ((...args: any[]) => void)>; wasi: Record<string, Call> } {
  const { tree, state, browser, recordLocks } = environment;
  const io = new DescriptorIo(environment);
  const files = environment.internalBinding('fs');
  const decoder = new browser.TextDecoder();

  const pathAt = (address: number): string => {
    let end = address;
    while (memory.u8(end) !== 0) end++;
    return decoder.decode(memory.bytes(address, end - address).slice());
  };
  const inodeOf = (fd: number): number => {
    const ino = io.inode(fd);
    if (ino === undefined) throw new Errno(EINVAL);
    return ino;
  };
  const lookup = (address: number, follow = true): number => {
    const path = pathAt(address);
    if (path === '') throw new Errno(ENOENT);
    return check(tree.lookup(environment.absolute(path), follow));
  };
  /** A call's result, or the error's WASI number: negative in env, positive in wasi. */
  const answering =
    (sign: 1 | -1, run: Call): Call =>
    (...args) => {
      try {
        return run(...args);
      } catch (thrown) {
        const errno = (thrown as { errno?: unknown }).errno;
        if (typeof errno !== 'number') throw thrown;
        return sign * wasiErrno(errno);
      }
    };
  const putStat = (address: number, ino: number): number => {
    const values = new Float64Array(STAT_FIELDS);
    check(tree.stat(ino, values));
    const [dev, mode, nlink, uid, gid, rdev, blksize, number, size, blocks] = values;
    [dev, mode, nlink, uid, gid, rdev].forEach((value, index) => void memory.setU32(address + index * 4, value));
    memory.setU64(address + 24, size);
    memory.setU32(address + 32, blksize);
    memory.setU32(address + 36, blocks);
    for (let time = 0; time < 3; time++) {
      memory.setU64(address + 40 + time * 16, values[10 + time * 2]);
      memory.setU32(address + 48 + time * 16, values[11 + time * 2]);
    }
    memory.setU64(address + 88, number);
    return 0;
  };

  const lock = (fd: number, command: number, address: number): number => {
    const start = Number(memory.u64(address + 8));
    const length = Number(memory.u64(address + 16));
    const range = { start, end: length === 0 ? END : Math.min(END, start + length) };
    const type = memory.u16(address) as LockType;
    if (command !== FCNTL.getLock) return check(recordLocks.set(inodeOf(fd), type, range));
    if (!recordLocks.isBlocked(inodeOf(fd), type, range)) memory.setU16(address, LOCK_TYPE.none);
    return 0;
  };

  const positions = new Map<number, number>();
  const transfer = (ranges: number, count: number, total: number, move: (range: Uint8Array) => number): number => {
    let sum = 0;
    for (const range of memory.ranges(ranges, count)) {
      const moved = move(range);
      sum += moved;
      if (moved < range.length) break;
    }
    memory.setU32(total, sum);
    return 0;
  };
  /** Reads and writes begin at the position that fd_seek kept: the descriptor is nobody else's. */
  const at =
    (run: (fd: number, range: Uint8Array, position: number | null) => number) =>
    (fd: number) =>
    (range: Uint8Array) => {
      const position = positions.get(fd);
      const moved = run(fd, range, position ?? null);
      if (position !== undefined) positions.set(fd, position + moved);
      return moved;
    };
  const reading = at((fd, range, position) => io.read(fd, range, position));
  const writing = at((fd, range, position) => io.write(fd, range, position));

  const env: Record<string, Call> = {
    __syscall_openat(_directory, path, flags, more) {
      const fd = files.open(environment.absolute(pathAt(path)), flags, memory.u32(more));
      if (tree.typeOf(inodeOf(fd)) === FILE_TYPE.file) positions.set(fd, 0);
      return fd;
    },
    __syscall_fcntl64(fd, command, more) {
      switch (command) {
        case FCNTL.getFlags:
        case FCNTL.setFlags:
          return 0;
        case FCNTL.getLock:
        case FCNTL.setLock:
        case FCNTL.setLockWait:
          return lock(fd, command, memory.u32(more));
        default:
          throw new Errno(EINVAL);
      }
    },
    __syscall_fstat64: (fd, out) => putStat(out, inodeOf(fd)),
    __syscall_stat64: (path, out) => putStat(out, lookup(path)),
    __syscall_lstat64: (path, out) => putStat(out, lookup(path, false)),
    __syscall_newfstatat: (_directory, path, out, flags) => putStat(out, lookup(path, !(flags & NOFOLLOW))),
    __syscall_faccessat(_directory, path) {
      lookup(path);
      return 0;
    },
    __syscall_ftruncate64: (fd, size) => check(tree.truncate(inodeOf(fd), Number(size))),
    __syscall_fchmod: (fd, mode) => check(tree.setMode(inodeOf(fd), mode & 0o7777)),
    __syscall_chmod: (path, mode) => check(tree.setMode(lookup(path), mode & 0o7777)),
    __syscall_fchown32: (fd, uid, gid) => check(tree.setOwner(inodeOf(fd), uid, gid)),
    __syscall_mkdirat: (_directory, path, mode) =>
      check(tree.mkdir(environment.absolute(pathAt(path)), mode & ~state.umask)) && 0,
    __syscall_rmdir: (path) => check(tree.rmdir(environment.absolute(pathAt(path)))),
    __syscall_unlinkat: (_directory, path, flags) => {
      const target = environment.absolute(pathAt(path));
      return check(flags & AT_REMOVEDIR ? tree.rmdir(target) : tree.unlink(target));
    },
    __syscall_readlinkat(_directory, path, out, size) {
      const target = tree.readlink(environment.absolute(pathAt(path)));
      if (typeof target === 'number') throw new Errno(target);
      const bytes = new browser.TextEncoder().encode(target).subarray(0, size);
      memory.bytes(out, bytes.length).set(bytes);
      return bytes.length;
    },
    __syscall_utimensat(_directory, path) {
      const now = Date.now();
      return check(tree.setTimes(lookup(path), now, now));
    },
    __syscall_getcwd(out, size) {
      const bytes = new browser.TextEncoder().encode(state.cwd);
      if (bytes.length + 1 > size) throw new Errno(EINVAL);
      memory.bytes(out, bytes.length).set(bytes);
      memory.setU8(out + bytes.length, 0);
      return bytes.length + 1;
    },
    __syscall_ioctl: () => {
      throw new Errno(EINVAL);
    },
    _mmap_js: () => {
      throw new Errno(EINVAL);
    },
    _munmap_js: () => {
      throw new Errno(EINVAL);
    },
  };
  const wasi: Record<string, Call> = {
    fd_close(fd) {
      positions.delete(fd);
      files.close(fd);
      return 0;
    },
    fd_read: (fd, ranges, count, total) => transfer(ranges, count, total, reading(fd)),
    fd_write: (fd, ranges, count, total) => transfer(ranges, count, total, writing(fd)),
    fd_seek(fd, offset, whence, out) {
      const base =
        { [SEEK.set]: 0, [SEEK.current]: positions.get(fd) ?? 0 }[whence as number] ?? tree.sizeOf(inodeOf(fd));
      const position = base + Number(offset);
      if (position < 0) throw new Errno(EINVAL);
      positions.set(fd, position);
      memory.setU64(out, position);
      return 0;
    },
    // The tree is memory; what keeps it is the kernel's.
    fd_sync: () => 0,
    fd_fdstat_get: () => WASI_ERROR.nosys,
    environ_sizes_get(count, bytes) {
      memory.setU32(count, 0);
      memory.setU32(bytes, 0);
      return 0;
    },
    environ_get: () => 0,
    clock_time_get(clock, _precision, out) {
      const ms = clock === 0 ? Date.now() : browser.performanceNow();
      memory.setU64(out, Math.round(ms * 1e6));
      return 0;
    },
  };
  for (const [name, call] of Object.entries(env)) env[name] = answering(-1, call);
  for (const [name, call] of Object.entries(wasi)) wasi[name] = answering(1, call);
  return {
    env: {
      ...env,
      emscripten_date_now: () => Date.now(),
      emscripten_get_now: () => browser.performanceNow(),
      emscripten_get_heap_max: () => maximumPages * WASM_PAGE,
      emscripten_resize_heap(bytes: number): number {
        const pages = Math.ceil(((bytes >>> 0) - grown.buffer.byteLength) / WASM_PAGE);
        try {
          grown.grow(Math.max(pages, Math.min(maximumPages - grown.buffer.byteLength / WASM_PAGE, 64)));
          return 1;
        } catch {
          return 0;
        }
      },
      _tzset_js: (zone: number, daylight: number, standard: number, summer: number) =>
        putTimeZone(memory, zone, daylight, standard, summer),
      _localtime_js: (seconds: bigint, out: number) => putLocalTime(memory, Number(seconds), out),
    },
    wasi,
  };
}

const offsetOf = (month: number): number => new Date(new Date().getFullYear(), month, 1).getTimezoneOffset();

function putTimeZone(memory: GuestMemory, zone: number, daylight: number, ...names: number[]): void {
  const [winter, summer] = [offsetOf(0), offsetOf(6)];
  memory.setU32(zone, Math.max(winter, summer) * 60);
  memory.setU32(daylight, winter === summer ? 0 : 1);
  for (const name of names) memory.setU8(name, 0);
}

/** `struct tm`: seconds, minutes, hours, day, month, year since 1900, weekday, day of the year, summer time, offset from UTC in seconds. */
function putLocalTime(memory: GuestMemory, seconds: number, out: number): void {
  const date = new Date(seconds * 1000);
  const year = date.getFullYear();
  const midnight = (...day: [number, number]): number => Date.UTC(year, ...day) / 86_400_000;
  const fields = [
    date.getSeconds(),
    date.getMinutes(),
    date.getHours(),
    date.getDate(),
    date.getMonth(),
    year - 1900,
    date.getDay(),
    midnight(date.getMonth(), date.getDate()) - midnight(0, 1),
    date.getTimezoneOffset() < Math.max(offsetOf(0), offsetOf(6)) ? 1 : 0,
    -date.getTimezoneOffset() * 60,
  ];
  fields.forEach((value, index) => void memory.setU32(out + index * 4, value));
}

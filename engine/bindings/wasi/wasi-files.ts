// WASI's file calls on the tree. A WASI descriptor is a directory (a path that calls resolve against, and may not leave) or one of the
// process's own descriptors.
import { DESCRIPTION_KIND } from '../../ipc/types';
import { EEXIST, EINVAL, EISDIR, ELOOP, ENOENT, ENOTDIR, ESPIPE } from '../../memory/errno';
import type { ProcessEnvironment } from '../../process/environment';
import { FILE_TYPE, type FileType, STAT_FIELDS } from '../../tree/types';
import { DescriptorIo } from '../fs/descriptor-io';
import { check, Errno } from '../fs/request';
import type { GuestMemory } from './guest-memory';
import { WASI_ERROR } from './wasi-errno';

type Entry =
  | { kind: 'directory'; path: string; preopened: string | undefined }
  | { kind: 'stream'; fd: number; isStdio: boolean; flags: number };

/** A WASI error that Linux has no number for. */
export class WasiError {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** No buffer space available. */
const ENOBUFS = -105;
const O = { WRONLY: 1, RDWR: 2, APPEND: 0o2000, NONBLOCK: 0o4000 } as const;
const OPEN = { create: 1, directory: 2, exclusive: 4, truncate: 8 } as const;
const FD_FLAG = { append: 1, nonblock: 4 } as const;
const FOLLOW = 1;
/** Rights that ask for reading or for writing (fd_read, fd_readdir; fd_datasync, fd_write, fd_allocate, fd_filestat_set_size). */
const READ_RIGHTS = (1n << 1n) | (1n << 14n);
const WRITE_RIGHTS = 1n | (1n << 6n) | (1n << 8n) | (1n << 22n);
const ALL_RIGHTS = (1n << 30n) - 1n;
const TIME_FLAG = { atime: 1, atimeNow: 2, mtime: 4, mtimeNow: 8 } as const;
const FILE_KIND: Record<FileType, number> = {
  [FILE_TYPE.character]: 2,
  [FILE_TYPE.directory]: 3,
  [FILE_TYPE.file]: 4,
  [FILE_TYPE.socket]: 6,
  [FILE_TYPE.symlink]: 7,
};
const STREAM_KIND = 6;
const DIRENT_BYTES = 24;

type Call = (...args: any[]) => void;

/** The calls by name. They throw Errno or WasiError. */
export function wasiFiles(
  environment: ProcessEnvironment,
  memory: () => GuestMemory,
  preopens: string[],
  stdio: number[],
): { calls: Record<string, Call>; descriptorOf(fd: number): number } {
  const { tree, descriptors, descriptions, state } = environment;
  const io = new DescriptorIo(environment);
  const entries = new Map<number, Entry>();
  stdio.forEach((fd, index) => void entries.set(index, { kind: 'stream', fd, isStdio: true, flags: 0 }));
  for (let index = 0; index < preopens.length; index += 2) {
    const ino = check(tree.lookup(environment.absolute(preopens[index + 1])));
    if (tree.typeOf(ino) !== FILE_TYPE.directory) throw new Errno(ENOTDIR);
    entries.set(3 + index / 2, { kind: 'directory', path: tree.pathOf(ino), preopened: preopens[index] });
  }

  const entryOf = (fd: number): Entry => {
    const entry = entries.get(fd);
    if (!entry) throw new WasiError(WASI_ERROR.badf);
    return entry;
  };
  const streamOf = (fd: number): Extract<Entry, { kind: 'stream' }> => {
    const entry = entryOf(fd);
    if (entry.kind === 'directory') throw new Errno(EISDIR);
    return entry;
  };
  const directoryOf = (fd: number): Extract<Entry, { kind: 'directory' }> => {
    const entry = entryOf(fd);
    if (entry.kind !== 'directory') throw new Errno(ENOTDIR);
    return entry;
  };
  const inodeOf = (fd: number): number | undefined => {
    const entry = entryOf(fd);
    return entry.kind === 'directory' ? check(tree.lookup(entry.path)) : io.inode(entry.fd);
  };
  const fileOf = (fd: number): number => {
    const ino = io.inode(streamOf(fd).fd);
    if (ino === undefined) throw new Errno(ESPIPE);
    return ino;
  };
  const isInside = (path: string, root: string): boolean =>
    root === '/' || path === root || path.startsWith(`${root}/`);

  /** An absolute path inside of the directory `fd`. As in Node, a link may lead out of it: WASI is no boundary here. */
  const pathOf = (fd: number, address: number, length: number): string => {
    const root = directoryOf(fd).path;
    const given = memory().text(address, length);
    const parts: string[] = given.startsWith('/') ? [] : root.split('/').filter(Boolean);
    for (const part of given.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    const path = `/${parts.join('/')}`;
    if (!isInside(path, root)) throw new WasiError(WASI_ERROR.notcapable);
    return given.endsWith('/') && path !== '/' ? `${path}/` : path;
  };

  const putStat = (address: number, ino: number | undefined): void => {
    const out = memory();
    const values = new BigInt64Array(STAT_FIELDS);
    if (ino !== undefined) check(tree.stat(ino, values));
    const nanoseconds = (index: number): bigint => values[index] * 1_000_000_000n + values[index + 1];
    out.setU64(address, values[0]);
    out.setU64(address + 8, values[7]);
    out.setU64(address + 16, ino === undefined ? STREAM_KIND : FILE_KIND[tree.typeOf(ino)]);
    out.setU64(address + 24, values[2]);
    out.setU64(address + 32, values[8]);
    [10, 12, 14].forEach((index, order) => void out.setU64(address + 40 + order * 8, nanoseconds(index)));
  };
  const setTimes = (ino: number, atime: bigint, mtime: bigint, flags: number): void => {
    const pick = (value: bigint, given: number, now: number): number | undefined =>
      flags & now ? Date.now() : flags & given ? Number(value) / 1e6 : undefined;
    check(
      tree.setTimes(
        ino,
        pick(atime, TIME_FLAG.atime, TIME_FLAG.atimeNow),
        pick(mtime, TIME_FLAG.mtime, TIME_FLAG.mtimeNow),
      ),
    );
  };
  const nextFd = (): number => {
    for (let fd = 0; ; fd++) if (!entries.has(fd)) return fd;
  };
  const transfer = (
    ranges: Uint8Array[],
    position: bigint | undefined,
    move: (range: Uint8Array, at: number | null) => number,
  ): number => {
    let total = 0;
    for (const range of ranges) {
      if (range.length === 0) continue;
      const count = move(range, position === undefined ? null : Number(position) + total);
      total += count;
      if (count < range.length) break;
    }
    return total;
  };
  const readInto = (fd: number, iovs: number, count: number, position: bigint | undefined, out: number): void => {
    const stream = streamOf(fd);
    const done = transfer(memory().ranges(iovs, count), position, (range, at) => io.read(stream.fd, range, at));
    memory().setU32(out, done);
  };
  const writeFrom = (fd: number, iovs: number, count: number, position: bigint | undefined, out: number): void => {
    const stream = streamOf(fd);
    const done = transfer(memory().ranges(iovs, count), position, (range, at) => io.write(stream.fd, range, at));
    memory().setU32(out, done);
  };
  const seek = (fd: number, offset: bigint, whence: number): number => {
    const ino = fileOf(fd);
    const description = io.description(streamOf(fd).fd);
    const base = whence === 0 ? 0 : whence === 1 ? descriptions.positionOf(description) : tree.sizeOf(ino);
    const position = base + Number(offset);
    if (whence > 2 || position < 0) throw new Errno(EINVAL);
    descriptions.setPosition(description, position);
    return position;
  };

  const open = (path: string, follow: boolean, openFlags: number, rights: bigint, fdFlags: number): Entry => {
    let ino = tree.lookup(path, follow && !(openFlags & OPEN.exclusive));
    if (ino === ENOENT && openFlags & OPEN.create) {
      ino = check(tree.create(path, 0o666 & ~state.umask, (openFlags & OPEN.exclusive) !== 0));
    } else if (ino >= 0 && openFlags & OPEN.create && openFlags & OPEN.exclusive) throw new Errno(EEXIST);
    check(ino);
    const type = tree.typeOf(ino);
    if (type === FILE_TYPE.directory) {
      if (rights & WRITE_RIGHTS & ~(1n | (1n << 8n)) && !(openFlags & OPEN.directory)) throw new Errno(EISDIR);
      return { kind: 'directory', path: tree.pathOf(ino), preopened: undefined };
    }
    if (openFlags & OPEN.directory) throw new Errno(ENOTDIR);
    if (type === FILE_TYPE.symlink) throw new Errno(ELOOP);
    const writes = (rights & WRITE_RIGHTS) !== 0n;
    if (writes) check(tree.mayWrite(ino));
    const access = writes ? (rights & READ_RIGHTS ? O.RDWR : O.WRONLY) : 0;
    const flags = access | (fdFlags & FD_FLAG.append ? O.APPEND : 0) | (fdFlags & FD_FLAG.nonblock ? O.NONBLOCK : 0);
    if (openFlags & OPEN.truncate) check(tree.truncate(ino, 0));
    return { kind: 'stream', fd: check(descriptors.openFile(ino, flags)), isStdio: false, flags: fdFlags };
  };

  const calls: Record<string, Call> = {
    fd_advise: (fd) => void entryOf(fd),
    fd_allocate(fd, offset, length) {
      const ino = fileOf(fd);
      const wanted = Number(offset) + Number(length);
      if (wanted > tree.sizeOf(ino)) check(tree.truncate(ino, wanted));
    },
    fd_close(fd) {
      const entry = entryOf(fd);
      entries.delete(fd);
      // Closing a standard stream of the program does not close the process's.
      if (entry.kind === 'stream' && !entry.isStdio) check(descriptors.close(entry.fd));
    },
    fd_datasync: (fd) => void entryOf(fd),
    fd_sync: (fd) => void entryOf(fd),
    fd_fdstat_get(fd, out) {
      const entry = entryOf(fd);
      let kind = FILE_KIND[FILE_TYPE.directory];
      if (entry.kind === 'stream') {
        const ino = io.inode(entry.fd);
        const isTerminal = descriptions.kindOf(io.description(entry.fd)) === DESCRIPTION_KIND.terminal;
        kind = ino !== undefined ? FILE_KIND[tree.typeOf(ino)] : isTerminal ? 2 : STREAM_KIND;
      }
      memory().setU64(out, kind);
      memory().setU16(out + 2, entry.kind === 'stream' ? entry.flags : 0);
      // A character device that may seek or tell is not taken for a terminal.
      const rights = kind === 2 ? ALL_RIGHTS & ~((1n << 2n) | (1n << 5n)) : ALL_RIGHTS;
      memory().setU64(out + 8, rights);
      memory().setU64(out + 16, entry.kind === 'directory' ? ALL_RIGHTS : 0n);
    },
    fd_fdstat_set_flags(fd, flags) {
      const stream = streamOf(fd);
      const description = io.description(stream.fd);
      const kept = descriptions.flagsOf(description) & ~(O.APPEND | O.NONBLOCK);
      const next = (flags & FD_FLAG.append ? O.APPEND : 0) | (flags & FD_FLAG.nonblock ? O.NONBLOCK : 0);
      descriptions.setFlags(description, kept | next);
      stream.flags = flags;
    },
    fd_fdstat_set_rights: (fd) => void entryOf(fd),
    fd_filestat_get: (fd, out) => putStat(out, inodeOf(fd)),
    fd_filestat_set_size: (fd, size) => void check(tree.truncate(fileOf(fd), Number(size))),
    fd_filestat_set_times(fd, atime, mtime, flags) {
      const ino = inodeOf(fd);
      if (ino !== undefined) setTimes(ino, atime, mtime, flags);
    },
    fd_pread: (fd, iovs, count, offset, out) => readInto(fd, iovs, count, offset, out),
    fd_pwrite: (fd, iovs, count, offset, out) => writeFrom(fd, iovs, count, offset, out),
    fd_read: (fd, iovs, count, out) => readInto(fd, iovs, count, undefined, out),
    fd_write: (fd, iovs, count, out) => writeFrom(fd, iovs, count, undefined, out),
    fd_prestat_get(fd, out) {
      const entry = entryOf(fd);
      if (entry.kind !== 'directory' || entry.preopened === undefined) throw new Errno(EINVAL);
      memory().setU32(out, 0);
      memory().setU32(out + 4, new TextEncoder().encode(entry.preopened).length);
    },
    fd_prestat_dir_name(fd, address, length) {
      const entry = entryOf(fd);
      if (entry.kind !== 'directory' || entry.preopened === undefined) throw new WasiError(WASI_ERROR.badf);
      const name = new TextEncoder().encode(entry.preopened);
      if (name.length > length) throw new Errno(ENOBUFS);
      memory().bytes(address, name.length).set(name);
    },
    fd_readdir(fd, address, length, cookie, out) {
      const list = tree.list(check(tree.lookup(directoryOf(fd).path)));
      if (typeof list === 'number') throw new Errno(list);
      const target = memory().bytes(address, length);
      let used = 0;
      for (let index = Number(cookie); index < list.length && used < target.length; index++) {
        const { name, ino, type } = list[index];
        const encoded = new TextEncoder().encode(name);
        const record = new Uint8Array(DIRENT_BYTES + encoded.length);
        const view = new DataView(record.buffer);
        view.setBigUint64(0, BigInt(index + 1), true);
        view.setBigUint64(8, BigInt(ino), true);
        view.setUint32(16, encoded.length, true);
        view.setUint8(20, FILE_KIND[type]);
        record.set(encoded, DIRENT_BYTES);
        const part = record.subarray(0, target.length - used);
        target.set(part, used);
        used += part.length;
      }
      memory().setU32(out, used);
    },
    fd_renumber(from, to) {
      const entry = entryOf(from);
      entryOf(to);
      if (from === to) return;
      calls.fd_close(to);
      entries.delete(from);
      entries.set(to, entry);
    },
    fd_seek: (fd, offset, whence, out) => memory().setU64(out, seek(fd, offset, whence)),
    fd_tell: (fd, out) => memory().setU64(out, seek(fd, 0n, 1)),
    path_create_directory: (fd, path, length) => void check(tree.mkdir(pathOf(fd, path, length), 0o777 & ~state.umask)),
    path_filestat_get(fd, flags, path, length, out) {
      const follow = (flags & FOLLOW) !== 0;
      putStat(out, check(tree.lookup(pathOf(fd, path, length), follow)));
    },
    path_filestat_set_times(fd, flags, path, length, atime, mtime, timeFlags) {
      const follow = (flags & FOLLOW) !== 0;
      setTimes(check(tree.lookup(pathOf(fd, path, length), follow)), atime, mtime, timeFlags);
    },
    path_link(fromFd, _flags, from, fromLength, toFd, to, toLength) {
      const existing = pathOf(fromFd, from, fromLength);
      check(tree.link(existing, pathOf(toFd, to, toLength)));
    },
    path_open(fd, flags, path, length, openFlags, rights, _inheriting, fdFlags, out) {
      const follow = (flags & FOLLOW) !== 0;
      const entry = open(pathOf(fd, path, length), follow, openFlags, BigInt.asUintN(64, rights), fdFlags);
      const number = nextFd();
      entries.set(number, entry);
      memory().setU32(out, number);
    },
    path_readlink(fd, path, length, address, size, out) {
      const target = tree.readlink(pathOf(fd, path, length));
      if (typeof target === 'number') throw new Errno(target);
      const encoded = new TextEncoder().encode(target);
      if (encoded.length >= size >>> 0) throw new Errno(ENOBUFS);
      memory().bytes(address, encoded.length).set(encoded);
      memory().setU32(out, encoded.length);
    },
    path_remove_directory: (fd, path, length) => void check(tree.rmdir(pathOf(fd, path, length))),
    path_rename: (fromFd, from, fromLength, toFd, to, toLength) =>
      void check(tree.rename(pathOf(fromFd, from, fromLength), pathOf(toFd, to, toLength))),
    path_symlink: (target, targetLength, fd, path, length) =>
      void check(tree.symlink(memory().text(target, targetLength), pathOf(fd, path, length))),
    path_unlink_file: (fd, path, length) => void check(tree.unlink(pathOf(fd, path, length))),
  };
  return { calls, descriptorOf: (fd) => streamOf(fd).fd };
}

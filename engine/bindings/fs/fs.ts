// fs: Node's file calls on the shared tree and the process's descriptors. Answers are libuv's, including the syscall and path of errors.
import { EBADF, EEXIST, EINVAL, EISDIR, ELOOP, ENOENT, ENOTDIR } from '../../memory/errno';
import { unsupported } from '../../process/dump';
import type { Binding } from '../../process/environment';
import { MAX_INODES } from '../../tree/geometry';
import { FILE_TYPE, STAT_FIELDS } from '../../tree/types';
import { encodeString, viewBytes } from '../strings';
import { validateDescriptor, validateMode } from './call-arguments';
import { copyBindings } from './copy';
import { DescriptorIo, type Position } from './descriptor-io';
import { descriptorEntries, descriptorOf, isDescriptorFolder } from './descriptor-names';
import { fileHandleClass } from './file-handle';
import { type CallShape, check, Errno, pathText, Requests } from './request';
import { leading, makeDirectories, removeTree } from './tree-walk';
import { statWatcherClass } from './watchers';

const O = { ACCMODE: 3, CREAT: 0o100, EXCL: 0o200, TRUNC: 0o1000, DIRECTORY: 0o200000, NOFOLLOW: 0o400000 } as const;
/** Linux's numbers of `uv_dirent_type_t`. */
const DIRENT_TYPE: Record<number, number> = {
  [FILE_TYPE.file]: 1,
  [FILE_TYPE.directory]: 2,
  [FILE_TYPE.symlink]: 3,
  [FILE_TYPE.socket]: 5,
  [FILE_TYPE.character]: 6,
};
const TMPFS_MAGIC = 0x01021994;

export const fs: Binding = (environment) => {
  const { tree, descriptors, descriptions, state, browser } = environment;
  const binding = environment.dumped('fs');
  const requests = new Requests(environment);
  const io = new DescriptorIo(environment);
  const absolute = environment.absolute;
  const encodeUtf8 = new browser.TextEncoder();
  const decodeText = new browser.TextDecoder('utf-8', { ignoreBOM: true });
  const statValues = new Float64Array(STAT_FIELDS * 2);
  const bigintStatValues = new BigInt64Array(STAT_FIELDS * 2);

  const encodeName = (name: string, encoding: string | undefined): unknown => {
    if (!encoding || encoding === 'utf8' || encoding === 'utf-8') return name;
    const bytes = (globalThis as any).Buffer.from(name);
    return encoding === 'buffer' ? bytes : bytes.toString(encoding);
  };
  const inode = (path: unknown, follow = true): number => check(tree.lookup(absolute(path as string), follow));
  /** The open descriptor that a path is another name of. */
  const openDescriptorOf = (path: unknown): number | undefined => {
    const fd = descriptorOf(absolute(path as string));
    return fd !== undefined && descriptors.get(fd) >= 0 ? fd : undefined;
  };

  const open = (path: unknown, flags: number, mode: number): number => {
    const target = absolute(path as string);
    const alias = descriptorOf(target);
    if (alias !== undefined) return check(descriptors.duplicate(alias));
    const follow = !(flags & O.NOFOLLOW) && !(flags & O.CREAT && flags & O.EXCL);
    let ino = tree.lookup(target, follow);
    if (ino === ENOENT && flags & O.CREAT) {
      if (target.endsWith('/')) throw new Errno(EISDIR);
      ino = check(tree.create(target, mode & ~state.umask & 0o7777, (flags & O.EXCL) !== 0));
    } else if (ino < 0) throw new Errno(ino);
    else if (flags & O.CREAT && flags & O.EXCL) throw new Errno(EEXIST);
    const type = tree.typeOf(ino);
    if (type === FILE_TYPE.directory && flags & O.ACCMODE) throw new Errno(EISDIR);
    if (type !== FILE_TYPE.directory && flags & O.DIRECTORY) throw new Errno(ENOTDIR);
    if (type === FILE_TYPE.symlink) throw new Errno(ELOOP);
    if (flags & (O.ACCMODE | O.TRUNC)) check(tree.mayWrite(ino));
    if (flags & O.TRUNC && flags & O.ACCMODE && type === FILE_TYPE.file) check(tree.truncate(ino, 0));
    return check(descriptors.openFile(ino, flags));
  };

  const statOf = (ino: number, bigint: boolean): Float64Array | BigInt64Array => {
    const out = bigint ? new BigInt64Array(STAT_FIELDS) : new Float64Array(STAT_FIELDS);
    check(tree.stat(ino, out));
    return out;
  };
  /** fstat of something that is not in the tree: a pipe (S_IFIFO) or a terminal (S_IFCHR). */
  const statOfStream = (fd: number, bigint: boolean): Float64Array | BigInt64Array => {
    const isTerminal = descriptions.terminalOf(io.description(fd)) !== undefined;
    const out = bigint ? new BigInt64Array(STAT_FIELDS) : new Float64Array(STAT_FIELDS);
    const set = (index: number, value: number): void => {
      (out as any)[index] = bigint ? BigInt(value) : value;
    };
    set(1, isTerminal ? 0o20620 : 0o10600);
    set(2, 1);
    set(6, isTerminal ? 1024 : 4096);
    return out;
  };
  const statOfDescriptor = (fd: number, bigint: boolean): Float64Array | BigInt64Array => {
    const ino = io.inode(fd);
    return ino === undefined ? statOfStream(fd, bigint) : statOf(ino, bigint);
  };
  /** lstat of another name of a descriptor: the link itself, as /proc shows it. */
  const statOfAlias = (path: unknown, bigint: boolean): Float64Array | BigInt64Array => {
    const ino = tree.lookup(absolute(path as string), false);
    if (ino > 0) return statOf(ino, bigint);
    const out = bigint ? new BigInt64Array(STAT_FIELDS) : new Float64Array(STAT_FIELDS);
    (out as any)[1] = bigint ? 0o120700n : 0o120700;
    (out as any)[2] = bigint ? 1n : 1;
    return out;
  };
  /** What readlink says of another name of a descriptor. */
  const nameOfDescriptor = (fd: number): string => {
    const ino = io.inode(fd);
    if (ino !== undefined) return tree.pathOf(ino);
    const description = io.description(fd);
    return descriptions.terminalOf(description) ? '/dev/tty' : `pipe:[${description}]`;
  };
  const define = (
    name: string,
    shape: Partial<CallShape> & { request: number },
    run: (...args: any[]) => unknown,
    later?: (...args: any[]) => Promise<unknown> | undefined,
  ): void => {
    binding[name] = requests.define({ syscall: name, ...shape }, run, later);
  };
  const onePath = { paths: [0] };
  const twoPaths = { paths: [0, 1] };
  const aDescriptor = { validate: validateDescriptor };

  Object.assign(binding, {
    kUsePromises: requests.kUsePromises,
    statValues,
    bigintStatValues,
    FSReqCallback: class FSReqCallback {
      readonly bigint: boolean | undefined;
      constructor(bigint?: boolean) {
        this.bigint = bigint;
      }
    },
    FileHandle: fileHandleClass(environment),
    StatWatcher: statWatcherClass(environment),
    existsSync: (path: unknown) => tree.lookup(absolute(path as string)) >= 0 || openDescriptorOf(path) !== undefined,
    internalModuleStat(first: unknown, second?: unknown) {
      const ino = tree.lookup(absolute((typeof first === 'string' ? first : second) as string));
      return ino < 0 ? ino : tree.typeOf(ino) === FILE_TYPE.directory ? 1 : 0;
    },
    ...copyBindings(environment),
  });

  define('access', { request: 2, paths: [0], validate: (_path, mode) => validateMode(mode) }, (path, mode) => {
    const fd = openDescriptorOf(path);
    const ino = fd === undefined ? inode(path) : io.inode(fd);
    if (ino === undefined) return;
    const isExecutable = tree.typeOf(ino) === FILE_TYPE.directory || (tree.modeOf(ino) & 0o111) !== 0;
    if (mode & 1 && !isExecutable) throw new Errno(-13);
    if (mode & 2) check(tree.mayWrite(ino));
  });
  define('open', { request: 3, ...onePath }, (path, flags, mode) => open(path, flags, mode));
  define(
    'openFileHandle',
    { request: 3, syscall: 'open', ...onePath },
    (path, flags, mode) => new binding.FileHandle(open(path, flags, mode)),
  );
  define('close', { request: 1, ...aDescriptor }, (fd) => void check(descriptors.close(fd)));

  define(
    'read',
    { request: 5, ...aDescriptor },
    (fd, buffer, offset, length, position) =>
      io.read(fd, viewBytes(buffer).subarray(offset, offset + length), position),
    (fd, buffer, offset, length, position) =>
      io.readLater(fd, viewBytes(buffer).subarray(offset, offset + length), position),
  );
  define('readBuffers', { request: 3, syscall: 'read', ...aDescriptor }, (fd, buffers, position) => {
    let total = 0;
    for (const buffer of buffers) {
      const count = io.read(
        fd,
        viewBytes(buffer),
        typeof position === 'number' && position >= 0 ? position + total : null,
      );
      total += count;
      if (count < buffer.byteLength) break;
    }
    return total;
  });
  define(
    'writeBuffer',
    { request: 5, syscall: 'write', ...aDescriptor },
    (fd, buffer, offset, length, position) => io.write(fd, slice(buffer, offset, length), position),
    (fd, buffer, offset, length, position) =>
      isAppending(position) ? io.writeLater(fd, slice(buffer, offset, length)) : undefined,
  );
  const slice = (buffer: ArrayBufferView, offset: number | null, length: number | null): Uint8Array =>
    viewBytes(buffer).subarray(
      offset ?? 0,
      length === null || length === undefined ? undefined : (offset ?? 0) + length,
    );
  const isAppending = (position: Position): boolean =>
    position === null || position === undefined || Number(position) < 0;
  withContext(binding, 'writeBuffer', environment);
  define('writeBuffers', { request: 3, syscall: 'write', ...aDescriptor }, (fd, buffers, position) => {
    let total = 0;
    for (const buffer of buffers)
      total += io.write(fd, viewBytes(buffer), typeof position === 'number' ? position + total : null);
    return total;
  });
  // writeString(fd, text, position, encoding, request, context)
  const writeString = requests.define(
    { syscall: 'write', request: 4, ...aDescriptor },
    (fd, text, position, encoding) => io.write(fd, encodeString(text, encoding), position),
    (fd, text, position, encoding) =>
      isAppending(position) ? io.writeLater(fd, encodeString(text, encoding)) : undefined,
  );
  binding.writeString = writeString;
  withContext(binding, 'writeString', environment, 4);

  const readToEnd = (fd: number): string => decodeText.decode(io.readAll(fd));
  binding.readFileUtf8 = (target: string | Uint8Array | number, flags: number): string => {
    if (typeof target === 'number') return call('read', undefined, () => readToEnd(target));
    const path = absolute(target);
    if (flags & (O.CREAT | O.TRUNC) || path.startsWith('/dev/') || path.startsWith('/proc/')) {
      return call('open', pathText(target), () => {
        const fd = open(target, flags, 0o666);
        try {
          return readToEnd(fd);
        } finally {
          descriptors.close(fd);
        }
      });
    }
    const ino = tree.lookup(path);
    if (ino < 0) throw environment.uvException(ino, 'open', pathText(target));
    if (tree.typeOf(ino) === FILE_TYPE.directory) throw environment.uvException(EISDIR, 'read');
    return tree.readText(ino);
  };
  binding.writeFileUtf8 = (target: string | Uint8Array | number, text: string, flags: number, mode: number): void => {
    const bytes = encodeUtf8.encode(text);
    if (typeof target === 'number') {
      validateDescriptor(target);
      call('write', undefined, () => io.write(target, bytes, null));
      return;
    }
    call('open', pathText(target), () => {
      const fd = open(target, flags, mode);
      try {
        io.write(fd, bytes, null);
      } finally {
        descriptors.close(fd);
      }
    });
  };
  const call = <T>(syscall: string, path: string | undefined, run: () => T): T => {
    try {
      return run();
    } catch (thrown) {
      throw thrown instanceof Errno ? environment.uvException(thrown.errno, syscall, path) : thrown;
    }
  };

  for (const [name, follow] of [
    ['stat', true],
    ['lstat', false],
  ] as const) {
    const shaped = requests.define({ syscall: name, request: 2, ...onePath }, (path, bigint) => {
      const fd = openDescriptorOf(path);
      if (fd !== undefined) return follow ? statOfDescriptor(fd, bigint) : statOfAlias(path, bigint);
      return statOf(inode(path, follow), bigint);
    });
    binding[name] = (path: unknown, bigint: boolean, request: unknown, throwIfNoEntry?: boolean) => {
      if (request !== undefined) return shaped(path, bigint, request);
      // The hottest call of all. The synchronous form answers in the one array that lib reads at once.
      const out = bigint ? bigintStatValues : statValues;
      const found = tree.lookup(absolute(path as string), follow);
      const failed = found < 0 ? found : tree.stat(found, out);
      if (failed === 0) return out;
      const fd = openDescriptorOf(path);
      if (fd !== undefined) {
        (out as Float64Array).set((follow ? statOfDescriptor(fd, bigint) : statOfAlias(path, bigint)) as Float64Array);
        return out;
      }
      if (throwIfNoEntry === false && (failed === ENOENT || (follow && failed === ENOTDIR))) return undefined;
      throw environment.uvException(failed, name, pathText(path));
    };
  }
  const fstat = requests.define({ syscall: 'fstat', request: 2, ...aDescriptor }, statOfDescriptor);
  binding.fstat = (fd: number, bigint: boolean, request: unknown, shouldNotThrow?: boolean) => {
    if (request === undefined && shouldNotThrow && descriptors.get(fd) < 0) return undefined;
    return fstat(fd, bigint, request);
  };
  define('statfs', { request: 2, ...onePath }, (path, bigint) => {
    inode(path);
    const { inodes, bytes, capacityBytes } = tree.usage();
    const blocks = Math.floor(capacityBytes / 4096);
    const free = blocks - Math.ceil(bytes / 4096);
    const values = [TMPFS_MAGIC, 4096, 4096, blocks, free, free, MAX_INODES, MAX_INODES - inodes];
    return bigint ? BigInt64Array.from(values, (value) => BigInt(value)) : Float64Array.from(values);
  });

  define('mkdir', { request: 3, ...onePath }, (path, mode, recursive) => {
    const permissions = mode & ~state.umask & 0o7777;
    // A working directory that was removed is not made again.
    if (!pathText(path).startsWith('/')) inode('.');
    if (recursive) {
      const first = makeDirectories(tree, absolute(path), permissions);
      // Named as the program named it.
      const given = pathText(path);
      return first === undefined || given.startsWith('/') ? first : leading(given, first, absolute);
    }
    check(tree.mkdir(absolute(path), permissions));
    return undefined;
  });
  define('rmdir', { request: 1, ...onePath }, (path) => void check(tree.rmdir(absolute(path))));
  define('unlink', { request: 1, ...onePath }, (path) => void check(tree.unlink(absolute(path))));
  define('rename', { request: 2, ...twoPaths }, (from, to) => void check(tree.rename(absolute(from), absolute(to))));
  binding.rmSync = (path: string, _retries: number, recursive: boolean) => {
    const target = absolute(path).replace(/(?<=.)\/+$/, '');
    const ino = tree.lookup(target, false);
    if (ino < 0) return;
    if (tree.typeOf(ino) === FILE_TYPE.directory && !recursive) {
      throw Object.assign(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${pathText(path)}`), {
        name: 'SystemError',
        code: 'ERR_FS_EISDIR',
        errno: EISDIR,
        syscall: 'rm',
        path: pathText(path),
      });
    }
    call('rm', pathText(path), () => removeTree(tree, target));
  };
  define('ftruncate', { request: 2, ...aDescriptor }, (fd, length) => {
    const ino = io.inode(fd);
    if (ino === undefined || !(descriptions.flagsOf(io.description(fd)) & O.ACCMODE)) throw new Errno(EINVAL);
    check(tree.truncate(ino, length ?? 0));
  });
  // Nothing is buffered between a write and the tree; the kernel's journal follows the tree on its own.
  define('fsync', { request: 1, ...aDescriptor }, (fd) => void io.description(fd));
  define('fdatasync', { request: 1, ...aDescriptor }, (fd) => void io.description(fd));

  define('readdir', { request: 3, syscall: 'scandir', ...onePath }, (path, encoding, withTypes) => {
    const entries = isDescriptorFolder(absolute(path)) ? descriptorEntries(descriptors) : tree.list(inode(path));
    if (typeof entries === 'number') throw new Errno(entries);
    const names = entries.map((entry) => encodeName(entry.name, encoding));
    return withTypes ? [names, entries.map((entry) => DIRENT_TYPE[entry.type])] : names;
  });
  define('readlink', { request: 2, ...onePath }, (path, encoding) => {
    const fd = tree.lookup(absolute(path), false) < 0 ? openDescriptorOf(path) : undefined;
    const target = fd === undefined ? tree.readlink(absolute(path)) : nameOfDescriptor(fd);
    if (typeof target === 'number') throw new Errno(target);
    return encodeName(target, encoding);
  });
  define(
    'symlink',
    { request: 3, ...twoPaths },
    (target, path) => void check(tree.symlink(pathText(target), absolute(path))),
  );
  define(
    'link',
    { request: 2, ...twoPaths },
    (existing, path) => void check(tree.link(absolute(existing), absolute(path))),
  );
  define('realpath', { request: 2, ...onePath }, (path, encoding) => {
    const fd = openDescriptorOf(path);
    return encodeName(fd === undefined ? tree.pathOf(inode(path)) : nameOfDescriptor(fd), encoding);
  });

  const chmod = (ino: number, mode: number): void => void check(tree.setMode(ino, mode & 0o7777));
  define('chmod', { request: 2, ...onePath }, (path, mode) => chmod(inode(path), mode));
  define('fchmod', { request: 2, ...aDescriptor }, (fd, mode) => chmod(io.inode(fd) ?? raise(EINVAL), mode));
  const chown = (ino: number, uid: number, gid: number): void => void check(tree.setOwner(ino, uid, gid));
  define('chown', { request: 3, ...onePath }, (path, uid, gid) => chown(inode(path), uid, gid));
  define('lchown', { request: 3, ...onePath }, (path, uid, gid) => chown(inode(path, false), uid, gid));
  define('fchown', { request: 3, ...aDescriptor }, (fd, uid, gid) => chown(io.inode(fd) ?? raise(EINVAL), uid, gid));
  const utimes = (ino: number, atime: number, mtime: number): void =>
    void check(tree.setTimes(ino, atime * 1000, mtime * 1000));
  define('utimes', { request: 3, syscall: 'utime', ...onePath }, (path, atime, mtime) =>
    utimes(inode(path), atime, mtime),
  );
  define('lutimes', { request: 3, syscall: 'lutime', ...onePath }, (path, atime, mtime) =>
    utimes(inode(path, false), atime, mtime),
  );
  define('futimes', { request: 3, syscall: 'futime', ...aDescriptor }, (fd, atime, mtime) =>
    utimes(io.inode(fd) ?? raise(EBADF), atime, mtime),
  );

  binding.mkdtemp = requests.define({ syscall: 'mkdtemp', request: 2 }, (prefix, encoding, request) => {
    for (;;) {
      const path = `${pathText(prefix)}${Math.random().toString(36).slice(2, 8).padEnd(6, 'x')}`;
      const made = tree.mkdir(absolute(path), 0o700);
      if (made >= 0) return encodeName(path, encoding);
      // libuv fills the X's in even when it fails; only the synchronous call reports what it was given.
      if (made !== EEXIST) throw environment.uvException(made, 'mkdtemp', request ? path : `${pathText(prefix)}XXXXXX`);
    }
  });

  /** 1 when the file starts as WebAssembly does, else 0. */
  binding.getFormatOfExtensionlessFile = (path: string) => {
    const head = new Uint8Array(4);
    const ino = tree.lookup(absolute(path));
    if (ino > 0) tree.read(ino, head, 0);
    return head[0] === 0 && head[1] === 0x61 && head[2] === 0x73 && head[3] === 0x6d ? 1 : 0;
  };
  binding.legacyMainResolve = (packagePath: string, main: string | undefined, base: string | undefined) => {
    const isFile = (path: string): boolean => {
      const ino = tree.lookup(absolute(path));
      return ino > 0 && tree.typeOf(ino) === FILE_TYPE.file;
    };
    const endings = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];
    if (main) {
      const found = endings.findIndex((ending) => isFile(`${packagePath}/${main}${ending}`));
      if (found >= 0) return found;
    }
    const found = ['/index.js', '/index.json', '/index.node'].findIndex((ending) => isFile(`${packagePath}${ending}`));
    if (found >= 0) return 7 + found;
    throw Object.assign(
      new Error(
        `Cannot find package '${packagePath.replace(/\/$/, '')}'${base ? ` imported from ${base.startsWith('file:') ? new browser.URL(base).pathname : base}` : ''}`,
      ),
      { code: 'ERR_MODULE_NOT_FOUND' },
    );
  };
  binding.internalReadFileString = () => {
    throw unsupported('fs.internalReadFileString');
  };
  return binding;
};

function raise(errno: number): never {
  throw new Errno(errno);
}

/** Old-style calls that pass a context object for the error instead of catching it: `(…, undefined, context)`. */
function withContext(
  binding: Record<string, any>,
  name: string,
  environment: Parameters<Binding>[0],
  request = 5,
): void {
  const original = binding[name];
  binding[name] = (...args: any[]) => {
    const context = args[request + 1];
    if (args[request] !== undefined || context === null || typeof context !== 'object') return original(...args);
    try {
      return original(...args);
    } catch (error: any) {
      if (typeof error?.errno !== 'number') throw error;
      context.errno = error.errno;
      context.code = environment.errorName(error.errno)[0];
      context.syscall = 'write';
      return undefined;
    }
  };
}

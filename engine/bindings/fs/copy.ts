// fs.copyFile and the native half of fs.cpSync: what node_file.cc of this version refuses, in its order and words, and what it does with links
// (`dereference` changes nothing about links inside a folder; folders get the process's mode, not their source's).
import { EEXIST, ENOENT } from '../../memory/errno';
import type { ProcessEnvironment } from '../../process/environment';
import { FILE_TYPE } from '../../tree/types';
import { nodeError } from '../node-error';
import { validateMode } from './call-arguments';
import { check, Errno, Requests } from './request';
import { copyContents, makeDirectories } from './tree-walk';

const COPYFILE_EXCL = 1;
const EINVAL_CODE = 'ERR_FS_CP_EINVAL';

/** What strerror says: std::filesystem's errors have its words, not libuv's. */
const STRERROR: Record<string, string> = {
  EACCES: 'Permission denied',
  EEXIST: 'File exists',
  EINVAL: 'Invalid argument',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  ENAMETOOLONG: 'File name too long',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  EROFS: 'Read-only file system',
};

interface FolderOptions {
  force: boolean;
  dereference: boolean;
  errorOnExist: boolean;
  verbatimSymlinks: boolean;
  preserveTimestamps: boolean;
}

/** As std::filesystem::path::parent_path. */
function parentPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash) || '/';
}

export function copyBindings(environment: ProcessEnvironment): Record<string, unknown> {
  const { tree, absolute } = environment;
  const requests = new Requests(environment);
  const isDirectory = (ino: number): boolean => ino > 0 && tree.typeOf(ino) === FILE_TYPE.directory;
  const refusal = (code: string, message: string): Error => nodeError(Error, code, message);
  const directoryMode = (): number => 0o777 & ~environment.state.umask;

  /** The error of an Errno as env->ThrowStdErrException makes it; anything else as it is. */
  const standardError = (thrown: unknown, path: string): unknown => {
    if (!(thrown instanceof Errno)) return thrown;
    const [code, text] = environment.errorName(thrown.errno);
    return Object.assign(new Error(`${code}, ${STRERROR[code] ?? text} '${path}'`), {
      errno: -thrown.errno,
      code,
      path,
      syscall: 'cp',
    });
  };

  /** As std::filesystem::weakly_canonical: links are resolved as far as the path exists. */
  const canonical = (path: string): string => {
    const missing: string[] = [];
    let existing = path;
    for (; existing !== '/' && tree.lookup(existing) < 0; existing = parentPath(existing))
      missing.unshift(existing.slice(existing.lastIndexOf('/') + 1));
    const parts = tree
      .pathOf(check(tree.lookup(existing)))
      .split('/')
      .filter(Boolean);
    for (const part of missing) {
      if (part === '..') parts.pop();
      else if (part !== '.' && part !== '') parts.push(part);
    }
    return `/${parts.join('/')}`;
  };
  const isInside = (folder: string, path: string): boolean => {
    const parts = (text: string): string[] => absolute(text).split('/').filter(Boolean);
    const of = parts(path);
    return parts(folder).every((part, index) => part === of[index]);
  };

  /** Puts `target` in place of the link that lies there. */
  const replaceLink = (link: string, target: string, dereference: boolean): void => {
    const present = tree.readlink(absolute(target)) as string;
    if (!dereference && isDirectory(tree.lookup(absolute(link))) && isInside(link, present))
      throw refusal(EINVAL_CODE, `Cannot copy ${link} to a subdirectory of self ${present}`);
    if (isDirectory(tree.lookup(absolute(target))) && isInside(present, link))
      throw refusal('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', `cannot overwrite ${present} with ${link}`);
    check(tree.unlink(absolute(target)));
  };
  const copyLink = (source: string, target: string, folder: string, options: FolderOptions): void => {
    const isVerbatim = options.verbatimSymlinks;
    const link = tree.readlink(absolute(source)) as string;
    if (!isVerbatim && tree.lookup(absolute(target)) > 0) {
      const type = tree.typeOf(tree.lookup(absolute(target), false));
      if (type === FILE_TYPE.symlink) replaceLink(link, target, options.dereference);
    }
    const text = isVerbatim ? link : canonical(absolute(link.startsWith('/') ? link : `${folder}/${link}`));
    check(tree.symlink(text, absolute(target)));
  };

  const copyFile = (source: string, target: string, options: FolderOptions): void => {
    if (tree.lookup(absolute(target)) > 0 && !options.force) {
      if (!options.errorOnExist) return;
      throw refusal(
        'ERR_FS_CP_EEXIST',
        `[ERR_FS_CP_EEXIST]: Target already exists: cp returned EEXIST (${target} already exists)`,
      );
    }
    copyContents(tree, absolute(source), absolute(target), false);
    if (options.preserveTimestamps) copyTimes(environment, absolute(source), absolute(target));
  };
  const copyFolder = (from: string, to: string, options: FolderOptions): void => {
    const entries = tree.list(check(tree.lookup(absolute(from))));
    if (typeof entries === 'number') throw new Errno(entries);
    for (const { name, type } of entries) {
      const source = `${from.replace(/\/$/, '')}/${name}`;
      const target = `${to.replace(/\/$/, '')}/${name}`;
      let blamed = to;
      try {
        if (type === FILE_TYPE.symlink) {
          const present = tree.lookup(absolute(target), false);
          const isMerge = !options.dereference || (!options.force && options.errorOnExist);
          if (!options.verbatimSymlinks && present > 0 && tree.typeOf(present) === FILE_TYPE.file && isMerge)
            blamed = target;
          copyLink(source, target, from, options);
        } else if (type === FILE_TYPE.directory) {
          if (!isDirectory(tree.lookup(absolute(target)))) check(tree.mkdir(absolute(target), directoryMode()));
          copyFolder(source, target, options);
        } else if (type === FILE_TYPE.file) copyFile(source, target, options);
        // As in Node: what is neither of the three is passed over.
      } catch (thrown) {
        throw standardError(thrown, blamed);
      }
    }
  };

  return {
    copyFile: requests.define(
      { syscall: 'copyfile', request: 3, paths: [0, 1], validate: (_from, _to, mode) => validateMode(mode) },
      (from, to, mode) => {
        const target = absolute(to);
        check(tree.lookup(absolute(from)));
        if (mode & COPYFILE_EXCL && tree.lookup(target) > 0) throw new Errno(EEXIST);
        copyContents(tree, absolute(from), target, false);
      },
    ),

    cpSyncCheckPaths(source: string, target: string, dereference: boolean, recursive: boolean) {
      const from = absolute(source);
      const to = absolute(target);
      const fromIno = tree.lookup(from);
      const sourceEntry = tree.lookup(from, !dereference);
      if (sourceEntry < 0) throw environment.uvException(sourceEntry, dereference ? 'stat' : 'lstat', source);
      const toIno = tree.lookup(to, dereference);
      // With `dereference` node takes every link for a folder; the copy that follows does not.
      const isFolder = isDirectory(sourceEntry) || (dereference && tree.typeOf(sourceEntry) === FILE_TYPE.symlink);
      if (toIno > 0) {
        if (fromIno > 0 && tree.lookup(to) === fromIno)
          throw refusal(EINVAL_CODE, `src and dest cannot be the same ${target}`);
        if (isFolder && !isDirectory(toIno))
          throw refusal(
            'ERR_FS_CP_DIR_TO_NON_DIR',
            `Cannot overwrite non-directory ${target} with directory ${source}`,
          );
        if (!isFolder && isDirectory(toIno))
          throw refusal(
            'ERR_FS_CP_NON_DIR_TO_DIR',
            `Cannot overwrite directory ${target} with non-directory ${source}`,
          );
      }
      const folder = source.endsWith('/') ? source : `${source}/`;
      const intoItself = (): Error => refusal(EINVAL_CODE, `Cannot copy ${folder} to a subdirectory of self ${target}`);
      if (isFolder && target.startsWith(folder)) throw intoItself();
      let parent = parentPath(target);
      while (parentPath(source) !== parent && parentPath(parent) !== '' && parentPath(parent) !== parent) {
        const above = tree.lookup(absolute(parentPath(target)));
        if (above < 0) break;
        if (above === fromIno) throw intoItself();
        parent = parentPath(parent);
      }
      if (isFolder && !recursive)
        throw refusal('ERR_FS_EISDIR', `Recursive option not enabled, cannot copy a directory: ${folder}`);
      if (tree.typeOf(sourceEntry) === FILE_TYPE.socket)
        throw refusal('ERR_FS_CP_SOCKET', `Cannot copy a socket file: ${target}`);
      try {
        makeDirectories(tree, absolute(parentPath(target)), directoryMode());
      } catch (thrown) {
        // Node leaves the complaint to the copy that follows.
        if (!(thrown instanceof Errno)) throw thrown;
      }
    },

    cpSyncOverrideFile(source: string, target: string, mode: number, preserveTimestamps: boolean) {
      const to = absolute(target);
      try {
        const removed = tree.unlink(to);
        if (removed !== ENOENT) check(removed);
        if (mode & COPYFILE_EXCL && tree.lookup(to) > 0) throw new Errno(EEXIST);
        copyContents(tree, absolute(source), to, false);
        if (preserveTimestamps) copyTimes(environment, absolute(source), to);
      } catch (thrown) {
        throw standardError(thrown, target);
      }
    },

    cpSyncCopyDir(
      source: string,
      target: string,
      force: boolean,
      dereference: boolean,
      errorOnExist: boolean,
      verbatimSymlinks: boolean,
      preserveTimestamps: boolean,
    ) {
      try {
        makeDirectories(tree, absolute(target), directoryMode());
        copyFolder(source, target, { force, dereference, errorOnExist, verbatimSymlinks, preserveTimestamps });
      } catch (thrown) {
        throw standardError(thrown, target);
      }
    },
  };
}

function copyTimes({ tree }: ProcessEnvironment, from: string, to: string): void {
  const stats = new Float64Array(18);
  check(tree.stat(check(tree.lookup(from)), stats));
  check(tree.setTimes(check(tree.lookup(to)), stats[10] * 1000 + stats[11] / 1e6, stats[12] * 1000 + stats[13] / 1e6));
}

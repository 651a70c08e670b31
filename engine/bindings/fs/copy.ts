// fs.copyFile and the native half of fs.cpSync, with the checks of node_file.cc.
import { EEXIST, EISDIR } from '../../memory/errno';
import type { ProcessEnvironment } from '../../process/environment';
import { FILE_TYPE } from '../../tree/types';
import { check, Errno, Requests } from './request';
import { copyContents, makeDirectories } from './tree-walk';

const COPYFILE_EXCL = 1;

function copyError(code: string, message: string, errno: number, path: string): Error {
  return Object.assign(new Error(message), { code, errno, path, syscall: 'cp' });
}

export function copyBindings(environment: ProcessEnvironment): Record<string, unknown> {
  const { tree, absolute } = environment;
  const requests = new Requests(environment);
  const isDirectory = (ino: number): boolean => ino > 0 && tree.typeOf(ino) === FILE_TYPE.directory;

  return {
    copyFile: requests.define({ syscall: 'copyfile', request: 3, paths: [0, 1] }, (from, to, mode) => {
      const target = absolute(to);
      if (mode & COPYFILE_EXCL && tree.lookup(target) > 0) throw new Errno(EEXIST);
      copyContents(tree, absolute(from), target, false);
    }),

    cpSyncCheckPaths(source: string, target: string, dereference: boolean, recursive: boolean) {
      const from = absolute(source);
      const to = absolute(target);
      const fromIno = tree.lookup(from, dereference);
      if (fromIno < 0) throw environment.uvException(fromIno, dereference ? 'stat' : 'lstat', source);
      const toIno = tree.lookup(to, dereference);
      if (toIno === fromIno)
        throw copyError('ERR_FS_CP_EINVAL', `src and dest cannot be the same ${target}`, -22, target);
      if (isDirectory(fromIno) && toIno > 0 && !isDirectory(toIno)) {
        throw copyError(
          'ERR_FS_CP_DIR_TO_NON_DIR',
          `cannot overwrite non-directory ${target} with directory ${source}`,
          EISDIR,
          target,
        );
      }
      if (!isDirectory(fromIno) && isDirectory(toIno)) {
        throw copyError(
          'ERR_FS_CP_NON_DIR_TO_DIR',
          `cannot overwrite directory ${target} with non-directory ${source}`,
          -20,
          target,
        );
      }
      if (isDirectory(fromIno) && !recursive) {
        throw copyError(
          'ERR_FS_EISDIR',
          `Recursive option not enabled, cannot copy a directory: ${source}`,
          EISDIR,
          target,
        );
      }
      if (isDirectory(fromIno) && `${to}/`.startsWith(`${tree.pathOf(fromIno)}/`)) {
        throw copyError('ERR_FS_CP_EINVAL', `cannot copy ${source} to a subdirectory of self ${target}`, -22, target);
      }
      makeDirectories(tree, to.slice(0, Math.max(1, to.lastIndexOf('/'))), 0o777 & ~environment.state.umask);
      if (tree.typeOf(fromIno) === FILE_TYPE.socket)
        throw Object.assign(new Error(`Cannot copy a socket file: ${target}`), { code: 'ERR_FS_CP_SOCKET' });
    },

    cpSyncOverrideFile(source: string, target: string, _mode: number, preserveTimestamps: boolean) {
      copyContents(tree, absolute(source), absolute(target), false);
      if (preserveTimestamps) copyTimes(environment, absolute(source), absolute(target));
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
      const copy = (from: string, to: string): void => {
        const ino = check(tree.lookup(from, dereference));
        const type = tree.typeOf(ino);
        if (type === FILE_TYPE.directory) {
          makeDirectories(tree, to, tree.modeOf(ino) & 0o7777);
          const entries = tree.list(ino);
          if (typeof entries === 'number') throw new Errno(entries);
          for (const entry of entries) copy(`${from}/${entry.name}`, `${to}/${entry.name}`);
          return;
        }
        const exists = tree.lookup(to, false) > 0;
        if (exists && !force) {
          if (errorOnExist)
            throw copyError(
              'ERR_FS_CP_EEXIST',
              `[ERR_FS_CP_EEXIST]: Target already exists: cp returned EEXIST (${to} already exists) ${to}`,
              EEXIST,
              to,
            );
          return;
        }
        if (type === FILE_TYPE.symlink) {
          const link = tree.readlink(from) as string;
          if (exists) check(tree.unlink(to));
          const resolved =
            verbatimSymlinks || link.startsWith('/') ? link : `${from.slice(0, from.lastIndexOf('/'))}/${link}`;
          check(tree.symlink(resolved, to));
          return;
        }
        // As in Node: what is neither of the three is passed over.
        if (type !== FILE_TYPE.file) return;
        copyContents(tree, from, to, false);
        if (preserveTimestamps) copyTimes(environment, from, to);
      };
      try {
        copy(absolute(source), absolute(target));
      } catch (thrown) {
        throw thrown instanceof Errno ? environment.uvException(thrown.errno, 'cp', source, target) : thrown;
      }
    },
  };
}

function copyTimes({ tree }: ProcessEnvironment, from: string, to: string): void {
  const stats = new Float64Array(18);
  check(tree.stat(check(tree.lookup(from)), stats));
  check(tree.setTimes(check(tree.lookup(to)), stats[10] * 1000 + stats[11] / 1e6, stats[12] * 1000 + stats[13] / 1e6));
}

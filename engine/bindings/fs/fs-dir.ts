// fs_dir: directories read in portions (fs.opendir).

import { ENOTDIR } from '../../memory/errno';
import type { Binding } from '../../process/environment';
import { type DirectoryEntry, FILE_TYPE } from '../../tree/types';
import { AsyncScopes } from '../async-scopes';
import { descriptorEntries, isDescriptorFolder } from './descriptor-names';
import { check, Errno, Requests } from './request';

const DIRENT_TYPE: Record<number, number> = {
  [FILE_TYPE.file]: 1,
  [FILE_TYPE.directory]: 2,
  [FILE_TYPE.symlink]: 3,
  [FILE_TYPE.socket]: 5,
  [FILE_TYPE.character]: 6,
};

export const fsDir: Binding = (environment) => {
  const { tree } = environment;
  const scopes = AsyncScopes.of(environment);
  const requests = new Requests(environment);

  class DirHandle {
    readonly #entries: DirectoryEntry[];
    #next = 0;
    readonly #ids = scopes.begin(this, 'DIRHANDLE');

    constructor(entries: DirectoryEntry[]) {
      this.#entries = entries;
    }

    getAsyncId(): number {
      return this.#ids.asyncId;
    }

    /** `[name, type, name, type, …]`, or null at the end. */
    read(...args: unknown[]): unknown {
      return readPortion.call(undefined, this, ...args);
    }

    close(request?: any): void {
      scopes.end(this.#ids);
      if (!request) return;
      const ids = scopes.begin(request, 'FSREQCALLBACK');
      environment.loop.enqueue(() => scopes.finish(ids, () => request.oncomplete(null)));
    }

    take(count: number, encoding: string): unknown[] | null {
      const portion = this.#entries.slice(this.#next, this.#next + count);
      this.#next += portion.length;
      if (portion.length === 0) return null;
      return portion.flatMap((entry) => {
        const bytes = encoding && encoding !== 'utf8' ? (globalThis as any).Buffer.from(entry.name) : undefined;
        const name = bytes ? (encoding === 'buffer' ? bytes : bytes.toString(encoding)) : entry.name;
        return [name, DIRENT_TYPE[entry.type]];
      });
    }
  }
  const readPortion = requests.define({ syscall: 'scandir', request: 3 }, (handle, encoding, count) =>
    handle.take(count, encoding),
  );

  const openDirectory = (path: string): DirHandle => {
    const ino = check(tree.lookup(environment.absolute(path)));
    if (tree.typeOf(ino) !== FILE_TYPE.directory) throw new Errno(ENOTDIR);
    const isOfDescriptors = isDescriptorFolder(environment.absolute(path));
    const entries = isOfDescriptors ? descriptorEntries(environment.descriptors) : tree.list(ino);
    if (typeof entries === 'number') throw new Errno(entries);
    return new DirHandle(entries);
  };
  return {
    DirHandle,
    opendir: requests.define({ syscall: 'opendir', request: 2, paths: [0] }, (path) => openDirectory(path)),
    opendirSync: requests.define({ syscall: 'opendir', request: 1 }, (path) => openDirectory(path)),
  };
};

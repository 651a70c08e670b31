// The paths that are other names of the process's own descriptors: in the tree only their folder stands for them, and it is empty.
import type { DescriptorTable } from '../../ipc/types';
import { type DirectoryEntry, FILE_TYPE } from '../../tree/types';

const ALIAS = /^\/(?:dev|proc\/self)\/(?:fd\/(\d+)|std(in|out|err))$/;

/** The descriptor that an absolute path names (`/dev/stdin`, `/proc/self/fd/3`), open or not; undefined for any other path. */
export function descriptorOf(path: string): number | undefined {
  if (!path.startsWith('/dev/') && !path.startsWith('/proc/')) return undefined;
  const alias = ALIAS.exec(path);
  if (!alias) return undefined;
  return alias[1] ? Number(alias[1]) : { in: 0, out: 1, err: 2 }[alias[2] as 'in' | 'out' | 'err'];
}

/** Whether an absolute path is the folder of those names, whose entries are the process's open descriptors. */
export function isDescriptorFolder(path: string): boolean {
  return /^\/(?:dev|proc\/self)\/fd\/?$/.test(path);
}

/** The entries of that folder. */
export function descriptorEntries(descriptors: DescriptorTable): DirectoryEntry[] {
  return descriptors.list().map((fd) => ({ name: String(fd), type: FILE_TYPE.symlink }) as DirectoryEntry);
}

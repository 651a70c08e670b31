// Where a path leads when all its links are followed. A link to nothing leads where it says: who writes to it makes that file.
import { baseName, joinPath, parentPath, resolvePath } from '../std/paths';
import { SandboxError, type SandboxFs } from './sandbox';

const maxLinks = 40;

/** The path without links, also of what is not there yet. Rejects with ELOOP, and with what else keeps the way from being looked at. */
export async function realPath(
  fs: Pick<SandboxFs, 'realpath' | 'readlink'>,
  path: string,
  links = maxLinks,
): Promise<string> {
  const missing: string[] = [];
  for (let at = path; ; at = parentPath(at)) {
    try {
      return joinPath(await fs.realpath(at), ...missing);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || at === '/') throw error;
    }
    const target = await fs.readlink(at).catch(() => undefined);
    if (target !== undefined) {
      if (links === 0) throw new SandboxError('ELOOP', `ELOOP: too many symbolic links, realpath '${path}'`, path);
      const directory = await realPath(fs, parentPath(at), links - 1);
      return joinPath(await realPath(fs, resolvePath(directory, target), links - 1), ...missing);
    }
    missing.unshift(baseName(at));
  }
}

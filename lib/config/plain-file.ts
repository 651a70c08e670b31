// Files of a project as they are read for a look: plain ones of a bounded size. Texts may be links to others of the project; programs may not, for
// what is run is known by its path.
import type { SandboxFs } from '../sandbox/sandbox';
import { isInside } from '../std/paths';
import { secretNameReason } from '../std/secret-names';

/** What is larger is not read for people or models. */
export const maxPlainBytes = 256 * 1024;

/** The text of a plain file; what is too big to be read counts by its size and time. */
export async function programText(fs: SandboxFs, path: string): Promise<string | undefined> {
  const text = await readPlain(fs, path);
  if (text !== 'too big') return text;
  const { size, mtimeMs } = await fs.stat(path);
  return `${size} ${mtimeMs}`;
}

/** The text of a plain file; undefined for what is none, or a link. */
export async function readPlain(fs: SandboxFs, path: string): Promise<string | 'too big' | undefined> {
  return readIf(fs, path, (real) => real === path);
}

/** The text of a plain file below `workdir`, or of one there that a link leads to, unless that is named like a file with keys. */
export async function readLinked(
  fs: SandboxFs,
  path: string,
  workdir: string,
): Promise<string | 'too big' | undefined> {
  return readIf(fs, path, (real) => real === path || isOpen(real, workdir));
}

/** Whether a link may lead there. */
export function isOpen(real: string, workdir: string): boolean {
  return isInside(real, workdir) && secretNameReason(real.slice(workdir.length)) === undefined;
}

async function readIf(fs: SandboxFs, path: string, isFine: (real: string) => boolean) {
  try {
    if (!isFine(await fs.realpath(path))) return undefined;
    const { kind, size } = await fs.stat(path);
    if (kind !== 'file') return undefined;
    return size > maxPlainBytes ? 'too big' : await fs.readText(path);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    // A link may lead nowhere, or in a circle.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

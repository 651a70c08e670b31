// Files of a project as they are read for a look: plain ones of a bounded size. Links are none, for they may lead anywhere.
import type { SandboxFs } from '../sandbox/sandbox';

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
  try {
    if ((await fs.realpath(path)) !== path) return undefined;
    const { kind, size } = await fs.stat(path);
    if (kind !== 'file') return undefined;
    return size > maxPlainBytes ? 'too big' : await fs.readText(path);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

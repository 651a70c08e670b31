// Files that hold keys by convention. Tools that show many files at once leave these out or ask for them by name.
import type { Sandbox } from '../sandbox/sandbox';
import { baseName } from '../std/paths';

/** The same as `isSecretFile`, as globs for a process's policy. */
export const secretNames = ['*.env', '*.env.*', '!*.example', '!*.sample'];

/** `.env`, `prod.env`, `.env.local`; not the examples that are meant to be shared. */
export function isSecretFile(path: string): boolean {
  const name = baseName(path);
  return (name.endsWith('.env') || /\.env\./.test(name)) && !/\.(example|sample)$/.test(name);
}

/** Secret files directly in these directories; a directory that is not there has none. */
export async function secretFilesIn(sandbox: Sandbox, directories: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const directory of new Set(directories)) {
    const entries = await sandbox.fs.list(directory).catch(() => []);
    for (const entry of entries) if (isSecretFile(entry.name)) found.push(`${directory}/${entry.name}`);
  }
  return found;
}

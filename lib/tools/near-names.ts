// "Did you mean" for a path that does not exist: files of the same directory first, then of the whole project.
import type { Sandbox } from '../sandbox/sandbox';
import { closest } from '../std/closest';
import { escapeGlob } from '../std/glob';
import { baseName, displayPath, parentPath } from '../std/paths';

/** Up to three existing paths, relative to the project. Never throws: a suggestion is not worth a failure. */
export async function nearNames(sandbox: Sandbox, path: string): Promise<string[]> {
  try {
    const siblings = await sandbox.fs.list(parentPath(path)).catch(() => []);
    const near = closest(
      baseName(path),
      siblings.map((entry) => entry.name),
      3,
    ).map((name) => `${parentPath(path)}/${name}`);
    const stem = baseName(path).split('.')[0]!;
    const wanted = displayPath(path, sandbox.workdir);
    const { paths } = await sandbox.search.files({
      path: sandbox.workdir,
      pattern: `**/*${escapeGlob(stem.slice(0, 3))}*`,
      maxResults: 500,
    });
    const sameName = paths.filter((other) => baseName(other) === baseName(path));
    const elsewhere = closest(
      wanted,
      paths.map((other) => displayPath(other, sandbox.workdir)),
      3,
    );
    const all = [...near, ...sameName].map((other) => displayPath(other, sandbox.workdir));
    return [...new Set([...all, ...elsewhere])].slice(0, 3);
  } catch {
    return [];
  }
}

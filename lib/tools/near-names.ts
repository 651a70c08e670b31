// Names that are nearly those of files: the twin that only looks the same, and "did you mean" for a path that does not exist: files of the same directory first, then of the whole project.
import type { Sandbox } from '../sandbox/sandbox';
import { closest } from '../std/closest';
import { foldUnicode } from '../std/fold-unicode';
import { escapeGlob } from '../std/glob';
import { baseName, displayPath, parentPath } from '../std/paths';
import { type Located, locate } from './locate';
import type { ToolContext } from './tool';

/** As `locate`; for what is not there, the only file whose name differs in nothing that one can see. */
export async function locateExisting(context: Pick<ToolContext, 'sandbox' | 'cwd'>, path: string): Promise<Located> {
  const place = await locate(context, path);
  const { fs } = context.sandbox;
  try {
    await fs.stat(place.path);
    return place;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  const shape = (name: string) => foldUnicode(name.normalize('NFC'));
  const siblings = await fs.list(parentPath(place.path)).catch(() => []);
  const twins = siblings.filter((entry) => shape(entry.name) === shape(baseName(place.path)));
  return twins.length === 1 ? locate(context, `${parentPath(place.path)}/${twins[0]!.name}`) : place;
}

const maxCompared = 3000;

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
    const files = (pattern: string, maxResults: number) =>
      sandbox.search.files({ path: sandbox.workdir, pattern, maxResults });
    // All of a project that is not huge; in a huge one those that begin alike.
    const all = await files('**/*', maxCompared);
    const { paths } = all.truncated ? await files(`**/*${escapeGlob(stem.slice(0, 3))}*`, 500) : all;
    const sameName = paths.filter((other) => baseName(other) === baseName(path));
    const elsewhere = closest(
      wanted,
      paths.map((other) => displayPath(other, sandbox.workdir)),
      3,
    );
    const alike = closest(baseName(path), new Set(paths.map(baseName)), 3);
    const alikeElsewhere = alike.flatMap((name) => paths.filter((other) => baseName(other) === name));
    const sameFolderOrName = [...near, ...sameName].map((other) => displayPath(other, sandbox.workdir));
    return [
      ...new Set([
        ...sameFolderOrName,
        ...elsewhere,
        ...alikeElsewhere.map((other) => displayPath(other, sandbox.workdir)),
      ]),
    ].slice(0, 3);
  } catch {
    return [];
  }
}

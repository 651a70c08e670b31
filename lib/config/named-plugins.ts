// The plugins that `plugin` of a configuration names: files of the project, and packages that it has installed. Nothing is fetched.
import type { Sandbox } from '../sandbox/sandbox';
import { displayPath, isInside, joinPath, normalizePath, parentPath } from '../std/paths';
import { readPlain } from './plain-file';
import type { ConfigProblem } from './problems';
import { readConfig } from './read-config';
import { type BroughtFile, hashOf, ownPrograms, programCover, programsBelow } from './scan-project';

/** Of all configurations among `files`; what is among them already, or can't be found, is left out, the latter with a problem. */
export async function namedPlugins(
  { fs, workdir }: Sandbox,
  files: readonly BroughtFile[],
  problems: ConfigProblem[],
): Promise<BroughtFile[]> {
  const found: BroughtFile[] = [];
  const isTaken = (path: string) => [...files, ...found].some((file) => file.path === path);
  for (const config of files.filter((file) => file.kind === 'config')) {
    const problem = (message: string) => problems.push({ path: config.path, message: `plugin: ${message}` });
    const { plugin } = await readConfig(config.text, config.path, []);
    for (const entry of plugin) {
      if (isPath(entry)) {
        const named = entry.replace(/^file:\/\//, '');
        const full = normalizePath(named.startsWith('/') ? named : joinPath(workdir, parentPath(config.path), named));
        if (!isInside(full, workdir)) {
          problem(`${entry} is outside of the project.`);
          continue;
        }
        const [file, text] = await programAt(fs, full);
        const path = displayPath(file, workdir);
        if (!isTaken(path)) {
          if (text === undefined || text === 'too big') problem(`there is no plain file ${entry}, or it is too big.`);
          else {
            const cover = await programCover(fs, workdir, { path, text }, await ownPrograms(fs, workdir));
            const hash = await hashOf(cover);
            found.push({ kind: 'plugin', path, name: path, text, hash });
          }
        }
        continue;
      }
      const name = packageNameOf(entry);
      if (name === undefined) {
        problem(`${entry} is neither a path nor the name of a package.`);
        continue;
      }
      const installed = await installedPackage(fs, workdir, name);
      if (installed === undefined)
        problem(`the package ${name} is not installed: run npm install --prefix .opencode ${name}.`);
      else if (!isTaken(installed.path)) found.push(installed);
    }
  }
  return found;
}

/** The file, or what a folder of this name means to a program that imports it. */
async function programAt(fs: Sandbox['fs'], path: string): Promise<[file: string, text: string | undefined]> {
  for (const file of [path, ...['index.ts', 'index.js', 'index.mjs'].map((name) => joinPath(path, name))]) {
    const text = await readPlain(fs, file);
    if (text !== undefined) return [file, text];
  }
  return [path, undefined];
}

function isPath(entry: string): boolean {
  return /^(\.{0,2}\/|file:\/\/)/.test(entry);
}

/** `@a/b@1.2` → `@a/b`. */
function packageNameOf(entry: string): string | undefined {
  return /^((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:@[^/]*)?$/.exec(entry)?.[1];
}

async function installedPackage(
  fs: Sandbox['fs'],
  workdir: string,
  packageName: string,
): Promise<BroughtFile | undefined> {
  for (const root of [`.opencode/node_modules/${packageName}`, `node_modules/${packageName}`]) {
    const path = `${root}/package.json`;
    const text = await readPlain(fs, joinPath(workdir, path));
    if (text === undefined || text === 'too big') continue;
    const hash = await hashOf(`${text}\0${await programsBelow(fs, workdir, root)}`);
    return { kind: 'plugin', path, name: packageName, text, hash, packageName };
  }
  return undefined;
}

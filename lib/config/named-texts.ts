// The texts that a configuration names beside those that lie in their places: `instructions` and `skills.paths`. Relative ones are looked for in the
// project, as OpenCode does, then beside the configuration, as their authors often mean it.
import type { Sandbox } from '../sandbox/sandbox';
import { baseName, displayPath, isInside, joinPath, normalizePath, parentPath } from '../std/paths';
import { readLinked } from './plain-file';
import type { ConfigProblem } from './problems';
import { type ProjectConfig, readConfig } from './read-config';
import { type BroughtFile, filesBelow, hashOf } from './scan-project';

const maxNamed = 50;
const maxSkills = 500;

/** Files that `instructions` names. Addresses and places outside of the project are problems. */
export async function namedInstructions(
  sandbox: Sandbox,
  files: readonly BroughtFile[],
  problems: ConfigProblem[],
): Promise<BroughtFile[]> {
  const { fs, search, workdir } = sandbox;
  const found: BroughtFile[] = [];
  const isTaken = (path: string) =>
    [...files, ...found].some((file) => file.path === path && file.kind === 'instructions');
  await forConfigs(files, async ({ instructions }, { path: from }) => {
    const problem = (message: string) => problems.push({ path: from, message: `instructions: ${message}` });
    for (const pattern of instructions) {
      if (/^[a-z]+:\/\//i.test(pattern)) problem(`${pattern} is not fetched; copy it into the project.`);
      else if (isElsewhere(pattern)) problem(`${pattern} is outside of the project.`);
      else {
        const paths: string[] = [];
        for (const place of placesOf(from)) {
          if (paths.length > 0) break;
          const inPlace = joinPath(place, pattern);
          const all = await search.files({ path: workdir, pattern: `/${inPlace}`, maxResults: maxNamed });
          paths.push(...all.paths.map((one) => displayPath(one, workdir)));
          // A search leaves out what Git ignores, and links; who names a file means it.
          if (paths.length === 0 && (await readLinked(fs, joinPath(workdir, inPlace), workdir)) !== undefined)
            paths.push(inPlace);
        }
        if (paths.length === 0) problem(`no file matches ${pattern}.`);
        for (const path of paths.filter((one) => !isTaken(one))) {
          const text = await readLinked(fs, joinPath(workdir, path), workdir);
          if (text === undefined || text === 'too big') continue;
          found.push({ kind: 'instructions', path, name: 'named', text, hash: await hashOf(text) });
        }
      }
    }
  });
  return found;
}

/** The skills below the folders that `skills.paths` names, which lie in the project. */
export async function namedSkills(
  { fs, workdir }: Sandbox,
  files: readonly BroughtFile[],
  problems: ConfigProblem[],
): Promise<BroughtFile[]> {
  const found: BroughtFile[] = [];
  const isTaken = (path: string) => [...files, ...found].some((file) => file.path === path);
  await forConfigs(files, async ({ skillPaths }, { path: from }) => {
    for (const named of skillPaths) {
      const problem = (message: string) => problems.push({ path: from, message: `skills.paths: ${named} ${message}.` });
      const folders = /^[/~]/.test(named)
        ? []
        : placesOf(from).map((place) => normalizePath(joinPath(workdir, place, named)));
      const inside = folders.filter((folder) => isInside(folder, workdir));
      if (inside.length === 0) {
        problem('is outside of the project');
        continue;
      }
      let paths: string[] = [];
      for (const folder of inside)
        if (paths.length === 0) paths = await filesBelow(fs, workdir, displayPath(folder, workdir), 8);
      const skills = paths.map(normalizePath).filter((path) => baseName(path) === 'SKILL.md');
      if (skills.length === 0) problem('has no SKILL.md below it');
      for (const path of skills.filter((one) => !isTaken(one))) {
        if (found.length >= maxSkills) return;
        const text = await readLinked(fs, joinPath(workdir, path), workdir);
        if (text === undefined || text === 'too big') continue;
        found.push({ kind: 'skill', path, name: baseName(parentPath(path)), text, hash: await hashOf(text) });
      }
    }
  });
  return found;
}

async function forConfigs(
  files: readonly BroughtFile[],
  use: (config: ProjectConfig, file: BroughtFile) => Promise<void>,
): Promise<void> {
  for (const file of files) if (file.kind === 'config') await use(await readConfig(file.text, file.path, []), file);
}

/** Folders that a relative name may mean, below the project. */
function placesOf(config: string): string[] {
  return [...new Set(['.', parentPath(config)])];
}

function isElsewhere(name: string): boolean {
  return /^[/~]|(^|\/)\.\.(\/|$)/.test(name);
}

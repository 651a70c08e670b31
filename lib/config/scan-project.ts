// What a project brings for agents: every file, with a hash of what it says. Reading is all that happens here; links are followed to texts of the
// project alone, so nothing outside of it is ever part of it.
import type { FileKind, Sandbox, SandboxFs } from '../sandbox/sandbox';
import { baseName, displayPath, isInside, joinPath, parentPath } from '../std/paths';
import { importClosure } from './import-closure';
import { withNamedFiles } from './named-files';
import { isOpen, maxPlainBytes, programText, readLinked, readPlain } from './plain-file';
import type { ConfigProblem } from './problems';
import { configPaths } from './read-config';

export type BroughtKind = 'config' | 'instructions' | 'agent' | 'mode' | 'command' | 'skill' | 'tool' | 'plugin';

/** One file that wants to have a say. */
export interface BroughtFile {
  kind: BroughtKind;
  /** Below the project. */
  path: string;
  /** What it would be called: an agent's, a command's name. */
  name: string;
  text: string;
  /** A plugin that is a package of `node_modules`: what is imported. */
  packageName?: string;
  /** SHA-256 of everything that the person's yes covers, hexadecimal. */
  hash: string;
}

const maxFiles = 500;

const folders: { kind: BroughtKind; roots: string[]; deep: boolean; name: RegExp }[] = [
  { kind: 'agent', roots: ['.opencode/agent', '.opencode/agents'], deep: true, name: /\.md$/ },
  { kind: 'mode', roots: ['.opencode/mode', '.opencode/modes'], deep: false, name: /\.md$/ },
  { kind: 'command', roots: ['.opencode/command', '.opencode/commands'], deep: true, name: /\.md$/ },
  {
    kind: 'skill',
    roots: ['.opencode/skill', '.opencode/skills', '.claude/skills', '.agents/skills'],
    deep: true,
    name: /^SKILL\.md$/,
  },
  { kind: 'tool', roots: ['.opencode/tool', '.opencode/tools'], deep: false, name: /(?<!\.d)\.[jt]s$/ },
  { kind: 'plugin', roots: ['.opencode/plugin', '.opencode/plugins'], deep: false, name: /(?<!\.d)\.[jt]s$/ },
];

/** Names of instruction files, the first that a directory has counts. */
export const instructionNames = ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'];

/** All of it, sorted by kind and path. What is too big or too much is in `problems`. */
export async function scanProject({ fs, workdir, search }: Sandbox): Promise<{
  files: BroughtFile[];
  problems: ConfigProblem[];
}> {
  const problems: ConfigProblem[] = [];
  const found: Omit<BroughtFile, 'hash'>[] = [];
  const add = async (kind: BroughtKind, path: string, name: string) => {
    if (found.length >= maxFiles) return;
    const full = joinPath(workdir, path);
    const isProgram = kind === 'tool' || kind === 'plugin';
    const text = isProgram ? await readPlain(fs, full) : await readLinked(fs, full, workdir);
    if (text === 'too big') problems.push({ path, message: `It has more than ${maxPlainBytes} bytes: left out.` });
    else if (text !== undefined && kind === 'config')
      found.push({ kind, path, name, text: await withNamedFiles({ fs, workdir }, path, text, problems) });
    else if (text !== undefined) found.push({ kind, path, name, text });
    if (found.length === maxFiles)
      problems.push({ path, message: `More than ${maxFiles} files: the rest is left out.` });
  };
  for (const path of configPaths) await add('config', path, path);
  for (const { kind, roots, deep, name } of folders)
    for (const root of roots)
      for (const path of await filesBelow(fs, workdir, root, deep ? 8 : 0))
        if (name.test(baseName(path))) await add(kind, path, nameOf(kind, path.slice(root.length + 1)));
  const { paths } = await search.files({
    path: workdir,
    pattern: `**/{${instructionNames.join(',')}}`,
    maxResults: maxFiles,
  });
  // A search follows no links.
  const linked = await linksIn(fs, workdir, instructionNames);
  const instructions = [...paths.map((path) => displayPath(path, workdir)), ...linked].filter(
    (path) => !/(^|\/)(node_modules|\.opencode|\.claude|\.agents)\//.test(path),
  );
  for (const path of instructions.sort())
    if (isFirstOfItsFolder(path, instructions)) await add('instructions', path, path);
  const program = await ownPrograms(fs, workdir);
  const files = await Promise.all(
    found.map(async (file) => ({
      ...file,
      hash: await hashOf(
        file.kind === 'tool' || file.kind === 'plugin' ? await programCover(fs, workdir, file, program) : file.text,
      ),
    })),
  );
  return { files, problems };
}

function nameOf(kind: BroughtKind, rest: string): string {
  return kind === 'skill' ? baseName(parentPath(rest)) : rest.replace(/\.[a-z]+$/, '');
}

function isFirstOfItsFolder(path: string, all: readonly string[]): boolean {
  const folder = path.slice(0, path.length - baseName(path).length);
  return instructionNames.find((name) => all.includes(folder + name)) === baseName(path);
}

/** Files below `root`; none when it is not there. A link counts as what it leads to within the project. */
export async function filesBelow(fs: SandboxFs, workdir: string, root: string, depth: number): Promise<string[]> {
  const entries = await fs.list(joinPath(workdir, root)).catch(() => []);
  const paths: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${root}/${entry.name}`;
    const kind = entry.kind === 'symlink' ? await linkedKind(fs, workdir, path) : entry.kind;
    if (kind === 'file') paths.push(path);
    else if (kind === 'directory' && depth > 0 && entry.name !== 'node_modules')
      paths.push(...(await filesBelow(fs, workdir, path, depth - 1)));
  }
  return paths;
}

/** Undefined for a link that leads out of the project, nowhere, or to a folder that it lies in. */
async function linkedKind(fs: SandboxFs, workdir: string, path: string): Promise<FileKind | undefined> {
  try {
    const full = joinPath(workdir, path);
    const real = await fs.realpath(full);
    const folder = await fs.realpath(parentPath(full));
    return isOpen(real, workdir) && !isInside(folder, real) ? (await fs.stat(real)).kind : undefined;
  } catch {
    return undefined;
  }
}

/** Which of these names are links in the project's own folder. */
async function linksIn({ list }: SandboxFs, workdir: string, names: readonly string[]): Promise<string[]> {
  const entries = await list(workdir).catch(() => []);
  return entries.filter(({ kind, name }) => kind === 'symlink' && names.includes(name)).map(({ name }) => name);
}

/** What a yes to a program covers: it, all of `.opencode`'s programs (`program`), and what it imports from elsewhere. */
export async function programCover(
  fs: SandboxFs,
  workdir: string,
  { path, text }: Pick<BroughtFile, 'path' | 'text'>,
  program: string,
): Promise<string> {
  return `${text}\0${program}\0${await importClosure(fs, workdir, [path])}`;
}

/** Everything that a tool's file can import from `.opencode` itself. */
export async function ownPrograms(fs: SandboxFs, workdir: string): Promise<string> {
  return programsBelow(fs, workdir, '.opencode', /^\.opencode\/(tools?|plugins?)\/[^/]*$/);
}

/** The programs and JSON files below a folder, packages left out, as one text for a hash. */
export async function programsBelow(fs: SandboxFs, workdir: string, root: string, but?: RegExp): Promise<string> {
  const paths = (await filesBelow(fs, workdir, root, 8)).filter(
    (path) => /\.([cm]?[jt]s|json)$/.test(path) && but?.test(path) !== true,
  );
  const texts = await Promise.all(
    paths.slice(0, maxFiles).map(async (path) => `${path}\0${await programText(fs, joinPath(workdir, path))}`),
  );
  return texts.join('\0');
}

/** SHA-256, hexadecimal. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

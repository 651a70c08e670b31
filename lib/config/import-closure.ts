// What a program of a project imports, and what that imports: all of it runs with the yes to the file that was shown, so all of it is hashed with
// it. Specifiers are read as text. Packages count by their package.json; what is put together at run time can't be known and is not covered.
import type { SandboxFs } from '../sandbox/sandbox';
import { displayPath, isInside, joinPath, normalizePath, parentPath } from '../std/paths';
import { programText } from './plain-file';

const maxFiles = 500;
const specifier =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\s*\(\s*|\bnew\s+URL\s*\(\s*|\bWorker\s*\(\s*)(['"`])([^'"`\n]+)\1/g;
const endings = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js', '/package.json'];

/**
 * Everything that these files of the project reach by imports, as one text for a hash; they themselves count too, and so does that a file is not
 * there. Rejects only when the file system fails.
 */
export async function importClosure(fs: SandboxFs, workdir: string, paths: readonly string[]): Promise<string> {
  const parts = new Map<string, string>();
  const queue = paths.map((path) => joinPath(workdir, path));
  while (queue.length > 0 && parts.size < maxFiles) {
    const path = queue.pop()!;
    if (parts.has(path)) continue;
    // A link is what it leads to, and where that is.
    const real = await fs.realpath(path).catch(() => undefined);
    const isOurs = real !== undefined && isInside(real, workdir);
    const text = isOurs ? await programText(fs, real).catch(() => undefined) : undefined;
    parts.set(path, `${real}\0${text}`);
    if (text === undefined || real!.endsWith('.json')) continue;
    for (const [, , name] of text.matchAll(specifier)) queue.push(...placesOf(name!, parentPath(real!), workdir));
  }
  if (queue.length > 0) parts.set('', 'more than can be looked at');
  return [...parts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `${displayPath(path, workdir)}\0${text}`)
    .join('\0');
}

/** Where Node may find it, for all of its ways of completing a name; only what lies in the project. */
function placesOf(name: string, folder: string, workdir: string): string[] {
  if (/^(?:node|data|https?|bun):/.test(name) || name.includes('${')) return [];
  if (/^(?:\.{1,2}(?:\/|$)|\/|file:\/\/)/.test(name)) {
    const plain = name.replace(/^file:\/\//, '').replace(/[?#].*$/, '');
    const base = plain.startsWith('/') ? normalizePath(plain) : normalizePath(joinPath(folder, plain));
    const typed = /\.[cm]?js$/.test(base) ? [base.replace(/js$/, 'ts')] : [];
    return [...endings.map((ending) => base + ending), ...typed].filter((path) => isInside(path, workdir));
  }
  const places: string[] = [];
  const packageName = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(name)?.[0];
  for (let at = folder; isInside(at, workdir); at = parentPath(at)) {
    if (name.startsWith('#')) places.push(`${at}/package.json`);
    else if (packageName !== undefined) places.push(`${at}/node_modules/${packageName}/package.json`);
    if (at === '/') break;
  }
  return places;
}

/** The files of the project that the words of a command name, and the scripts that a package manager would run: what starts with a server. */
export function commandFiles(command: readonly string[], cwd: string): string[] {
  const inProject = (word: string) => (cwd === '.' ? word : joinPath(cwd, word)).replace(/^(?:\.\/)+/, '');
  const named = command
    .filter((word) => !word.startsWith('-') && !/^[/~]|(?:^|\/)\.\.(?:\/|$)|\s/.test(word))
    .map(inProject);
  const runsScripts = /^(?:npm|pnpm|yarn|bun|npx|bunx|deno)$/.test(command[0] ?? '');
  const locks = ['package.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock'];
  return [...named, ...(runsScripts ? locks.map(inProject) : [])];
}

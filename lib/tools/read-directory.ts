// Directories for the read tool: one level as it is, or several as a tree that leaves out what .gitignore leaves out and counts it.
import type { DirEntry, Sandbox } from '../sandbox/sandbox';
import { displayPath, pathInLine } from '../std/paths';
import { readPrompt } from './read.prompt';

const maxTreeLines = 1000;
const maxKnownFiles = 50_000;

/** The names in a directory, directories first. */
export async function directoryLines(sandbox: Sandbox, path: string): Promise<string[]> {
  return (await sandbox.fs.list(path)).sort(byKindAndName).map(shownEntry);
}

/** `depth` levels below `path`, indented, and what was left out. */
export async function treeLines(
  sandbox: Sandbox,
  path: string,
  depth: number,
  signal: AbortSignal,
): Promise<{ lines: string[]; files: number; directories: number; ignored: number; cut: boolean }> {
  const found = await sandbox.search.files({ path, pattern: '**', maxResults: maxKnownFiles, signal });
  const kept = new Set<string>();
  for (const file of found.paths)
    for (
      let at = displayPath(file, path);
      at !== '' && !kept.has(at);
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
    )
      kept.add(at);
  const tree = { lines: [] as string[], files: 0, directories: 0, ignored: 0, cut: found.truncated };

  async function below(directory: string, prefix: string, level: number): Promise<void> {
    for (const entry of (await sandbox.fs.list(directory)).sort(byKindAndName)) {
      signal.throwIfAborted();
      const relative = `${prefix}${entry.name}`;
      const inner = `${directory === '/' ? '' : directory}/${entry.name}`;
      const children = entry.kind === 'directory' ? await sandbox.fs.list(inner).catch(() => []) : [];
      // An empty directory holds nothing that could be ignored; links are in no list of files.
      const isKept =
        kept.has(relative) || entry.kind === 'symlink' || (entry.kind === 'directory' && children.length === 0);
      if (!isKept) {
        tree.ignored++;
        continue;
      }
      if (tree.lines.length >= maxTreeLines) {
        tree.cut = true;
        return;
      }
      const isDeep = entry.kind === 'directory' && level >= depth && children.length > 0;
      const count = isDeep ? ` (${readPrompt.entries(children.length)})` : '';
      tree.lines.push(`${'  '.repeat(level - 1)}${shownEntry(entry)}${count}`);
      if (entry.kind !== 'directory') tree.files++;
      else {
        tree.directories++;
        if (level < depth) await below(inner, `${relative}/`, level + 1);
      }
    }
  }
  await below(path, '', 1);
  return tree;
}

function byKindAndName(a: DirEntry, b: DirEntry): number {
  const rank = (entry: DirEntry) => (entry.kind === 'directory' ? 0 : 1);
  return rank(a) - rank(b) || (a.name < b.name ? -1 : 1);
}

function shownEntry(entry: DirEntry): string {
  const name = pathInLine(entry.name);
  return entry.kind === 'directory' ? `${name}/` : entry.kind === 'symlink' ? `${name}@` : name;
}

// Which files a command may show without naming them: those that its globs find, or any of a directory that it searches. Only files with a rule
// of their own matter; the rest is covered by what is asked about the command.
import { knownDirectory } from '../permission/bash-paths';
import type { Sandbox } from '../sandbox/sandbox';
import { globExpression } from '../std/glob';
import { displayPath } from '../std/paths';

const maxFiles = 200_000;
/** Made again by an install, or git's own: nobody keeps keys there. */
const isPassedOver = /\/(?:node_modules|\.git)\//;

export interface UnnamedReads {
  /** Everything below these may be shown. */
  below: readonly string[];
  /** Absolute patterns of the shell. */
  globs: readonly string[];
  /** Is there a rule about this very file? */
  isGuarded(shown: string): boolean;
}

/** The guarded files among them, absolute, in order. */
export async function unnamedReads(sandbox: Sandbox, { below, globs, isGuarded }: UnnamedReads): Promise<string[]> {
  const roots = new Set([...below, ...globs.map((glob) => knownDirectory(glob) ?? '/')]);
  const found = new Set<string>();
  for (const root of roots) {
    const search = { path: root, pattern: '**', respectIgnore: false, maxResults: maxFiles };
    const { paths } = await sandbox.search.files(search).catch(() => ({ paths: [] }));
    const isBelow = below.includes(root);
    for (const path of paths) {
      if (isPassedOver.test(path.slice(root.length)) || !isGuarded(displayPath(path, sandbox.workdir))) continue;
      if (isBelow || globs.some((glob) => findsGlob(glob, path))) found.add(path);
    }
  }
  return [...found].sort();
}

/** As the shell does: a star stays within a name, and finds no leading dot that it does not name. */
function findsGlob(glob: string, path: string): boolean {
  const [patterns, names] = [glob.split('/'), path.split('/')];
  return (
    patterns.length === names.length &&
    names.every((name, at) => {
      const pattern = patterns[at]!;
      return (pattern.startsWith('.') || !name.startsWith('.')) && globExpression(pattern).test(name);
    })
  );
}

// `{file:PATH}` in a configuration: the text of a file of the project is put in its place before anything is read, as OpenCode does, so the
// person's yes covers it. What lies elsewhere, or is named like a file with keys, is never put in: it would reach a model unseen.
import type { SandboxFs } from '../sandbox/sandbox';
import { displayPath, isInside, joinPath, normalizePath, parentPath } from '../std/paths';
import { secretNameReason } from '../std/secret-names';
import { readLinked } from './plain-file';
import type { ConfigProblem } from './problems';

/** Lines that are comments are taken whole, so that what they say is left alone. */
const reference = /^[ \t]*\/\/.*$|\{file:([^}\n]+)\}/gm;

/** The text of the configuration at `path` (below `workdir`) with its files put in; what can't be had stays as it is written, with a problem. */
export async function withNamedFiles(
  { fs, workdir }: { fs: SandboxFs; workdir: string },
  path: string,
  text: string,
  problems: ConfigProblem[],
): Promise<string> {
  const contents = new Map<string, string>();
  for (const [whole, name] of text.matchAll(reference)) {
    if (name === undefined || contents.has(whole)) continue;
    const full = normalizePath(joinPath(workdir, parentPath(path), name));
    const shown = displayPath(full, workdir);
    const problem = (why: string) => problems.push({ path, message: `${whole} is not put in: ${why}.` });
    const reason = secretNameReason(shown);
    if (/^[/~]/.test(name) || !isInside(full, workdir)) problem('it is outside of the project');
    else if (reason !== undefined) problem(`${reason}, and a model would read it`);
    else {
      const found = await readLinked(fs, full, workdir);
      if (found === 'too big') problem('it is too big');
      else if (found === undefined) problem(`there is no file ${shown}`);
      // As it stands inside of a JSON text.
      else contents.set(whole, JSON.stringify(found.trim()).slice(1, -1));
    }
  }
  return text.replace(reference, (whole) => contents.get(whole) ?? whole);
}

/** Whether a value refers to an environment variable or a file that nobody has put in: `{env:NAME}`, `{file:PATH}`. */
export function isUnresolved(text: string): boolean {
  return /\{(?:env|file):[^}\n]*\}/.test(text);
}

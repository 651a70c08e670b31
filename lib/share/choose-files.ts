// Which files of a project go into a link. The person decides; this proposes, and says why for everything that it leaves out.
import ignore, { type Ignore } from 'ignore';
import type { SandboxFs } from '../sandbox/sandbox';
import { joinPath } from '../std/paths';
import { checkPaths, type SharedFile } from './pack';
import { secretReason } from './secrets';
import { ShareError, type ShareLimits, shareLimits } from './share-limits';

/** `ignored`: by .gitignore, or made again by an install. `secret`: may go only when the person insists. `large`, `link`, `name`: can't go. */
export type LeftOutKind = 'ignored' | 'secret' | 'large' | 'link' | 'name';

export interface LeftOut {
  /** Relative; a folder ends in `/`. */
  path: string;
  kind: LeftOutKind;
  /** Follows *because*. */
  reason: string;
}

export interface Chosen {
  files: SharedFile[];
  leftOut: LeftOut[];
  /** Files with a secret, which `insist` adds. */
  secrets: SharedFile[];
}

/** No single file above this fits into a link, however well it packs. */
const maxFileBytes = 4 * 2 ** 20;
const always: ReadonlyMap<string, string> = new Map([
  ['node_modules', 'npm install makes it again'],
  ['.git', 'the history of the project is not shared'],
]);

/** Reads the project at `root`. Rejects with a ShareError when it has too many files. */
export async function chooseFiles(fs: SandboxFs, root: string, limits: ShareLimits = shareLimits): Promise<Chosen> {
  const chosen: Chosen = { files: [], leftOut: [], secrets: [] };
  let seen = 0;

  async function below(directory: string, prefix: string, rules: readonly IgnoreRules[]): Promise<void> {
    const entries = (await fs.list(directory)).sort((a, b) => (a.name < b.name ? -1 : 1));
    const own = entries.some((entry) => entry.name === '.gitignore' && entry.kind === 'file')
      ? [...rules, { prefix, rules: ignore().add(await fs.readText(joinPath(directory, '.gitignore'))) }]
      : rules;
    for (const { name, kind } of entries) {
      const path = prefix + name;
      const leave = (why: LeftOutKind, reason: string) =>
        chosen.leftOut.push({ path: kind === 'directory' ? `${path}/` : path, kind: why, reason });
      const rebuilt = always.get(name);
      if (rebuilt !== undefined && kind === 'directory') leave('ignored', rebuilt);
      else if (isIgnored(own, kind === 'directory' ? `${path}/` : path)) leave('ignored', '.gitignore names it');
      else if (kind === 'directory') await below(joinPath(directory, name), `${path}/`, own);
      else if (kind !== 'file') leave('link', 'links and devices can’t be shared');
      else await addFile(joinPath(directory, name), path, leave);
    }
  }

  async function addFile(absolute: string, path: string, leave: (kind: LeftOutKind, reason: string) => void) {
    if (++seen > limits.maxFiles)
      throw new ShareError(
        `It has more than ${limits.maxFiles.toLocaleString('en')} files, the most that a link holds. Name what need not be shared in .gitignore and try again, or send the project as a zip.`,
      );
    try {
      checkPaths([path], limits);
    } catch (error) {
      return leave('name', (error as Error).message.replace(/\.$/, ''));
    }
    const { size } = await fs.stat(absolute);
    if (size > maxFileBytes) return leave('large', `it has ${(size / 1e6).toFixed(1)} MB`);
    const file = { path, contents: new Uint8Array(await fs.read(absolute)) };
    const secret = secretReason(path, file.contents);
    if (secret === undefined) return void chosen.files.push(file);
    leave('secret', secret);
    chosen.secrets.push(file);
  }

  await below(root, '', []);
  return chosen;
}

/** The files that go: what was chosen, what the person insists on, without what the person took out. In the order of their paths. */
export function filesToShare(
  chosen: Chosen,
  insisted: ReadonlySet<string>,
  removed: ReadonlySet<string>,
): SharedFile[] {
  return [...chosen.files, ...chosen.secrets.filter((file) => insisted.has(file.path))]
    .filter((file) => !removed.has(file.path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface IgnoreRules {
  /** Folder of the .gitignore, relative, empty or ending in `/`. */
  prefix: string;
  rules: Ignore;
}

/** The nearest file that says something decides, as in git. */
function isIgnored(all: readonly IgnoreRules[], path: string): boolean {
  for (const { prefix, rules } of all.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(prefix.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

// OpenCode installs what `.opencode/package.json` names by itself; here it is the person's word, so they are told how.
import type { Sandbox } from '../sandbox/sandbox';
import { joinPath } from '../std/paths';

/** Why a file was not loaded, with what to run when a package is missing. */
export async function withInstall(why: string, { fs, workdir }: Pick<Sandbox, 'fs' | 'workdir'>): Promise<string> {
  const [, name] = /Cannot find package '([^']+)'/.exec(why) ?? [];
  if (name === undefined) return why;
  const listed = await fs.readText(joinPath(workdir, '.opencode/package.json')).catch(() => '');
  const what = listed.includes(`"${name}"`) ? '' : ` ${name}`;
  return `${why}. To install it, run npm install --prefix .opencode${what}`;
}

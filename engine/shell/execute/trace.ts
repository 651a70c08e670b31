// `set -x`: each command, as it will run, on the standard error.
import { promptText } from '../expand/prompt';
import { expandText } from '../expand/word';
import type { Shell } from '../state';
import { ShellError } from './control';

/** Prints one trace line with PS4 in front, its first character repeated once per nesting level. */
export async function trace(shell: Shell, text: string): Promise<void> {
  // What PS4 runs is not traced, or there would be no end.
  shell.options.xtrace = false;
  let prefix = shell.vars.get('PS4') ?? '+ ';
  try {
    prefix = await promptText(shell, prefix, expandText);
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    await shell.complain(error.message);
  } finally {
    shell.options.xtrace = true;
  }
  const repeated = prefix.slice(0, 1).repeat(shell.traceDepth);
  const fd = Number(shell.vars.get('BASH_XTRACEFD') ?? 2);
  await shell.write(shell.fds.has(fd) ? fd : 2, `${repeated}${prefix}${text}\n`);
}

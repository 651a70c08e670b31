// `set -x`: each command, as it will run, on the standard error.
import { expandText } from '../expand/word';
import type { Shell } from '../state';

/** Prints one trace line with PS4 in front, its first character repeated once per nesting level. */
export async function trace(shell: Shell, text: string): Promise<void> {
  const prefix = await expandText(shell, shell.vars.get('PS4') ?? '+ ');
  const repeated = prefix.slice(0, 1).repeat(shell.traceDepth);
  const fd = Number(shell.vars.get('BASH_XTRACEFD') ?? 2);
  await shell.write(shell.fds.has(fd) ? fd : 2, `${repeated}${prefix}${text}\n`);
}

// What a background command is to the system: a program with a process id of its own, or a part of the shell.
import type { AndOr, Command, PipelineNode, Word } from 'unbash';
import { BUILTINS } from '../builtins/builtins';
import type { Shell } from '../state';
import { findCommand, isOwnProcess } from './find-command';

/** Whether the background command is one program, whose own process id `$!` should be. */
export function isProgram(shell: Shell, node: PipelineNode | AndOr): boolean {
  if (!isExternal(shell, node)) return false;
  const name = node.name.value;
  return isOwnProcess(shell, findCommand(shell, name), [name, ...node.args.map((word) => word.text)]);
}

/** A command that a shell would start after its fork: neither a function nor a builtin. */
export function isExternal(shell: Shell, node: PipelineNode | AndOr): node is Command & { name: Word } {
  if (node.type !== 'Command' || !node.name || node.name.parts) return false;
  const name = node.name.value;
  return !shell.functions.has(name) && !Object.hasOwn(BUILTINS, name) && !shell.aliases.has(name);
}

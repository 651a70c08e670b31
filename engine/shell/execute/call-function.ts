// Calling a function: its own parameters, variables, traps and place in the call stack.
import type { Shell } from '../state';
import { Return, ShellError } from './control';
import { type Runner, runTrap } from './runner';

const DEEPEST = 1500;

/** Calls a function with new positional parameters; `return` ends it. */
export async function runFunction(run: Runner, shell: Shell, name: string, args: string[]): Promise<number> {
  const { body, source, file, base } = shell.functions.get(name)!;
  if (shell.callStack.length >= DEEPEST)
    throw new ShellError(`${name}: maximum function nesting level exceeded (${DEEPEST})`, 1, true);
  const saved = {
    args: shell.args,
    source: shell.source,
    position: shell.position,
    base: shell.base,
    file: shell.file,
    loops: shell.loops,
  };
  shell.callStack.push({ name, source: file, line: shell.line() });
  const traps = hideTraps(shell);
  shell.vars.pushFrame();
  shell.args = args;
  shell.source = source;
  shell.base = base;
  shell.file = file;
  shell.loops = 0;
  shell.returnable++;
  try {
    let status: number;
    try {
      status = body.type === 'CompoundList' ? await run.body(shell, body) : await run.command(shell, body);
    } catch (error) {
      if (!(error instanceof Return)) throw error;
      status = error.status;
    }
    if (shell.traps.has('RETURN')) {
      shell.status = status;
      await runTrap(shell, 'RETURN');
    }
    return status;
  } finally {
    shell.returnable--;
    shell.vars.popFrame();
    shell.callStack.pop();
    Object.assign(shell, saved);
    traps();
  }
}

/** DEBUG and RETURN traps of the caller do not run in a function, unless `set -T` says so; what it sets itself stays. */
function hideTraps(shell: Shell): () => void {
  if (shell.options.functrace) return () => {};
  const hidden = (['DEBUG', 'RETURN'] as const).flatMap((name) => {
    const action = shell.traps.get(name);
    shell.traps.delete(name);
    return action === undefined ? [] : [[name, action] as const];
  });
  return () => {
    for (const [name, action] of hidden) if (!shell.traps.has(name)) shell.traps.set(name, action);
  };
}

// All builtins by name.
import { ShellError } from '../execute/control';
import { testWords } from './conditions';
import { DECLARE_BUILTINS } from './declare';
import { FLOW_BUILTINS } from './flow';
import { HISTORY_BUILTINS } from './history';
import { IO_BUILTINS } from './input-output';
import { lookupBuiltins, PLACE_BUILTINS } from './places';
import { PROCESS_BUILTINS } from './processes';
import type { Builtin } from './types';

const test: Builtin = async (shell, args, name) => {
  let words = args;
  if (name === '[') {
    if (words.at(-1) !== ']') throw new ShellError("[: missing `]'", 2);
    words = words.slice(0, -1);
  }
  try {
    return testWords(shell, words) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    await shell.complain(`${name}: ${error.message}`);
    return 2;
  }
};

/** The builtins of the shell. */
export const BUILTINS: Record<string, Builtin> = {
  ...FLOW_BUILTINS,
  ...DECLARE_BUILTINS,
  ...IO_BUILTINS,
  ...PROCESS_BUILTINS,
  ...PLACE_BUILTINS,
  ...HISTORY_BUILTINS,
  ...lookupBuiltins((name) => Object.hasOwn(BUILTINS, name)),
  test,
  '[': test,
};

/** Builtins whose `name=value` arguments are assignments: not split, `~` expanded, arrays allowed. */
export const DECLARATIONS = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

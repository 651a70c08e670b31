// The shape of a builtin, and the option parsing that builtins share.
import { ShellError } from '../execute/control';
import type { Shell } from '../state';

/** A command that runs inside the shell with its state. The result is its status. */
export type Builtin = (shell: Shell, args: string[], name: string) => Promise<number> | number;

/** Short options of a builtin; `:` after a letter: it takes a value. Throws ShellError (status 2) as bash words it. */
export function builtinOptions(
  name: string,
  args: string[],
  letters: string,
  usage?: string,
): { options: Map<string, string>; rest: string[] } {
  const options = new Map<string, string>();
  let i = 0;
  for (; i < args.length; i++) {
    const argument = args[i]!;
    if (argument === '--') {
      i++;
      break;
    }
    if (!argument.startsWith('-') || argument.length < 2) break;
    for (let at = 1; at < argument.length; at++) {
      const letter = argument[at]!;
      const known = letters.indexOf(letter);
      if (known < 0 || letter === ':')
        throw new ShellError(`${name}: -${letter}: invalid option${usage ? `\n${name}: usage: ${usage}` : ''}`, 2);
      if (letters[known + 1] !== ':') {
        options.set(letter, '');
        continue;
      }
      const value = at + 1 < argument.length ? argument.slice(at + 1) : args[++i];
      if (value === undefined) throw new ShellError(`${name}: -${letter}: option requires an argument`, 2);
      options.set(letter, value);
      break;
    }
  }
  return { options, rest: args.slice(i) };
}

/** Whether a text may name a variable. */
export function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

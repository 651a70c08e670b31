// The words that a shell is started with: `bash -c text`, `bash file`, options.
import { ShellError } from './control';

/** A parsed command line of the shell. */
export interface Invocation {
  name: string;
  /** The text after -c, or the script's path, or neither: standard input. */
  command: string | undefined;
  file: string | undefined;
  args: string[];
  interactive: boolean;
  login: boolean;
  letters: [string, boolean][];
  options: [string, boolean][];
  shopts: [string, boolean][];
}

/** Parses `[argv0, ...arguments]`. Throws ShellError for an unknown option. */
export function parseInvocation(words: string[]): Invocation {
  const result: Invocation = {
    name: words[0]!,
    command: undefined,
    file: undefined,
    args: [],
    interactive: false,
    login: words[0]!.startsWith('-'),
    letters: [],
    options: [],
    shopts: [],
  };
  let wantsCommand = false;
  let fromInput = false;
  let i = 1;
  for (; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--' || word === '-') {
      i++;
      break;
    }
    if (word === '--login') result.login = true;
    else if (word === '--norc' || word === '--noprofile' || word === '--posix' || word === '--noediting') continue;
    else if (word === '--rcfile' || word === '--init-file') i++;
    else if (word === '--version' || word === '--help') result.options.push([word, true]);
    else if (/^[-+][A-Za-z]/.test(word)) {
      const on = word[0] === '-';
      for (const letter of word.slice(1)) {
        if (letter === 'c' && on) wantsCommand = true;
        else if (letter === 's' && on) fromInput = true;
        else if (letter === 'i' && on) result.interactive = true;
        else if (letter === 'l' && on) result.login = true;
        else if (letter === 'o') result.options.push([words[++i] ?? '', on]);
        else if (letter === 'O') result.shopts.push([words[++i] ?? '', on]);
        else result.letters.push([letter, on]);
      }
    } else if (word.startsWith('--')) throw new ShellError(`${word}: invalid option`, 2);
    else break;
  }
  const rest = words.slice(i);
  if (wantsCommand) {
    if (rest[0] === undefined) throw new ShellError('-c: option requires an argument', 2);
    result.command = rest[0];
    if (rest[1] !== undefined) result.name = rest[1];
    result.args = rest.slice(2);
  } else if (rest[0] !== undefined && !fromInput) {
    result.file = rest[0];
    result.name = rest[0];
    result.args = rest.slice(1);
  } else result.args = rest;
  return result;
}

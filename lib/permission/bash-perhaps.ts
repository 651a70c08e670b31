// Programs that run other programs are more than anybody can list (valgrind, ssh, tmux, nodemon, a script of the project …). So every tail of the
// words of a program that is not known here is taken for a command that it may run; it counts only where a rule forbids that command.
import { namesNoFiles, showsFiles, writesFiles } from './bash-files';
import { withoutOptions } from './bash-programs';
import { commandName } from './bash-words';

const maxTails = 16;
/** None of their words is a command; git is judged by its subcommands (bash-git.ts). */
const known = new Set('git kill date hostname uname whoami pwd wget pushd popd chdir'.split(' '));

/** Command lines that may be among its words; `texts` begins with its name. */
export function perhapsRuns(name: string, texts: readonly string[]): string[] {
  if (known.has(name) || namesNoFiles(name) || writesFiles(name) || showsFiles(name)) return [];
  const found: string[] = [];
  for (let at = 1; at < texts.length && at <= maxTails; at++) {
    const text = texts[at]!.replace(/^--?[\w-]+=/, '');
    if (/\s/.test(text)) for (const part of text.split(/[;&|\n]+/)) found.push(...tails(part.trim().split(/\s+/)));
    else if (!text.startsWith('-')) found.push(...plain([text, ...texts.slice(at + 1)]));
  }
  return found.filter((line) => line !== '');
}

/** `shell rm x` of an editor's or a debugger's language: the command is not its first word. */
function tails(words: readonly string[]): string[] {
  return words.slice(0, 3).flatMap((_, at) => plain(words.slice(at)));
}

/** Without what editors and others put in front of a command (`+!`, `EXEC:`), and under the program's plain name. */
function plain([first = '', ...rest]: readonly string[]): string[] {
  const name = commandName(first.replace(/^[^\w./]+|^[A-Z]+:/, ''));
  const texts = [name, ...rest];
  return [texts.join(' ').trim(), ...withoutOptions(name, texts)];
}

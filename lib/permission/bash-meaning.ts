// What changes what later words mean: variables that load code, aliases, lookups that are told where to find a program. No list of commands can
// be trusted after these, so the whole line is opaque.
import type { ShellWord } from './bash-words';

const names =
  'PATH|IFS|ENV|HOME|PWD|OLDPWD|CDPATH|BASH_\\w+|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|ZDOTDIR|NODE_(?!ENV$|DEBUG$|NO_WARNINGS$|DISABLE_COLORS$)\\w+|TSX?_\\w+|LD_\\w+|DYLD_\\w+|PYTHON\\w+|PERL5?\\w+|RUBY\\w+|AWK(?:LIB)?PATH|GIT_\\w+|EDITOR|VISUAL|BROWSER|(?:MAN|GIT_)?PAGER|LESS\\w*|TAR_OPTIONS|MAKEFLAGS|GREP_OPTIONS|RSYNC_RSH|(?:NPM|PNPM|YARN|BUN|DENO|COREPACK)_\\w+';
const loaded = new RegExp(`^(?:${names})$`, 'i');
/** Assignments that are no commands: `for PATH in`, `${PATH:=…}`. */
const assignsLoaded = new RegExp(`\\b(?:for|select)\\s+(?:${names})\\b|\\$\\{(?:${names}):?=`, 'i');
/** Arithmetic runs what stands in a subscript, wherever the text comes from. A model may write megabytes, so nothing is looked through twice. */
const holdsSubscriptCode = (text: string): boolean =>
  text.split(/[\]\n]/).some((part) => {
    const open = part.search(/\w\[/);
    return open >= 0 && /\$\(|`/.test(part.slice(open + 2));
  });

/** Is this a variable that makes a harmless program run something else? Names that no variable can have are: bash passes functions that way. */
export function loadsCode(variable: string): boolean {
  return loaded.test(variable) || !/^[A-Za-z_]\w*$/.test(variable);
}

/** Why the text as a whole can't be taken at its word. */
export function hiddenMeaning(text: string): string | undefined {
  const source = text.replaceAll('\\\n', '');
  if (assignsLoaded.test(source)) return 'it sets a variable that changes what programs do';
  // A prompt is expanded a second time: `x='$(…)'; echo ${x@P}` runs what stands in the variable.
  if (/@P\s*\}/.test(source)) return 'it expands a variable as a prompt, which runs what stands in it';
  if (holdsSubscriptCode(source)) return 'it holds a subscript that the shell may run';
  return undefined;
}

/** Why a builtin with these words changes what others mean. */
export function changesMeaning(name: string, words: readonly ShellWord[]): string | undefined {
  const args = words.slice(1);
  const has = (pattern: RegExp): boolean => args.some((word) => pattern.test(word.text));
  switch (name) {
    case 'alias':
      return has(/=/) || args.some((word) => word.dynamic) ? 'it defines an alias' : undefined;
    case 'hash':
      return has(/^-[a-z]*p/) ? 'it says where a program is' : undefined;
    case 'enable':
      return has(/^-[a-z]*[fn]/) ? 'it replaces a builtin' : undefined;
    case 'bind':
      return 'it binds keys to commands';
    case 'fc':
      return 'it runs an earlier command';
    case 'declare':
    case 'typeset':
    case 'local':
      if (has(/^-[a-zA-Z]*n/)) return 'it gives a variable a second name';
      return setsLoaded(args);
    case 'export':
    case 'readonly':
    case 'read':
    case 'mapfile':
    case 'readarray':
    case 'getopts':
      return setsLoaded(args);
    case 'printf':
      return args[0]?.text.startsWith('-v') ? setsLoaded(args) : undefined;
    default:
      return undefined;
  }
}

function setsLoaded(args: readonly ShellWord[]): string | undefined {
  const found = args
    .map((word) => /^(?:-v)?(\w+)\+?(?:=|$)/.exec(word.text)?.[1])
    .find((one) => one && loaded.test(one));
  return found && `it sets ${found}, which changes what programs do`;
}

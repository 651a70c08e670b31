// Files with keys (lib/std/secret-names.ts) among the words of a command, and in the middle of them: in a program, a form field, a list.
import { secretGlobs } from '../std/secret-names';

const sourceOf = (globs: readonly string[], run: string): string =>
  globs.map((glob) => glob.replaceAll('.', '\\.').replaceAll('*', run)).join('|');

const named = secretGlobs.filter((glob) => !glob.startsWith('*'));
const surely = ['*.env', '.env.*', ...named];
/** `event.key`, `.key` and `process.env.HOME` are no files most of the time. */
const perhaps = secretGlobs.filter((glob) => !surely.includes(glob));
const wordOf = (globs: readonly string[], run: string): RegExp =>
  new RegExp(`(?:^|[/=@:])(?:${sourceOf(globs, run)})(?:/.*)?$`, 'i');
const sureWord = wordOf(surely, '[^/=@:]*');
const possibleWord = wordOf(perhaps, '[^/=@:]+');

/** Is this word, or the end of it, the path of a file with keys? `perhaps`: only where such a file exists. */
export function secretWord(text: string): 'sure' | 'perhaps' | undefined {
  return sureWord.test(text) ? 'sure' : possibleWord.test(text) ? 'perhaps' : undefined;
}

const inText = [
  // `process.env.X` is none.
  String.raw`(?:^|[\s'"\`/<=:@(,;])(?:\.env(?:\.[\w-]+)?|${sourceOf(named, String.raw`[\w-]*`)})(?=$|[\s'"\`>);,:\]/])`,
  String.raw`['"\`/<=@](?:${sourceOf(perhaps, String.raw`[\w.-]+`)})(?=['"\`>])`,
];
const secretInText = new RegExp(inText.join('|'), 'i');

/** Does it stand in this text? */
export function namesSecret(text: string): boolean {
  return secretInText.test(text);
}

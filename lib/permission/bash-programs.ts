// Programs that are judged by more than their name: interpreters with code on the command line, and those with subcommands behind options.

import { byName } from '../std/by-name';
import { tables } from './bash-option-tables';
import { isGiven, readOptions } from './bash-options';
import type { ShellWord } from './bash-words';
import { npmAlso, npmCommand } from './npm-commands';

/** Options and subcommands whose value is code. */
const inlineCode: Record<string, RegExp> = byName({
  node: /^(-[a-zA-Z]*[epr]|--eval|--print|--require|--import|--loader|--experimental-loader)(=|$)/,
  tsx: /^(-[a-zA-Z]*[epr]|--eval|--print|--require|--import)(=|$)/,
  'ts-node': /^(-[a-zA-Z]*[epr]|--eval|--print|--require)(=|$)/,
  python: /^-[a-zA-Z]*[cm]/,
  perl: /^-[a-zA-Z0-9]*[eEmM]/,
  ruby: /^-[a-zA-Z]*[er]/,
  php: /^-[a-zA-Z]*[rBRE]/,
  deno: /^(eval|repl)$/,
  bun: /^(-[a-zA-Z]*[epr]|--eval|--print|--preload|exec)(=|$)/,
  osascript: /^-e/,
});
const sameAs: Record<string, string> = byName({ nodejs: 'node', python2: 'python', python3: 'python' });
/** Their first operand is a program. */
const programFirst = new Set(['awk', 'gawk', 'mawk', 'nawk']);
/** Options of interpreters with which they read no program. */
const readsNoProgram = /^(-h|--help|-v|-V|--version|--test|--run(=.*)?|--v8-options|--check-config)$/;

const codeOf = (name: string): RegExp | undefined => {
  const key = Object.hasOwn(sameAs, name) ? sameAs[name]! : name;
  return Object.hasOwn(inlineCode, key) ? inlineCode[key] : undefined;
};

/** Does it run programs in another language than the shell's? */
export function isInterpreter(name: string): boolean {
  return codeOf(name) !== undefined;
}

/** Is code part of the command line? Then no pattern can cover another line like it. */
export function holdsCode(name: string, words: readonly ShellWord[]): boolean {
  if (programFirst.has(name)) return true;
  const code = codeOf(name);
  return code !== undefined && words.slice(1).some((word) => code.test(word.text));
}

/** Why nobody can tell what an interpreter runs. */
export function interpreterProblem(name: string, words: readonly ShellWord[]): string | undefined {
  const args = words.slice(1);
  if (holdsCode(name, words) || args.some((word) => readsNoProgram.test(word.text))) return undefined;
  const operands = args.filter((word) => !/^-./.test(word.text));
  const fromInput = `${name} reads its program from standard input`;
  if (operands.length === 0 || operands.some((word) => word.text === '-')) return fromInput;
  return /^\/(dev|proc)\//.test(operands[0]!.text) ? fromInput : undefined;
}

/** Options in front of a subcommand that take a value in the next word. */
const optionValues: Record<string, string[]> = byName({
  git: ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env'],
  npm: ['--prefix', '-C', '-w', '--workspace', '--loglevel', '--userconfig', '--registry', '--cache'],
  pnpm: ['-C', '--dir', '-F', '--filter', '--loglevel'],
  docker: ['-H', '--host', '-c', '--context', '--config', '-l', '--log-level'],
});
const subcommandPrograms = new Set('git npm pnpm yarn bun docker gh cargo kubectl pip'.split(' '));

/** Is it judged by the word after its options? */
export function hasSubcommands(name: string): boolean {
  return subcommandPrograms.has(name);
}

/** The subcommand under its full name. */
export function fullSubcommand(name: string, text: string): string {
  return name === 'npm' ? npmCommand(text) : text;
}

/** Where its subcommand may stand: after an option that we don't know it could be either of the next two words. */
export function subcommandPlaces(name: string, texts: readonly string[]): number[] {
  if (!subcommandPrograms.has(name)) return [];
  const places: number[] = [];
  const valued = optionValues[name] ?? [];
  for (let at = 1; at < texts.length; at++) {
    const text = texts[at]!;
    if (!text.startsWith('-')) return [...places, at];
    if (valued.includes(text)) at++;
    else if (text.startsWith('--') && !text.includes('=') && at + 2 < texts.length && !texts[at + 2]!.startsWith('-'))
      places.push(at + 2);
  }
  return places;
}

/** Is it one with subcommands, and none is given? */
export function lacksSubcommand(name: string, texts: readonly string[]): boolean {
  return subcommandPrograms.has(name) && subcommandPlaces(name, texts).length === 0;
}

/** The lines that it could be without the options in front of its subcommand, which is under its full name: `git push` of `git -C . push`. */
export function withoutOptions(name: string, texts: readonly string[]): string[] {
  return subcommandPlaces(name, texts)
    .flatMap((at) =>
      [fullSubcommand(name, texts[at]!), ...(name === 'npm' ? npmAlso(texts[at]!) : [])].map((subcommand) =>
        [name, subcommand, ...texts.slice(at + 1)].join(' '),
      ),
    )
    .filter((line) => line !== texts.join(' '));
}

/** Options, shortened too, whose value is a program or a file of further options. */
const programOptions: Record<string, RegExp> = byName({
  tar: /^(-[a-zA-Z]*[IF]|--(to-c|use-|checkpoint-|info-s|new-v|rsh|rmt|I))/,
  sort: /^--compress-/,
  curl: /^(-[a-zA-Z#]*K|--config|--conf)/,
  zip: /^-[a-zA-Z]*T|^--unzip/,
  rsync: /^(-[a-zA-Z]*e|--rsh|--rsync-p)/,
  rg: /^--(pre|hostname-bin|search-zip)/,
});

/** Why a subcommand may run more than it says. */
export function subcommandProblem(name: string, texts: readonly string[]): string | undefined {
  const sets = name === 'git' && texts.some((text) => /^(-c$|-c.+=|--config-env|--exec-path=)/.test(text));
  if (sets) return 'git is given settings that can run programs';
  const runs = programOptions[name];
  const option = runs && texts.slice(1).find((text) => runs.test(text));
  return option && `an option of ${name} can run programs`;
}

/** Does awk only look at text? Its programs can also run commands, and read and write files. */
export function awkProblem(name: string, words: readonly ShellWord[]): string | undefined {
  if (!programFirst.has(name)) return undefined;
  const read = readOptions(words.slice(1), { ...tables.awk, stops: true });
  const strange = read.options.some((option) => !option.isKnown) || isGiven(read, 'f', 'file', 'i', 'include');
  const program = read.operands[0];
  if (strange || program === undefined || program.dynamic) return 'what awk runs is only known when it runs';
  const does = /\bsystem\b|\bgetline\b|@|\bprintf?\b[^;}\n]*>|(?:^|[^|])\|(?:[^|]|$)/.test(program.text);
  return does ? 'its program can run commands, and read and write files' : undefined;
}

const address = String.raw`(?:\d+(?:~\d+)?|\$|\+\d+|/(?:\\.|[^/\\\n])*/I?)`;
const field = String.raw`(?:\\.|(?!\k<mark>)[^\\\n])*`;
const simpleSed = new RegExp(
  String.raw`^\s*(?:${address}(?:,${address})?)?\s*!?\s*(?:[pdDnNqQhHgGxlF=]\d*|s(?<mark>[^\w\s\\])${field}\k<mark>${field}\k<mark>[gpiI0-9]*)?\s*$`,
);

/** Does sed only change text? Its scripts can also write files and run commands. `scripts`: those of the command line. */
export function sedProblem(scripts: readonly ShellWord[]): string | undefined {
  const isSimple = scripts.every(
    ({ text, dynamic }) =>
      !dynamic && (simpleSed.test(text) || text.split(/[;\n]/).every((one) => simpleSed.test(one))),
  );
  return isSimple ? undefined : 'a script of sed can write files and run commands';
}

// Parses node's command line with the option table of the real binary, as src/node_options-inl.h does, and picks the main script as
// node::StartExecution does.
import type { Dump, DumpReader } from './dump';
import { refusal, valueProblem, withoutEffect } from './option-limits';

/** Option types of `internalBinding('options').types`. */
const TYPE = { noOp: 0, v8: 1, boolean: 2, integer: 3, unsigned: 4, string: 5, hostPort: 6, list: 7 } as const;

/** Two names of one option. */
const TWINS: Record<string, string> = {
  '--require-module': '--experimental-require-module',
  '--experimental-require-module': '--require-module',
};

/** Options that turn others on. */
const IMPLIED: Record<string, string[]> = {
  '--experimental-transform-types': ['--enable-source-maps'],
  '--trace-env-js-stack': ['--trace-env'],
  '--trace-env-native-stack': ['--trace-env'],
  '--watch-path': ['--watch'],
};

/** Variables that stand for options; those that lib reads itself are not here. */
const VARIABLES: Record<string, string> = {
  NODE_PENDING_DEPRECATION: '--pending-deprecation',
  NODE_PRESERVE_SYMLINKS: '--preserve-symlinks',
  NODE_PRESERVE_SYMLINKS_MAIN: '--preserve-symlinks-main',
};

export interface CommandLine {
  /** Values that differ from the defaults, by long name, with their `--no-` twins. */
  options: Record<string, unknown>;
  /** The options as they were written: process.execArgv. */
  execArgv: string[];
  /** What follows the options. */
  rest: string[];
  /** What is to be said of options that change nothing here. */
  notes: string[];
  /** Why node would exit with code 9, or undefined. */
  problem: string | undefined;
  /** Of a thread's options those that no thread has of its own, and those that do not exist, as they were written. */
  foreign: string[];
}

interface OptionInfo {
  type: number;
  envVarSettings: number;
}

/**
 * `args` are what follows argv[0]. A thread (`ofThread`) takes only what each thread can have of its own: what is the process's is in `foreign` when
 * it stands in `args`, and a problem when it stands in a NODE_OPTIONS that is not the parent's.
 */
export function parseCommandLine(
  args: string[],
  dump: Dump,
  reader: DumpReader,
  env: Readonly<Record<string, string>> = {},
  ofThread?: { parentOptions: string },
): CommandLine {
  const envOptions = env.NODE_OPTIONS ?? '';
  const foreign: string[] = [];
  const isForeign = (name: string): boolean => !!ofThread && dump.perProcessOptions.includes(name);
  const info = reader.revive(dump.cliOptionsInfo, 'options');
  const options: Map<string, OptionInfo> = info.options;
  const aliases: Map<string, string[]> = info.aliases;
  const values: Record<string, unknown> = {};
  const notes = new Set<string>();
  const set = (name: string, value: unknown): void => {
    values[name] = value;
    if (typeof value === 'boolean')
      values[name.startsWith('--no-') ? `--${name.slice(5)}` : `--no-${name.slice(2)}`] = !value;
    const twin = TWINS[name];
    if (twin && values[twin] !== value) set(twin, value);
    if (value !== false) for (const implied of IMPLIED[name] ?? []) if (!values[implied]) set(implied, true);
  };

  const parse = (
    input: string[],
    fromEnvironment: boolean,
  ): { consumed: string[]; rest: string[]; problem?: string } => {
    // What an alias expands to was not written by the person, and does not appear in execArgv.
    const queue = input.map((text) => ({ text, written: true, source: text }));
    const consumed: string[] = [];
    const fail = (problem: string) => ({ consumed, rest: queue.map((word) => word.text), problem });
    const isValue = (word: string): boolean => !word.startsWith('-') || word === '-';
    while (queue.length > 0) {
      const { text: word, written, source } = queue[0];
      if (isValue(word)) break;
      queue.shift();
      if (word === '--') break;
      if (written) consumed.push(word);
      const equals = word.startsWith('--') ? word.indexOf('=') : -1;
      const name = (equals < 0 ? word : word.slice(0, equals)).replace(/(?<=.)_/g, '-');
      let value = equals < 0 ? undefined : word.slice(equals + 1);
      const followed = value === undefined && queue.length > 0 && isValue(queue[0].text);
      const alias =
        (value !== undefined ? aliases.get(`${name}=`) : undefined) ??
        (followed && name === '--print' ? ['--print', '--eval'] : aliases.get(name));
      if (alias && alias[0] !== name) {
        queue.unshift(
          ...alias.map((text, index) => ({
            text: index === 0 && value !== undefined ? `${text}=${value}` : text,
            written: false,
            source,
          })),
        );
        continue;
      }
      if (alias) queue.unshift(...alias.slice(1).map((text) => ({ text, written: false, source })));
      const negated = name.startsWith('--no-') && !options.has(name);
      const positive = negated ? `--${name.slice(5)}` : name;
      const option = options.get(positive);
      const isOthers =
        isForeign(positive) &&
        (fromEnvironment ? option?.type !== TYPE.v8 && envOptions !== ofThread?.parentOptions : true);
      if (fromEnvironment && (option?.envVarSettings !== 0 || isOthers))
        return fail(`${source.replace(/=.*/s, '=')} is not allowed in NODE_OPTIONS`);
      if (ofThread && (!option || isOthers)) {
        foreign.push(source);
        continue;
      }
      if (!option) return fail(`bad option: ${word}`);
      if (negated && option.type !== TYPE.boolean && option.type !== TYPE.v8)
        return fail(`${word} is an invalid negation because it is not a boolean option`);
      if (!negated) {
        const refused = refusal(positive);
        if (refused !== undefined) return fail(`${word}: ${refused}`);
        const note = withoutEffect(positive);
        if (note !== undefined) notes.add(note);
      }
      // Of V8's options only this one changes what a program does.
      if (positive === '--abort-on-uncaught-exception') set(positive, !negated);
      if (option.type === TYPE.noOp || option.type === TYPE.v8) continue;
      if (option.type === TYPE.boolean) {
        if (value !== undefined) return fail(`${word} does not take an argument`);
        set(positive, !negated);
        continue;
      }
      if (value === '') return fail(`${source.replace(/=.*/s, '=')} requires an argument`);
      if (value === undefined) {
        if (queue.length === 0 || !isValue(queue[0].text)) return fail(`${source} requires an argument`);
        const next = queue.shift() as { text: string; written: boolean; source: string };
        if (next.written) consumed.push(next.text);
        value = next.text.replace(/^\\-/, '-');
      }
      if (option.type === TYPE.list) set(name, [...((values[name] as string[] | undefined) ?? []), value]);
      else if (option.type === TYPE.integer || option.type === TYPE.unsigned)
        values[name] = Number.parseInt(value, 10) || 0;
      else set(name, value);
    }
    return { consumed, rest: queue.map((word) => word.text) };
  };

  if (envOptions.trim()) {
    const words = splitNodeOptions(envOptions);
    const problem = typeof words === 'string' ? words : parse(words, true).problem;
    if (problem) return { options: values, execArgv: [], rest: [], notes: [], problem, foreign };
  }
  const result = parse(args, false);
  for (const [variable, option] of Object.entries(VARIABLES)) if (env[variable] === '1') set(option, true);
  if (env.NODE_REDIRECT_WARNINGS && !values['--redirect-warnings'])
    values['--redirect-warnings'] = env.NODE_REDIRECT_WARNINGS;
  return {
    options: values,
    execArgv: result.consumed,
    rest: result.rest,
    notes: [...notes],
    problem: result.problem ?? valueProblem(values),
    foreign,
  };
}

/** NODE_OPTIONS: words separated by spaces, double quotes group, backslash escapes inside them; or what is wrong with them. */
function splitNodeOptions(text: string): string[] | string {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    let character = text[index];
    if (character === '\\' && isQuoted) {
      if (index + 1 === text.length) return 'invalid value for NODE_OPTIONS (invalid escape)\n';
      character = text[++index];
    } else if (character === ' ' && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    } else if (character === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    word = (word ?? '') + character;
  }
  if (isQuoted) return 'invalid value for NODE_OPTIONS (unterminated string)\n';
  if (word !== undefined) words.push(word);
  return words;
}

/** The builtin that runs the program. `stdinIsTerminal` decides between the REPL and reading a script from stdin. */
export function mainScript(line: CommandLine, stdinIsTerminal: boolean): string {
  const { options, rest } = line;
  if (options['--help']) return 'internal/main/print_help';
  if (options['--version']) return 'version';
  if (options['--completion-bash']) return 'completion';
  if (rest[0] === 'inspect') return 'internal/main/inspect';
  if (options['--check']) return 'internal/main/check_syntax';
  if (options['--test']) return 'internal/main/test_runner';
  if (options['--watch'] && !options['--test']) return 'internal/main/watch_mode';
  if (typeof options['--eval'] === 'string' && !options['--interactive']) return 'internal/main/eval_string';
  if (rest.length > 0 && rest[0] !== '-') return 'internal/main/run_main_module';
  if (options['--interactive'] || stdinIsTerminal) return 'internal/main/repl';
  return 'internal/main/eval_stdin';
}

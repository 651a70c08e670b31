// Commands that run other commands. The inner command is what must be judged; where it can't be seen, the whole line is opaque.
import { baseName } from '../std/paths';
import { writesFiles } from './bash-files';
import { changesMeaning, loadsCode } from './bash-meaning';
import { isGiven, type OptionTable, type ReadOptions, readOptions, valuesOf } from './bash-options';
import { fullSubcommand, hasSubcommands, interpreterProblem, isInterpreter, subcommandPlaces } from './bash-programs';
import { commandName, type ShellWord } from './bash-words';
import { type Wrapper, wrappers } from './bash-wrapper-table';

/** What a wrapper itself touches; `directory`: where the inner command runs. */
export interface WrapperFiles {
  reads?: ShellWord[];
  writes?: ShellWord[];
  directory?: ShellWord;
}

/** `inner`: the words of the command that is run. `script`: shell source that is run. `opaque`: why nobody can tell. */
export type Unwrapped =
  | ({ kind: 'plain' } & WrapperFiles)
  | ({ kind: 'inner'; words: ShellWord[]; keepOuter?: boolean; addsArguments?: boolean } & WrapperFiles)
  | { kind: 'several'; commands: ShellWord[][] }
  | { kind: 'script'; source: string; keepOuter?: boolean }
  | { kind: 'opaque'; reason: string };

const shells = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'ash']);
/** Programs that run a program of the project by name: their first words. */
const launchers = [
  ['npx'],
  ['npm', 'exec'],
  ['npm', 'x'],
  ['pnpm', 'exec'],
  ['pnpm', 'dlx'],
  ['pnpx'],
  ['yarn', 'exec'],
  ['yarn', 'dlx'],
  ['bunx'],
  ['bun', 'x'],
];
const launcherOptions: OptionTable = {
  short: 'pwCc',
  flags: 'yqsdr',
  long: 'package workspace prefix registry cache call loglevel filter dir',
  longFlags:
    'yes no no-install quiet silent verbose ws workspaces include-workspace-root offline prefer-offline prefer-online ignore-scripts bun recursive shell-mode',
  stops: true,
};
const standardInput = /^\/(dev\/(stdin|fd\/)|proc\/)/;

/** Looks one layer inside. `words[0]` is the command's name, static. */
export function unwrap(words: readonly ShellWord[]): Unwrapped {
  const name = commandName(words[0]!.text);
  const changed = changesMeaning(name, words);
  if (changed !== undefined) return { kind: 'opaque', reason: changed };
  if (shells.has(name)) return unwrapShell(words);
  const rest = words[1]?.text === '--' ? words.slice(2) : words.slice(1);
  if (name === 'eval') return joinedScript(rest, 'eval');
  if (name === 'trap') return words.length < 3 ? { kind: 'plain' } : joinedScript(rest.slice(0, 1), 'trap');
  if (name === 'su' || name === 'runuser' || name === 'script')
    return optionScript(words, 'c', 'command') ?? { kind: 'opaque', reason: `${name} starts a shell` };
  if (name === 'compgen' && words.some((word) => /[$`]/.test(word.text)))
    return { kind: 'opaque', reason: 'compgen expands its words' };
  if (name === 'mapfile' || name === 'readarray' || name === 'compgen' || name === 'complete')
    return optionScript(words, 'C', '') ?? { kind: 'plain' };
  if (name === 'jobs') return words[1]?.text === '-x' ? { kind: 'inner', words: words.slice(2) } : { kind: 'plain' };
  if ((name === 'source' || name === '.') && words[1] !== undefined && standardInput.test(words[1].text))
    return { kind: 'opaque', reason: `${name} reads its commands from standard input` };
  if (name === 'find' || name === 'fd') return unwrapFind(words);
  if (launchers.some((one) => one.length === 1 && one[0] === name)) return unwrapLauncher(words.slice(1));
  const texts = words.map((word) => word.text);
  for (const at of subcommandPlaces(name, texts))
    if (launchers.some((one) => one[0] === name && one[1] === fullSubcommand(name, texts[at]!)))
      return unwrapLauncher(words.slice(at + 1));
  const cli = name === 'node' ? words.findIndex((word) => /(?:^|\/)(?:npm|npx)-cli\.js$/.test(word.text)) : -1;
  if (cli > 0) {
    const program = { text: baseName(words[cli]!.text).replace('-cli.js', ''), dynamic: false };
    return { kind: 'inner', words: [program, ...words.slice(cli + 1)], keepOuter: true };
  }
  if (isInterpreter(name)) {
    const reason = interpreterProblem(name, words);
    return reason === undefined ? { kind: 'plain' } : { kind: 'opaque', reason };
  }
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  return wrapper === undefined ? { kind: 'plain' } : unwrapWrapper(name, wrapper, words);
}

/** Does it run what comes after it? Then more words mean another command. */
export function runsItsArguments(name: string): boolean {
  return shells.has(name) || Object.hasOwn(wrappers, name) || isInterpreter(name) || name === 'eval';
}

function unwrapWrapper(name: string, wrapper: Wrapper, words: readonly ShellWord[]): Unwrapped {
  if (name === 'env' && words.some((word) => /^(-[a-zA-Z0-9]*S|--s)/.test(word.text)))
    return { kind: 'opaque', reason: 'env -S splits text into a command' };
  if (name === 'command' && /^-[pvV]*[vV]/.test(words[1]?.text ?? '')) return { kind: 'plain' };
  if (wrapper.script !== undefined) {
    const script = optionScript(words, wrapper.script, 'command');
    if (script !== undefined) return script;
  }
  const read = readOptions(words.slice(1), { ...wrapper, stops: true });
  const strange = read.options.find((option) => !option.isKnown && option.value === undefined);
  if (strange !== undefined)
    return {
      kind: 'opaque',
      reason: `what ${name} runs depends on its option ${strange.name}, which is not known here`,
    };
  const end = name === 'parallel' ? read.operands.findIndex((word) => word.text.startsWith(':::')) : -1;
  const inner = read.operands.slice(0, end < 0 ? undefined : end);
  if (name === 'env' && inner[0]?.text === '-') inner.shift();
  while (wrapper.assigns && /^[^=]+=/.test(inner[0]?.text ?? '')) {
    const { text } = inner.shift()!;
    const variable = text.slice(0, text.indexOf('='));
    if (loadsCode(variable)) return { kind: 'opaque', reason: `it sets ${variable}, which changes what programs do` };
  }
  inner.splice(0, wrapper.operands ?? 0);
  const directory = valuesOf(read, ...(wrapper.directory ?? []))[0];
  const files: WrapperFiles = {
    reads: valuesOf(read, ...(wrapper.reads ?? [])),
    writes: valuesOf(read, ...(wrapper.writes ?? [])),
    ...(directory === undefined ? {} : { directory }),
  };
  if (inner.length === 0) return { kind: 'plain', ...files };
  const marker = name === 'xargs' ? replacementOf(read) : undefined;
  if (marker !== undefined && inner[0]!.text.includes(marker))
    return { kind: 'opaque', reason: 'what xargs runs is only known when it runs' };
  if (wrapper.joins) return joinedScript(inner, name);
  return {
    kind: 'inner',
    words: inner,
    ...files,
    ...(wrapper.keepOuter ? { keepOuter: true } : {}),
    ...(wrapper.addsArguments ? { addsArguments: true } : {}),
  };
}

/** What xargs puts its input in place of. */
function replacementOf(read: ReadOptions): string | undefined {
  const given = valuesOf(read, 'I', 'J', 'i', 'replace').at(-1)?.text;
  return given ?? (isGiven(read, 'i', 'replace') ? '{}' : undefined);
}

function unwrapShell(words: readonly ShellWord[]): Unwrapped {
  const name = words[0]!.text;
  const fromInput: Unwrapped = { kind: 'opaque', reason: `${name} reads its commands from standard input` };
  let isScript = false;
  let at = 1;
  for (; at < words.length; at++) {
    const { text } = words[at]!;
    if (text === '--rcfile' || text === '--init-file') at++;
    else if (text === '--' || text === '-') {
      at++;
      break;
    } else if (/^[-+][a-zA-Z]/.test(text)) {
      if (text.startsWith('-') && text.includes('c')) isScript = true;
      if (text.startsWith('-') && text.includes('s')) return fromInput;
      if (/[oO]/.test(text)) {
        if (text.length > 2) return { kind: 'opaque', reason: `the options of ${name} are tangled` };
        at++;
      }
    } else if (!text.startsWith('--')) break;
  }
  const operand = words[at];
  if (isScript) return joinedScript(operand === undefined ? [] : [operand], `${name} -c`);
  if (operand === undefined)
    return words.some((word) => word.text === '--version' || word.text === '--help') ? { kind: 'plain' } : fromInput;
  if (operand.dynamic) return { kind: 'opaque', reason: 'the script is only known to the shell' };
  return standardInput.test(operand.text) ? fromInput : { kind: 'plain' };
}

/** The shell source in the value of an option, when it is given. */
function optionScript(words: readonly ShellWord[], letter: string, long: string): Unwrapped | undefined {
  const read = readOptions(words.slice(1), { short: letter, ...(long === '' ? {} : { long }) });
  return isGiven(read, letter, long) ? joinedScript(valuesOf(read, letter, long), words[0]!.text) : undefined;
}

function joinedScript(words: readonly ShellWord[], what: string): Unwrapped {
  if (words.length === 0) return { kind: 'plain' };
  if (words.some((word) => word.dynamic))
    return { kind: 'opaque', reason: `what ${what} runs is only known to the shell` };
  return { kind: 'script', source: words.map((word) => word.text).join(' ') };
}

/** `rest`: after `npx`, `npm exec` …. A program of a package is judged by the launcher's name; one that tells more by its own, too. */
function unwrapLauncher(rest: readonly ShellWord[]): Unwrapped {
  const read = readOptions(rest, launcherOptions);
  const strange = read.options.find((option) => !option.isKnown && option.value === undefined);
  if (strange !== undefined)
    return { kind: 'opaque', reason: `what it runs depends on the option ${strange.name}, which is not known here` };
  const inner = read.operands;
  const called = valuesOf(read, 'c', 'call');
  if (called.length > 0 || isGiven(read, 'shell-mode')) {
    const script = joinedScript(called.length > 0 ? called.slice(0, 1) : inner, 'it');
    return script.kind === 'script' ? { ...script, keepOuter: true } : script;
  }
  const [first] = inner;
  if (first === undefined) return { kind: 'plain' };
  if (first.dynamic) return { kind: 'opaque', reason: 'which program runs is only known to the shell' };
  const name = commandName(first.text).replace(/(?<=\w)@[\w.^~-]+$/, '');
  inner[0] = { ...first, text: name };
  const tells = writesFiles(name) || isInterpreter(name) || hasSubcommands(name) || unwrap(inner).kind !== 'plain';
  return tells ? { kind: 'inner', words: inner, keepOuter: true } : { kind: 'plain' };
}

function unwrapFind(words: readonly ShellWord[]): Unwrapped {
  const commands: ShellWord[][] = [];
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at]!;
    const takesRest = /^(-x|-X|--exec|--exec-batch)$/.test(text);
    if (!takesRest && !/^(-exec|-execdir|-ok|-okdir)$/.test(text)) continue;
    const ends = (word: ShellWord, index: number) =>
      index > at && (word.text === ';' || (word.text === '+' && words[index - 1]!.text === '{}'));
    const end = takesRest ? -1 : words.findIndex(ends);
    const command = words.slice(at + 1, end < 0 ? undefined : end);
    if (command.length > 0) commands.push(command);
    if (command[0]?.text.includes('{}')) return { kind: 'opaque', reason: 'it runs the files that it finds' };
    at = end < 0 ? words.length : end;
  }
  return commands.length > 0 ? { kind: 'several', commands } : { kind: 'plain' };
}

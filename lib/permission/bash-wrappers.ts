// Commands that run other commands. The inner command is what must be judged; where it can't be seen, the whole line is opaque.
import { writesFiles } from './bash-files';
import { changesMeaning, loadsCode } from './bash-meaning';
import { interpreterProblem, isInterpreter } from './bash-programs';
import { commandName, type ShellWord } from './bash-words';

/** `inner`: the words of the command that is run. `script`: shell source that is run. `opaque`: why nobody can tell. */
export type Unwrapped =
  | { kind: 'plain' }
  | { kind: 'inner'; words: ShellWord[]; keepOuter?: boolean; addsArguments?: boolean }
  | { kind: 'several'; commands: ShellWord[][] }
  | { kind: 'script'; source: string; keepOuter?: boolean }
  | { kind: 'opaque'; reason: string };

interface Wrapper {
  /** Options that take a value in the next word: letters, and long names parted by spaces. */
  short?: string;
  long?: string;
  /** Operands before the command. */
  operands?: number;
  /** `A=1` in front of the command. */
  assigns?: boolean;
  /** The letter of the option whose value is shell source. */
  script?: string;
  keepOuter?: boolean;
  addsArguments?: boolean;
  /** The command's words are joined and given to a shell. */
  joins?: boolean;
}

const plainWrapper: Wrapper = {};
const wrappers: Record<string, Wrapper> = {
  env: { short: 'uC', long: 'unset chdir', assigns: true },
  sudo: {
    short: 'ugphCTrtDR',
    long: 'user group prompt host close-from command-timeout role type chdir chroot',
    assigns: true,
    keepOuter: true,
  },
  doas: { short: 'uC', keepOuter: true },
  time: { short: 'fo', long: 'format output' },
  nice: { short: 'n', long: 'adjustment' },
  ionice: { short: 'cnpPu', long: 'class classdata pid' },
  timeout: { short: 'sk', long: 'signal kill-after', operands: 1 },
  stdbuf: { short: 'ioe', long: 'input output error' },
  xargs: {
    short: 'aEIdLnPs',
    long: 'arg-file delimiter max-args max-procs max-chars process-slot-var',
    addsArguments: true,
  },
  exec: { short: 'a' },
  setsid: plainWrapper,
  nohup: plainWrapper,
  command: plainWrapper,
  builtin: plainWrapper,
  busybox: plainWrapper,
  toybox: plainWrapper,
  chroot: { operands: 1, keepOuter: true },
  flock: { short: 'wEc', long: 'timeout wait conflict-exit-code command', operands: 1, script: 'c' },
  strace: { short: 'eopsuPaObIE', keepOuter: true },
  watch: { short: 'n', long: 'interval', joins: true },
  parallel: { short: 'jNPnLS', long: 'jobs max-args', addsArguments: true },
};
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
const launcherValues = new Set(['-p', '--package', '-w', '--workspace', '--prefix', '--registry', '--cache', '-C']);
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
  if (name === 'mapfile' || name === 'readarray' || name === 'compgen' || name === 'complete')
    return optionScript(words, 'C', '') ?? { kind: 'plain' };
  if (name === 'jobs') return words[1]?.text === '-x' ? { kind: 'inner', words: words.slice(2) } : { kind: 'plain' };
  if ((name === 'source' || name === '.') && words[1] !== undefined && standardInput.test(words[1].text))
    return { kind: 'opaque', reason: `${name} reads its commands from standard input` };
  if (name === 'find' || name === 'fd') return unwrapFind(words);
  const launcher = launchers.find((one) => one.every((part, at) => (at === 0 ? name : words[at]?.text) === part));
  if (launcher !== undefined) return unwrapLauncher(words.slice(launcher.length));
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
  if (name === 'env' && words.some((word) => /^(-[a-zA-Z]*S|--split-string)/.test(word.text)))
    return { kind: 'opaque', reason: 'env -S splits text into a command' };
  if (name === 'command' && /^-[pvV]*[vV]/.test(words[1]?.text ?? '')) return { kind: 'plain' };
  if (wrapper.script !== undefined) {
    const script = optionScript(words, wrapper.script, 'command');
    if (script !== undefined) return script;
  }
  const long = wrapper.long?.split(' ') ?? [];
  let operands = wrapper.operands ?? 0;
  let replaced: string | undefined;
  let at = 1;
  for (; at < words.length; at++) {
    const { text } = words[at]!;
    if (text === '--') {
      at++;
      break;
    }
    if (text.startsWith('-') && (text.length > 1 || name === 'env')) {
      const takesNext = text.startsWith('--')
        ? long.includes(text.slice(2))
        : text.length > 1 && (wrapper.short ?? '').includes(text.at(-1)!);
      if (name === 'xargs') replaced = replacementOf(text, words[at + 1]?.text) ?? replaced;
      if (takesNext) at++;
    } else if (wrapper.assigns && text.includes('=') && !text.startsWith('=')) {
      const variable = text.slice(0, text.indexOf('='));
      if (loadsCode(variable)) return { kind: 'opaque', reason: `it sets ${variable}, which changes what programs do` };
    } else if (operands-- <= 0) break;
  }
  const end = name === 'parallel' ? words.findIndex((word) => word.text.startsWith(':::')) : -1;
  const inner = words.slice(at, end < 0 ? undefined : end);
  if (inner.length === 0) return { kind: 'plain' };
  if (replaced !== undefined && inner[0]!.text.includes(replaced))
    return { kind: 'opaque', reason: 'what xargs runs is only known when it runs' };
  if (wrapper.joins) return joinedScript(inner, name);
  return {
    kind: 'inner',
    words: inner,
    ...(wrapper.keepOuter ? { keepOuter: true } : {}),
    ...(wrapper.addsArguments ? { addsArguments: true } : {}),
  };
}

/** What xargs puts its input in place of. */
function replacementOf(text: string, next: string | undefined): string | undefined {
  if (text === '-I' || text === '-J') return next;
  if (/^-[iIJ]./.test(text)) return text.slice(2);
  if (text === '-i' || text === '--replace') return '{}';
  return text.startsWith('--replace=') ? text.slice('--replace='.length) : undefined;
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
  const short = new RegExp(`^-[a-zA-Z]*${letter}$`);
  const at = words.findIndex((word) => short.test(word.text) || (long !== '' && word.text === `--${long}`));
  if (at >= 0) return joinedScript(words.slice(at + 1, at + 2), words[0]!.text);
  const joined = long === '' ? undefined : words.find((word) => word.text.startsWith(`--${long}=`));
  return joined && joinedScript([{ ...joined, text: joined.text.slice(long.length + 3) }], words[0]!.text);
}

function joinedScript(words: readonly ShellWord[], what: string): Unwrapped {
  if (words.length === 0) return { kind: 'plain' };
  if (words.some((word) => word.dynamic))
    return { kind: 'opaque', reason: `what ${what} runs is only known to the shell` };
  return { kind: 'script', source: words.map((word) => word.text).join(' ') };
}

/** `rest`: after `npx`, `npm exec` …. A program of a package is judged by the launcher's name; one that tells more by its own, too. */
function unwrapLauncher(rest: readonly ShellWord[]): Unwrapped {
  const call = rest.findIndex((word) => word.text === '-c' || word.text === '--call' || word.text === '--shell-mode');
  let at = 0;
  while (at < rest.length && rest[at]!.text.startsWith('-')) {
    if (rest[at]!.text === '--') {
      at++;
      break;
    }
    at += launcherValues.has(rest[at]!.text) ? 2 : 1;
  }
  if (call >= 0 && call < at) {
    const script = joinedScript(rest.slice(call + 1, call + 2), 'it');
    return script.kind === 'script' ? { ...script, keepOuter: true } : script;
  }
  const inner = rest.slice(at);
  const [first] = inner;
  if (first === undefined) return { kind: 'plain' };
  if (first.dynamic) return { kind: 'opaque', reason: 'which program runs is only known to the shell' };
  const name = commandName(first.text);
  const tells = writesFiles(name) || isInterpreter(name) || unwrap(inner).kind !== 'plain';
  return tells ? { kind: 'inner', words: inner, keepOuter: true } : { kind: 'plain' };
}

function unwrapFind(words: readonly ShellWord[]): Unwrapped {
  const commands: ShellWord[][] = [];
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at]!;
    const takesRest = /^(-x|-X|--exec|--exec-batch)$/.test(text);
    if (!takesRest && !/^(-exec|-execdir|-ok|-okdir)$/.test(text)) continue;
    const end = takesRest ? -1 : words.findIndex((word, index) => index > at && /^[;+]$/.test(word.text));
    const command = words.slice(at + 1, end < 0 ? undefined : end);
    if (command.length > 0) commands.push(command);
    if (command[0]?.text.includes('{}')) return { kind: 'opaque', reason: 'it runs the files that it finds' };
    at = end < 0 ? words.length : end;
  }
  return commands.length > 0 ? { kind: 'several', commands } : { kind: 'plain' };
}

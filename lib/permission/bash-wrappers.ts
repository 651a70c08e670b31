// Commands that run other commands. The inner command is what must be judged; where it can't be seen, the whole line is opaque.
import type { ShellWord } from './bash-words';

/** `inner`: the words of the command that is run. `script`: shell source that is run. `opaque`: why nobody can tell. */
export type Unwrapped =
  | { kind: 'plain' }
  | { kind: 'inner'; words: ShellWord[]; keepOuter?: boolean; addsArguments?: boolean }
  | { kind: 'several'; commands: ShellWord[][] }
  | { kind: 'script'; source: string }
  | { kind: 'opaque'; reason: string };

/** Options that take a value in the next word, by wrapper. */
const valueOptions: Record<string, string> = {
  env: 'uCS',
  sudo: 'ugphCTrtD',
  doas: 'uC',
  time: 'fo',
  nice: 'n',
  ionice: 'cnp',
  timeout: 'sk',
  stdbuf: 'ioe',
  xargs: 'aEIdLnPsR',
  exec: 'a',
  setsid: '',
  nohup: '',
  command: '',
  builtin: '',
  watch: 'n',
};
const shells = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'ash']);
const interpreters = new Set(['node', 'nodejs', 'python', 'python3', 'perl', 'ruby', 'php', 'deno', 'bun']);

/** Looks one layer inside. `words[0]` is the command's name, static. */
export function unwrap(words: readonly ShellWord[]): Unwrapped {
  const name = commandName(words[0]!.text);
  if (shells.has(name)) return unwrapShell(words);
  if (name === 'eval') return joinedScript(words.slice(1), 'eval');
  if (name === 'trap') return words.length < 3 ? { kind: 'plain' } : joinedScript(words.slice(1, 2), 'trap');
  if (name === 'find' || name === 'fd') return unwrapFind(words);
  if (interpreters.has(name) && words.length === 1)
    return { kind: 'opaque', reason: `${name} reads its program from standard input` };
  if (!(name in valueOptions)) return { kind: 'plain' };
  let at = 1;
  if (name === 'env' && words.some((word) => /^(-S|--split-string)/.test(word.text)))
    return { kind: 'opaque', reason: 'env -S splits text into a command' };
  for (; at < words.length; at++) {
    const { text } = words[at]!;
    if (text === '--') {
      at++;
      break;
    }
    if (text.startsWith('-') && text.length > 1) {
      const letters = valueOptions[name]!;
      if (!text.startsWith('--') && letters.includes(text.at(-1)!)) at++;
    } else if (!((name === 'env' || name === 'sudo') && /^[A-Za-z_]\w*=/.test(text))) break;
  }
  if (name === 'command' && /^-[vV]$/.test(words[1]?.text ?? '')) return { kind: 'plain' };
  if (name === 'timeout') at++;
  const inner = words.slice(at);
  if (inner.length === 0) return { kind: 'plain' };
  if (name === 'watch') return joinedScript(inner, 'watch');
  return {
    kind: 'inner',
    words: inner,
    ...(name === 'sudo' || name === 'doas' ? { keepOuter: true } : {}),
    ...(name === 'xargs' ? { addsArguments: true } : {}),
  };
}

/** The program's name without its directory, when that directory is one where programs live. */
export function commandName(text: string): string {
  return /^\/(usr\/)?(local\/)?s?bin\/[^/]+$/.test(text) ? text.slice(text.lastIndexOf('/') + 1) : text;
}

function unwrapShell(words: readonly ShellWord[]): Unwrapped {
  for (let at = 1; at < words.length; at++) {
    const { text, dynamic } = words[at]!;
    if (text === '-o' || text === '+o' || text === '--rcfile' || text === '--init-file') at++;
    else if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text))
      return joinedScript(words.slice(at + 1, at + 2), `${words[0]!.text} -c`);
    else if (text === '-s' || text === '-') break;
    else if (!/^[-+]/.test(text))
      return dynamic ? { kind: 'opaque', reason: 'the script is only known to the shell' } : { kind: 'plain' };
  }
  if (words.some((word) => word.text === '--version' || word.text === '--help')) return { kind: 'plain' };
  return { kind: 'opaque', reason: `${words[0]!.text} reads its commands from standard input` };
}

function joinedScript(words: readonly ShellWord[], what: string): Unwrapped {
  if (words.length === 0) return { kind: 'plain' };
  if (words.some((word) => word.dynamic))
    return { kind: 'opaque', reason: `what ${what} runs is only known to the shell` };
  return { kind: 'script', source: words.map((word) => word.text).join(' ') };
}

function unwrapFind(words: readonly ShellWord[]): Unwrapped {
  const commands: ShellWord[][] = [];
  for (let at = 1; at < words.length; at++) {
    if (!/^(-exec|-execdir|-ok|-okdir)$/.test(words[at]!.text)) continue;
    const end = words.findIndex((word, index) => index > at && (word.text === ';' || word.text === '+'));
    const command = words.slice(at + 1, end < 0 ? undefined : end);
    if (command.length > 0) commands.push(command);
    at = end < 0 ? words.length : end;
  }
  return commands.length > 0 ? { kind: 'several', commands } : { kind: 'plain' };
}

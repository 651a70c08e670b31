// The state of one shell: the main one, or a subshell (a copy that runs in the same process). It holds data and asks no
// questions; the executor, which is handed in, does the work.
import nodeOs from 'node:os';
import type { CommandNode, Function as FunctionNode, ParsedScript } from 'unbash';
import { bindDynamic } from './dynamic-variables';
import { errorText } from './execute/control';
import type { JobGroup, Jobs } from './execute/jobs';
import type { EditorResult } from './interactive/line-editor';
import type { Channel } from './io/channel';
import { encodeText } from './io/text';
import type { Os } from './os';
import { type Value, Variables } from './variables';

/** What expansions and builtins may ask of the executor. */
export interface Executor {
  /** Output of `$( )` without trailing newlines. */
  substitute(shell: Shell, script: ParsedScript | undefined, text: string): Promise<string>;
  /** A path such as /dev/fd/63. */
  processSubstitution(shell: Shell, operator: '<' | '>', script: ParsedScript): Promise<string>;
  /**
   * Runs a text in this shell: eval, source, trap. Syntax errors are printed and give status 2. `label` names the file in them; `base` is the
   * number of lines before the text's first.
   */
  runText(shell: Shell, text: string, label?: string, base?: number): Promise<number>;
  /** Runs a command by its words, as `command` (`functions` false) or as if typed. */
  runWords(shell: Shell, words: string[], options?: RunOptions): Promise<number>;
  /** `bash …` and `sh …` as a command: a new shell in this process that knows only the environment. */
  runShell(shell: Shell, words: string[], options?: RunOptions): Promise<number>;
}

/** Options of runWords. */
export interface RunOptions {
  functions?: boolean;
  builtins?: boolean;
  environment?: Record<string, string>;
  cwd?: string;
  argv0?: string;
}

/** A defined function, with the source that its positions refer to. */
export interface FunctionDefinition {
  body: FunctionNode['body'];
  source: string;
  node: FunctionNode;
  /** The file that it stands in, and the lines before its source. */
  file: string;
  base: number;
}

/** `set -o` options. */
export interface Options {
  allexport: boolean;
  braceexpand: boolean;
  errexit: boolean;
  errtrace: boolean;
  functrace: boolean;
  hashall: boolean;
  histexpand: boolean;
  monitor: boolean;
  noclobber: boolean;
  noexec: boolean;
  noglob: boolean;
  nounset: boolean;
  pipefail: boolean;
  posix: boolean;
  verbose: boolean;
  xtrace: boolean;
}

/** Option letters in the order of `$-`. */
export const OPTION_LETTERS: [string, keyof Options][] = [
  ['a', 'allexport'],
  ['e', 'errexit'],
  ['f', 'noglob'],
  ['h', 'hashall'],
  ['m', 'monitor'],
  ['n', 'noexec'],
  ['u', 'nounset'],
  ['v', 'verbose'],
  ['x', 'xtrace'],
  ['B', 'braceexpand'],
  ['C', 'noclobber'],
  ['E', 'errtrace'],
  ['H', 'histexpand'],
  ['T', 'functrace'],
];

const NO_OPTIONS: Options = {
  allexport: false,
  braceexpand: true,
  errexit: false,
  errtrace: false,
  functrace: false,
  hashall: true,
  histexpand: false,
  monitor: false,
  noclobber: false,
  noexec: false,
  noglob: false,
  nounset: false,
  pipefail: false,
  posix: false,
  verbose: false,
  xtrace: false,
};

/** Shell options of `shopt` that are on in a new shell. */
const SHOPTS = [
  'checkwinsize',
  'cmdhist',
  'complete_fullquote',
  'extquote',
  'force_fignore',
  'globasciiranges',
  'globskipdots',
  'hostcomplete',
  'interactive_comments',
  'patsub_replacement',
  'progcomp',
  'promptvars',
  'sourcepath',
  'extglob',
];

export class Shell {
  readonly os: Os;
  readonly executor: Executor;
  readonly jobs: Jobs;
  vars = new Variables();
  functions = new Map<string, FunctionDefinition>();
  aliases = new Map<string, string>();
  options: Options = { ...NO_OPTIONS };
  shopts = new Set(SHOPTS);
  /** By signal name or EXIT, ERR, DEBUG, RETURN. An empty text ignores. */
  traps = new Map<string, string>();
  /** What `trap` lists in a subshell that has set none itself: those of the shell around it. */
  listedTraps: ReadonlyMap<string, string> | undefined;
  cwd = '/';
  fds = new Map<number, Channel>();
  status = 0;
  name = 'bash';
  /** The script that was started: the end of BASH_SOURCE. */
  script = 'main';
  /** Positional parameters. */
  args: string[] = [];
  pid = process.pid;
  lastBackground: number | undefined;
  control = new AbortController();
  interactive = false;
  /** Whether `-c` gave the script: `$-` shows it. */
  fromCommand = false;
  /** 0 in the main shell. */
  level = 0;
  loops = 0;
  /** Sourced files and functions that are active: `return` needs one. */
  returnable = 0;
  /** Above 0: a failing command does not end the shell under `set -e`. */
  quiet = 0;
  callStack: { name: string; source: string; line: number }[] = [];
  folders: string[] = [];
  umask = 0o022;
  startedAt = Date.now();
  source = '';
  /** Where the running command starts in `source`. */
  position = 0;
  /** Lines before `source` starts: `eval` and the traps ERR, DEBUG and RETURN count on. */
  base = 0;
  /** The file that `source` is the text of. */
  file = 'main';
  /** The command that a trap is about, while it runs. */
  trapped: string | undefined;
  /** `$_`. */
  lastArgument = '';
  /** Set by `$( )`, so that a bare assignment can report it. */
  substitutionStatus: number | undefined;
  pendingSignals: string[] = [];
  onPending: (() => void) | undefined;
  /** `^\` or `^Z` came to the interactive shell itself: it is for the job that is just being started. */
  earlySignal: NodeJS.Signals | undefined;
  onEarlySignal: (() => void) | undefined;
  /** Depth of `$( )`, for `set -x`. */
  traceDepth = 0;
  history: string[] = [];
  hashed = new Map<string, { path: string; hits: number }>();
  /** Edits a line on the terminal (`read -e`), where this shell has one. */
  editLine: ((prompt: string, initial?: string) => Promise<EditorResult>) | undefined;
  builtinNames: readonly string[] = [];
  /** Where getopts stands. */
  /** Nothing comes after the next redirected command, so what it redirects need not be kept for afterwards. */
  isSpent = false;
  /** The process ids of the jobs that this subshell is part of. */
  jobPids: readonly number[] = [];
  /** The process group that children join, where this shell is part of a job. */
  job: JobGroup | undefined;
  /** The signal that ended the last program that this shell has started. */
  diedOf: NodeJS.Signals | undefined;
  /** The text of the simple command that runs. */
  commandText = '';
  /** Counts typed commands; `exit` insists only when it is given twice in a row. */
  commandNumber = 0;
  warnedAt = -1;
  optionAt = { index: 1, letter: 1 };
  /** Told of traps on signals of the main shell, so that the process listens. */
  onTrap: ((signal: NodeJS.Signals, action: string | undefined) => void) | undefined;
  /** Array values of `declare a=(…)`, on their way from the expansion to the builtin. */
  arrayValues = new Map<string, Value>();
  /** Tasks of `>( )`, which outlive what they read. */
  substitutions = new Set<Promise<number>>();
  /** Descriptors of `<( )` and `>( )`, closed when the command that uses them has ended. */
  openSubstitutions: number[] = [];

  constructor(os: Os, executor: Executor, jobs: Jobs) {
    this.os = os;
    this.executor = executor;
    this.jobs = jobs;
  }

  get signal(): AbortSignal {
    return this.control.signal;
  }

  /** A subshell. Its descriptors must be let go of with dispose(). */
  copy(): Shell {
    const child = new Shell(this.os, this.executor, this.jobs);
    Object.assign(child, {
      vars: this.vars.copy(),
      functions: new Map(this.functions),
      aliases: new Map(this.aliases),
      options: { ...this.options, monitor: false },
      shopts: new Set(this.shopts),
      traps: new Map([...this.traps].filter(([name, action]) => action === '' || isInherited(name, this.options))),
      listedTraps: this.listedTraps ?? this.traps,
      cwd: this.cwd,
      fds: new Map(this.fds),
      status: this.status,
      name: this.name,
      script: this.script,
      args: this.args,
      pid: this.pid,
      lastBackground: this.lastBackground,
      control: this.control,
      fromCommand: this.fromCommand,
      level: this.level + 1,
      returnable: this.returnable,
      quiet: this.quiet,
      traceDepth: this.traceDepth,
      callStack: [...this.callStack],
      folders: [...this.folders],
      umask: this.umask,
      startedAt: this.startedAt,
      source: this.source,
      position: this.position,
      base: this.base,
      file: this.file,
      lastArgument: this.lastArgument,
      history: this.history,
      job: this.job,
      jobPids: this.jobPids,
      hashed: new Map(this.hashed),
      optionAt: this.optionAt,
      editLine: this.editLine,
      builtinNames: this.builtinNames,
    } satisfies Partial<Shell>);
    for (const channel of child.fds.values()) channel.retain();
    bindDynamic(child, true);
    return child;
  }

  /** Lets go of all descriptors. */
  dispose(): void {
    for (const channel of this.fds.values()) channel.release();
    this.fds = new Map();
  }

  /** Puts a channel at a descriptor number; what was there is let go of. */
  setDescriptor(fd: number, channel: Channel | undefined): void {
    this.fds.get(fd)?.release();
    if (channel) this.fds.set(fd, channel);
    else this.fds.delete(fd);
  }

  ifs(): string {
    return this.vars.get('IFS') ?? ' \t\n';
  }

  /** The line of the running command, from 1. */
  line(): number {
    let line = this.base + 1;
    for (let at = this.source.indexOf('\n'); at >= 0 && at < this.position; at = this.source.indexOf('\n', at + 1))
      line++;
    return line;
  }

  optionLetters(): string {
    const letters = OPTION_LETTERS.filter(([, option]) => this.options[option]).map(([letter]) => letter);
    if (this.interactive) letters.push('i');
    letters.sort((a, b) => (a.toLowerCase() === b.toLowerCase() ? (a < b ? 1 : -1) : 0));
    const order = 'abefhikmnptuvxBCEHPT';
    return letters.sort((a, b) => order.indexOf(a) - order.indexOf(b)).join('') + (this.fromCommand ? 'c' : '');
  }

  home(): string {
    try {
      return nodeOs.homedir();
    } catch {
      return '/';
    }
  }

  userName(): string {
    try {
      return nodeOs.userInfo().username;
    } catch {
      return this.vars.get('USER') ?? 'user';
    }
  }

  userId(): number {
    return process.getuid?.() ?? 0;
  }

  hostName(): string {
    return nodeOs.hostname();
  }

  historySize(): number {
    return this.history.length;
  }

  /** Writes to a descriptor of this shell. A missing one is EBADF. */
  async write(fd: number, text: string | Uint8Array): Promise<void> {
    const channel = this.fds.get(fd);
    if (!channel) throw Object.assign(new Error('EBADF: bad file descriptor, write'), { code: 'EBADF' });
    const bytes = typeof text === 'string' ? encodeText(text) : text;
    if (bytes.length > 0) await channel.write(bytes, this.signal);
  }

  /** What stands before its messages: the file that is being run, inside functions and sourced files. */
  errorName(): string {
    return (this.interactive ? undefined : this.callStack.at(-1)?.source) ?? this.name;
  }

  /** Prints an error as bash does: `bash: line 3: message`. Errors of writing it are swallowed. */
  async complain(message: string): Promise<void> {
    if (/^[\w.[]+: usage: /.test(message)) return this.write(2, `${message}\n`);
    const where = this.interactive && this.callStack.length === 0 ? '' : `line ${this.line()}: `;
    try {
      await this.write(2, `${this.errorName()}: ${where}${message}\n`);
    } catch (error) {
      if (!errorText(error)) throw error;
    }
  }

  /** Records where the running command stands. */
  at(node: CommandNode | { pos: number }): void {
    this.position = node.pos;
  }
}

/** `set -E` and `set -T` hand these traps to subshells, as to functions. */
function isInherited(trap: string, options: Options): boolean {
  return (trap === 'ERR' && options.errtrace) || ((trap === 'DEBUG' || trap === 'RETURN') && options.functrace);
}

/** Whether commands of this shell become jobs of their own. */
export function controlsJobs(shell: Shell): boolean {
  return shell.interactive && shell.level === 0 && shell.options.monitor;
}

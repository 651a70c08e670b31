// The small ones: basename, dirname, pwd, echo, printf, seq, expr, sleep, env, which, whoami, id and kin.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { float, printf as format } from '../builtins/printf';
import { unescape } from '../expand/quote';
import { ownerName } from './file-text';
import { lastValue, parseOptions } from './options';
import { type Applet, complain, notRun, pause, resolvePath, type Tool, UsageError } from './tool';

/** basename [-a] [-s suffix] name [suffix]. */
export const basename: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'as:z', { multiple: 'a', 'suffix=': 's', zero: 'z' }, { permute: false });
  const { operands } = parsed;
  if (operands.length === 0) throw new UsageError("missing operand\nTry 'basename --help' for more information.");
  const many = parsed.flags.has('a') || parsed.values.has('s');
  if (!many && operands.length > 2)
    throw new UsageError(`extra operand ‘${operands[2]}’\nTry 'basename --help' for more information.`);
  const suffix = lastValue(parsed, 's') ?? (many ? '' : (operands[1] ?? ''));
  for (const name of many ? operands : operands.slice(0, 1)) {
    const base = /^\/+$/.test(name) ? '/' : path.posix.basename(name);
    await tool.stdout.write(
      `${suffix && base.endsWith(suffix) && base !== suffix ? base.slice(0, -suffix.length) : base}${parsed.flags.has('z') ? '\0' : '\n'}`,
    );
  }
  return 0;
};

/** dirname names. */
export const dirname: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'z', { zero: 'z' });
  if (operands.length === 0) throw new UsageError("missing operand\nTry 'dirname --help' for more information.");
  for (const name of operands) {
    // Node keeps doubled slashes before the last component.
    const folder = path.posix.dirname(name).replace(/(.)\/+$/, '$1');
    await tool.stdout.write((/^\/+$/.test(folder) ? '/' : folder) + (flags.has('z') ? '\0' : '\n'));
  }
  return 0;
};

/** pwd [-P]. */
export const pwd: Applet = async (tool) => {
  const { flags } = parseOptions(tool.args, 'LP');
  await tool.stdout.write(`${flags.has('P') ? fs.realpathSync(tool.cwd) : tool.cwd}\n`);
  return 0;
};

/** echo as /bin/echo: -n -e -E. */
export const echo: Applet = async (tool) => {
  const args = [...tool.args];
  let newline = true;
  let escapes = false;
  while (/^-[neE]+$/.test(args[0] ?? ''))
    for (const letter of args.shift()!.slice(1)) letter === 'n' ? (newline = false) : (escapes = letter === 'e');
  const decoded = escapes ? unescape(args.join(' '), 'echo') : { text: args.join(' '), stopped: false };
  await tool.stdout.write(decoded.text + (newline && !decoded.stopped ? '\n' : ''));
  return 0;
};

/** printf as /usr/bin/printf. */
export const printf: Applet = async (tool) => {
  const [text, ...rest] = tool.args;
  if (text === undefined) throw new UsageError("missing operand\nTry 'printf --help' for more information.");
  const printed = format(text, rest);
  await tool.stdout.write(printed.text);
  for (const message of printed.errors) await complain(tool, message);
  return printed.failed ? 1 : 0;
};

/** true, false. */
export const succeed: Applet = () => 0;
export const fail: Applet = () => 1;

/** One %-directive for a floating number, as seq asks for. */
function checkFormat(pattern: string): void {
  const shown = `format ‘${pattern}’`;
  const directives = [...pattern.matchAll(/%(?:%|([-+ #0']*\d*(?:\.\d*)?L?)([\s\S]?))/g)].filter(
    ([all]) => all !== '%%',
  );
  if (directives.length === 0) throw new UsageError(`${shown} has no % directive`);
  const letter = directives[0]![2]!;
  if (letter === '') throw new UsageError(`${shown} ends in %`);
  if (!'eEfFgGaA'.includes(letter)) throw new UsageError(`${shown} has unknown %${letter} directive`);
  if (directives.length > 1) throw new UsageError(`${shown} has too many % directives`);
}

/** seq [-w] [-s sep] [-f format] [first [step]] last. */
export const seq: Applet = async (tool) => {
  const args = tool.args.map((word) => (/^-\d|^-\.\d/.test(word) ? `\0${word}` : word));
  const parsed = parseOptions(
    args,
    'ws:f:',
    { 'equal-width': 'w', 'separator=': 's', 'format=': 'f' },
    { permute: false },
  );
  const numbers = parsed.operands.map((word) => word.replace(/^\0/, ''));
  if (numbers.length === 0) throw new UsageError("missing operand\nTry 'seq --help' for more information.");
  if (numbers.length > 3) throw new UsageError(`extra operand ‘${numbers[3]}’\nTry 'seq --help' for more information.`);
  for (const text of numbers)
    if (text.trim() === '' || Number.isNaN(Number(text)))
      throw new UsageError(`invalid floating point argument: ‘${text}’\nTry 'seq --help' for more information.`);
  const first = numbers.length > 1 ? numbers[0]! : '1';
  const step = numbers.length > 2 ? numbers[1]! : '1';
  const last = numbers.at(-1)!;
  if (Number(step) === 0)
    throw new UsageError(`invalid Zero increment value: ‘${step}’\nTry 'seq --help' for more information.`);
  const places = Math.max(...[first, step].map((text) => (text.split('.')[1]?.match(/^\d*/)?.[0] ?? '').length));
  const pattern = lastValue(parsed, 'f');
  if (pattern !== undefined) checkFormat(pattern);
  if (pattern !== undefined && parsed.flags.has('w'))
    throw new UsageError('format string may not be specified when printing equal width strings');
  // Zeros in front of a number count for the width.
  const wide = (text: string) => text.replace(/\..*/, '').length + (places > 0 ? places + 1 : 0);
  const width = parsed.flags.has('w') ? Math.max(wide(first), wide(last)) : 0;
  const separator = unescape(lastValue(parsed, 's') ?? '\n', 'printf').text;
  const count = Math.floor((Number(last) - Number(first)) / Number(step) + 1e-10);
  for (let i = 0; i <= count; i++) {
    const value = Number(first) + i * Number(step);
    let text = pattern === undefined ? float('f', value, '', places) : format(pattern, [String(value)]).text;
    if (width > 0) text = value < 0 ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
    await tool.stdout.write(i === 0 ? text : separator + text);
  }
  if (count >= 0) await tool.stdout.write('\n');
  return 0;
};

/** sleep N[smhd] … */
export const sleep: Applet = async (tool) => {
  const { operands } = parseOptions(tool.args, '');
  if (operands.length === 0) throw new UsageError("missing operand\nTry 'sleep --help' for more information.");
  await pause(
    tool,
    operands.reduce((sum, text) => sum + duration(text), 0),
  );
  return 0;
};

/** `1.5m` in milliseconds. Throws UsageError. */
export function duration(text: string): number {
  const match = text.match(/^(\d+\.?\d*|\.\d+|inf(?:inity)?)([smhd]?)$/);
  if (!match) throw new UsageError(`invalid time interval ‘${text}’`);
  if (match[1]!.startsWith('inf')) return 2 ** 31 - 1;
  return Math.min(
    2 ** 31 - 1,
    Number(match[1]) * 1000 * { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }[match[2] as '' | 's'],
  );
}

/** env [-i] [-u name] [-C dir] [name=value …] [command]. */
export const env: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    'iu:0C:S:v',
    { 'ignore-environment': 'i', 'unset=': 'u', null: '0', 'chdir=': 'C', 'split-string=': 'S' },
    { permute: false, status: 125 },
  );
  const environment: Record<string, string> = parsed.flags.has('i') ? {} : { ...tool.environment };
  for (const name of parsed.values.get('u') ?? []) delete environment[name];
  const words = [...(lastValue(parsed, 'S')?.split(/\s+/) ?? []), ...parsed.operands];
  if (words[0] === '-') {
    for (const name of Object.keys(environment)) delete environment[name];
    words.shift();
  }
  while (/^[^=]+=/.test(words[0] ?? '')) {
    const word = words.shift()!;
    environment[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
  }
  if (words.length === 0) {
    for (const [name, value] of Object.entries(environment))
      await tool.stdout.write(`${name}=${value}${parsed.flags.has('0') ? '\0' : '\n'}`);
    return 0;
  }
  const folder = lastValue(parsed, 'C');
  const status = await tool.run(words, {
    environment,
    ...(folder === undefined ? {} : { cwd: resolvePath(tool, folder) }),
  });
  if (status < 0) await complain(tool, notRun(`‘${words[0]}’`, status));
  return Math.abs(status);
};

/** printenv [names]. */
export const printenv: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, '0', { null: '0' });
  const end = flags.has('0') ? '\0' : '\n';
  if (operands.length === 0)
    for (const [name, value] of Object.entries(tool.environment)) await tool.stdout.write(`${name}=${value}${end}`);
  let status = 0;
  for (const name of operands) {
    const value = tool.environment[name];
    if (value === undefined) status = 1;
    else await tool.stdout.write(`${value}${end}`);
  }
  return status;
};

/** which [-a] names. */
export const which: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'as', {}, { status: 2 });
  let status = 0;
  for (const name of operands) {
    const found = (
      name.includes('/')
        ? [name]
        : (tool.environment.PATH ?? '/usr/bin:/bin').split(':').map((folder) => path.join(folder || '.', name))
    ).filter((file) => executable(tool, file));
    if (found.length === 0) status = 1;
    for (const file of flags.has('a') ? found : found.slice(0, 1))
      if (!flags.has('s')) await tool.stdout.write(`${file}\n`);
  }
  return operands.length === 0 ? 1 : status;
};

function executable(tool: Tool, file: string): boolean {
  const stat = fs.statSync(resolvePath(tool, file), { throwIfNoEntry: false });
  return (stat?.isFile() ?? false) && (stat!.mode & 0o111) !== 0;
}

/** whoami, hostname, nproc, tty, logname, arch. */
export const whoami: Applet = async (tool) => {
  await tool.stdout.write(`${ownerName(process.geteuid?.() ?? 0)}\n`);
  return 0;
};
export const hostname: Applet = async (tool) => {
  const { flags } = parseOptions(tool.args, 'sfiI');
  await tool.stdout.write(`${flags.has('i') || flags.has('I') ? '127.0.0.1' : os.hostname()}\n`);
  return 0;
};
export const nproc: Applet = async (tool) => {
  parseOptions(tool.args, '', { all: 'all', 'ignore=': 'ignore' });
  await tool.stdout.write(`${os.availableParallelism()}\n`);
  return 0;
};
export const tty: Applet = async (tool) => {
  const { flags } = parseOptions(tool.args, 's', { silent: 's' });
  const terminal = tool.stdin.channel.isTerminal();
  if (!flags.has('s')) await tool.stdout.write(terminal ? '/dev/tty\n' : 'not a tty\n');
  return terminal ? 0 : 1;
};
export const clear: Applet = async (tool) => {
  await tool.stdout.write('\x1b[H\x1b[2J\x1b[3J');
  return 0;
};
export const sync: Applet = () => 0;

/** id [-ugGnr]. */
export const id: Applet = async (tool) => {
  const { flags } = parseOptions(tool.args, 'ugGnr', { user: 'u', group: 'g', groups: 'G', name: 'n' });
  const [uid, gid] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0];
  const show = (number: number) => (flags.has('n') ? ownerName(number) : String(number));
  if (flags.has('u')) await tool.stdout.write(`${show(uid)}\n`);
  else if (flags.has('g') || flags.has('G')) await tool.stdout.write(`${show(gid)}\n`);
  else
    await tool.stdout.write(
      `uid=${uid}(${ownerName(uid)}) gid=${gid}(${ownerName(gid)}) groups=${gid}(${ownerName(gid)})\n`,
    );
  return 0;
};

/** uname [-asnrvmpio]. */
export const uname: Applet = async (tool) => {
  const { flags } = parseOptions(tool.args, 'asnrvmpio', {
    all: 'a',
    'kernel-name': 's',
    nodename: 'n',
    'kernel-release': 'r',
    'kernel-version': 'v',
    machine: 'm',
    'operating-system': 'o',
  });
  const values: [string, string][] = [
    ['s', os.type()],
    ['n', os.hostname()],
    ['r', os.release()],
    ['v', os.version()],
    ['m', os.machine()],
    ['o', 'GNU/Linux'],
  ];
  const wanted =
    flags.size === 0 ? values.slice(0, 1) : values.filter(([letter]) => flags.has('a') || flags.has(letter));
  await tool.stdout.write(`${wanted.map(([, value]) => value).join(' ')}\n`);
  return 0;
};

/** expr: integers, texts, comparisons, `:` with a basic expression. */
export const expr: Applet = async (tool) => {
  const { evaluateExpression } = await import('./expr');
  const value = evaluateExpression(tool.args);
  await tool.stdout.write(`${value}\n`);
  return value === '' || value === '0' ? 1 : 0;
};

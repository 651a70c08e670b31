// pgrep, pkill and killall: processes by name, and signals to them. The tool itself and the shells that it runs inside never match.
import path from 'node:path';
import { signalName } from '../execute/control';
import type { ProcessRow } from '../os';
import { lastValue, type Parsed, parseOptions } from './options';
import { posixRegex } from './regex';
import { type Applet, complain, fileError, type Tool, UsageError } from './tool';

const SELECTION = 'fxivnoP:';
const LONG_SELECTION = {
  full: 'f',
  exact: 'x',
  'ignore-case': 'i',
  inverse: 'v',
  newest: 'n',
  oldest: 'o',
  'parent=': 'P',
};

/** pgrep [-fxivno] [-P pids] [-l | -a | -c] [-d delimiter] pattern. Status 0 some, 1 none, 2 wrong use. */
export const pgrep: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    `${SELECTION}lacd:`,
    { ...LONG_SELECTION, 'list-name': 'l', 'list-full': 'a', count: 'c', 'delimiter=': 'd' },
    { status: 2 },
  );
  const rows = select(tool, parsed);
  const { flags } = parsed;
  const line = (row: ProcessRow): string => {
    if (flags.has('a')) return `${row.pid} ${row.command}`;
    return flags.has('l') ? `${row.pid} ${nameOf(row)}` : String(row.pid);
  };
  if (flags.has('c')) await tool.stdout.write(`${rows.length}\n`);
  else if (rows.length > 0) await tool.stdout.write(`${rows.map(line).join(lastValue(parsed, 'd') ?? '\n')}\n`);
  return rows.length > 0 ? 0 : 1;
};

/** pkill [-signal] [-fxivnoe] [-P pids] pattern. Status as pgrep's. */
export const pkill: Applet = async (tool) => {
  const { signal, args } = takeSignal(tool.args);
  const parsed = parseOptions(args, `${SELECTION}es:`, { ...LONG_SELECTION, echo: 'e', 'signal=': 's' }, { status: 2 });
  const rows = select(tool, parsed);
  const asked = lastValue(parsed, 's');
  return (await send(tool, rows, asked === undefined ? signal : known(asked), parsed.flags.has('e'))) ? 0 : 1;
};

/** killall [-signal] [-ieqr] [-s signal] names: exact names, with -r expressions. */
export const killall: Applet = async (tool) => {
  const { signal, args } = takeSignal(tool.args);
  const parsed = parseOptions(args, 'eiqrs:', {
    exact: 'e',
    'ignore-case': 'i',
    quiet: 'q',
    regexp: 'r',
    'signal=': 's',
  });
  const { flags, operands } = parsed;
  if (operands.length === 0) throw new UsageError('usage: killall [-ieqr] [-s signal | -signal] name...');
  const asked = lastValue(parsed, 's');
  const chosen = asked === undefined ? signal : known(asked);
  let status = 0;
  for (const operand of operands) {
    const pattern = flags.has('r') ? operand : literal(operand);
    const regex = expression(tool, pattern, !flags.has('r'), flags.has('i'));
    const rows = others(tool).filter((row) => regex.test(nameOf(row)));
    if (rows.length === 0 && !flags.has('q')) await complain(tool, `${operand}: no process found`);
    if (rows.length === 0 || !(await send(tool, rows, chosen, false))) status = 1;
  }
  return status;
};

function select(tool: Tool, parsed: Parsed): ProcessRow[] {
  const { flags, operands } = parsed;
  const parents = lastValue(parsed, 'P')?.split(',').map(Number);
  if (operands.length > 1) throw new UsageError('only one pattern can be provided', 2);
  if (operands.length === 0 && !parents) throw new UsageError('no matching criteria specified', 2);
  const regex = expression(tool, operands[0] ?? '', flags.has('x'), flags.has('i'));
  const rows = others(tool).filter((row) => {
    const matches = (parents?.includes(row.ppid) ?? true) && regex.test(flags.has('f') ? row.command : nameOf(row));
    return matches !== flags.has('v');
  });
  if (flags.has('n')) return rows.slice(-1);
  return flags.has('o') ? rows.slice(0, 1) : rows;
}

/** What is there besides this tool, by age. */
function others(tool: Tool): ProcessRow[] {
  return tool.os
    .processes()
    .filter((row) => row.pid !== process.pid && !tool.pids.includes(row.pid))
    .sort((a, b) => a.pid - b.pid);
}

function nameOf(row: ProcessRow): string {
  return path.basename(row.command.split(' ')[0] ?? '');
}

function expression(tool: Tool, pattern: string, exact: boolean, ignoresCase: boolean): RegExp {
  try {
    return posixRegex(exact ? `^(${pattern})$` : pattern, true, ignoresCase ? 'i' : '');
  } catch (error) {
    const { message } = error as { message: string };
    throw new UsageError(`regex error: ${message}`, path.basename(tool.name) === 'killall' ? 1 : 2);
  }
}

function literal(text: string): string {
  return text.replace(/[.[\]{}()*+?^$|\\]/g, '\\$&');
}

/** Sends it to each. Whether any took it; one that may not be signalled is complained about. */
async function send(
  tool: Tool,
  rows: readonly ProcessRow[],
  signal: NodeJS.Signals | 0,
  tells: boolean,
): Promise<boolean> {
  let some = false;
  for (const row of rows) {
    try {
      process.kill(row.pid, signal);
      some = true;
      if (tells) await tool.stdout.write(`${nameOf(row)} killed (pid ${row.pid})\n`);
    } catch (error) {
      // One that ended in the meantime needs no signal.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH')
        await complain(tool, `killing pid ${row.pid} failed: ${fileError('', error).slice(2)}`);
    }
  }
  return some;
}

/** The first word that is a signal (`-9`, `-KILL`, `-SIGKILL`), wherever it stands, and the other words. */
function takeSignal(args: readonly string[]): { signal: NodeJS.Signals | 0; args: string[] } {
  const end = args.indexOf('--');
  const at = args.findIndex(
    (word, index) => (end < 0 || index < end) && /^-(\d+|[A-Z][A-Z0-9]+)$/.test(word) && isSignal(word.slice(1)),
  );
  if (at < 0) return { signal: 'SIGTERM', args: [...args] };
  return { signal: known(args[at]!.slice(1)), args: args.filter((_, index) => index !== at) };
}

function isSignal(text: string): boolean {
  return text === '0' || signalName(text) !== undefined;
}

function known(text: string): NodeJS.Signals | 0 {
  const signal = text === '0' ? 0 : signalName(text);
  if (signal === undefined) throw new UsageError(`Unknown signal "${text}".`, 2);
  return signal;
}

// ps, kill, free: the processes and the memory.
import os from 'node:os';
import path from 'node:path';
import { signalName } from '../execute/control';
import { humanSize, ownerName } from './file-text';
import { lastValue, parseOptions } from './options';
import { strftime } from './strftime';
import { type Applet, complain, fileError, UsageError } from './tool';

/** ps [-efaux] [-o fields] [-p pid]. */
export const ps: Applet = async (tool) => {
  const args = tool.args.map((word) => (/^[auxef]+$/.test(word) ? `-${word}` : word));
  const parsed = parseOptions(args, 'efauxAo:p:lw', {
    'pid=': 'p',
    'format=': 'o',
    forest: 'forest',
    'no-headers': 'bare',
  });
  let rows = tool.os.processes();
  const only = lastValue(parsed, 'p')?.split(',').map(Number);
  if (only) rows = rows.filter((row) => only.includes(row.pid));
  const elapsed = (started: number) => {
    const seconds = Math.max(0, Math.floor((Date.now() - started) / 1000));
    return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  };
  const fields: Record<string, [string, (row: (typeof rows)[number]) => string]> = {
    pid: ['PID', (row) => String(row.pid)],
    ppid: ['PPID', (row) => String(row.ppid)],
    stat: ['STAT', (row) => row.state],
    s: ['S', (row) => row.state],
    etime: ['ELAPSED', (row) => elapsed(row.startedAt)],
    time: ['TIME', () => '00:00:00'],
    tty: ['TTY', () => '?'],
    user: ['USER', () => ownerName(process.getuid?.() ?? 0)],
    comm: ['COMMAND', (row) => path.basename(row.command.split(' ')[0] ?? '')],
    args: ['COMMAND', (row) => row.command],
    cmd: ['CMD', (row) => row.command],
    command: ['COMMAND', (row) => row.command],
    start: ['STARTED', (row) => strftime('%H:%M:%S', new Date(row.startedAt))],
  };
  const format =
    lastValue(parsed, 'o') ??
    (parsed.flags.has('f')
      ? 'user,pid,ppid,start,cmd'
      : parsed.flags.has('u')
        ? 'user,pid,stat,start,command'
        : 'pid,stat,etime,cmd');
  const columns = format.split(/[, ]/).map((name) => {
    const [key, title] = name.split('=') as [string, string | undefined];
    const field = fields[key];
    if (!field) throw new UsageError(`error: unknown user-defined format specifier "${key}"`);
    return { title: title ?? field[0], read: field[1] };
  });
  const table = [
    ...(columns.every(({ title }) => title === '') || parsed.flags.has('bare')
      ? []
      : [columns.map(({ title }) => title)]),
    ...rows.map((row) => columns.map(({ read }) => read(row))),
  ];
  const widths = columns.map((_, at) => Math.max(...table.map((row) => row[at]!.length), 0));
  for (const row of table)
    await tool.stdout.write(
      `${row.map((cell, at) => (at === row.length - 1 ? cell : /^\d+$|^P?PID$/.test(cell) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!))).join(' ')}\n`,
    );
  return only && rows.length === 0 ? 1 : 0;
};

/** kill [-s signal | -signal] pids. */
export const kill: Applet = async (tool) => {
  const rest = [...tool.args];
  let signal: NodeJS.Signals | 0 | undefined = 'SIGTERM';
  if (rest[0]?.startsWith('-')) {
    const text = rest.shift()!;
    const name = text === '-s' ? rest.shift()! : text.slice(1);
    signal = name === '0' ? 0 : signalName(name);
    if (signal === undefined) throw new UsageError(`unknown signal: ${name}`);
  }
  if (rest.length === 0) throw new UsageError('usage: kill [-signal] pid ...');
  let status = 0;
  for (const operand of rest) {
    try {
      process.kill(Number(operand), signal);
    } catch (error) {
      await complain(tool, `(${operand}): ${fileError('', error).slice(2)}`);
      status = 1;
    }
  }
  return status;
};

/** free [-hmg]. */
export const free: Applet = async (tool) => {
  const { flags } = parseOptions(tool.args, 'hmgbk', { human: 'h' });
  const show = (bytes: number) =>
    (flags.has('h')
      ? humanSize(bytes)
      : String(
          Math.floor(bytes / (flags.has('g') ? 1024 ** 3 : flags.has('m') ? 1024 ** 2 : flags.has('b') ? 1 : 1024)),
        )
    ).padStart(11);
  await tool.stdout.write(
    `${' '.repeat(8)}${'total'.padStart(11)} ${'used'.padStart(11)} ${'free'.padStart(11)}\nMem:    ${show(os.totalmem())} ${show(os.totalmem() - os.freemem())} ${show(os.freemem())}\n`,
  );
  return 0;
};

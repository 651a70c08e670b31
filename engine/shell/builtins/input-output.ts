// echo, printf, read, mapfile: builtins that read and write.

import fs from 'node:fs';
import { errorText, Killed, ShellError } from '../execute/control';
import { unescape } from '../expand/quote';
import { assign } from '../expand/scope';
import type { Channel } from '../io/channel';
import type { Shell } from '../state';
import { printf } from './printf';
import { type ReadLimits, readLine } from './read-line';
import { type Builtin, builtinOptions, isName } from './types';

async function echo(shell: Shell, args: string[]): Promise<number> {
  let newline = true;
  let escapes = shell.shopts.has('xpg_echo');
  let i = 0;
  for (; i < args.length && /^-[neE]+$/.test(args[i]!); i++) {
    for (const letter of args[i]!.slice(1)) {
      if (letter === 'n') newline = false;
      else escapes = letter === 'e';
    }
  }
  let text = args.slice(i).join(' ');
  if (escapes) {
    const decoded = unescape(text, 'echo');
    text = decoded.text;
    if (decoded.stopped) newline = false;
  }
  return emit(shell, 'echo', newline ? `${text}\n` : text);
}

async function emit(shell: Shell, name: string, text: string): Promise<number> {
  try {
    await shell.write(1, text);
    return 0;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'EBADF' && code !== 'ENOSPC') throw error;
    await shell.complain(
      `${name}: write error: ${code === 'EBADF' ? 'Bad file descriptor' : 'No space left on device'}`,
    );
    return 1;
  }
}

async function printfBuiltin(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } = builtinOptions('printf', args, 'v:', 'printf [-v var] format [arguments]');
  const format = rest[0];
  if (format === undefined) throw new ShellError('printf: usage: printf [-v var] format [arguments]', 2);
  let printed: ReturnType<typeof printf>;
  try {
    printed = printf(format, rest.slice(1));
  } catch (error) {
    throw new ShellError(`printf: ${(error as Error).message}`);
  }
  for (const message of printed.errors) await shell.complain(`printf: ${message}`);
  const target = options.get('v');
  if (target !== undefined) {
    if (!isName(target.replace(/\[.+\]$/s, '')))
      throw new ShellError(`printf: \`${target}': not a valid identifier`, 2);
    assign(shell, target, printed.text);
  } else if ((await emit(shell, 'printf', printed.text)) !== 0) return 1;
  return printed.failed ? 1 : 0;
}

async function read(shell: Shell, args: string[]): Promise<number> {
  const { options, rest: names } = builtinOptions('read', args, 'ra:d:ei:n:N:p:st:u:');
  for (const name of names)
    if (!isName(name.replace(/\[.*\]$/s, ''))) throw new ShellError(`read: \`${name}': not a valid identifier`);
  const fd = Number(options.get('u') ?? 0);
  if (!(fd >= 0)) throw new ShellError(`read: ${options.get('u')}: invalid file descriptor specification`);
  if (!shell.fds.has(fd)) throw new ShellError(`read: ${fd}: invalid file descriptor: Bad file descriptor`);
  const prompt = options.get('p');
  if (prompt !== undefined && !options.has('e') && shell.fds.get(fd)?.isTerminal()) await shell.write(2, prompt);
  const limits: ReadLimits = {};
  if (options.has('d')) limits.delimiter = options.get('d')!;
  const count = options.get('n') ?? options.get('N');
  if (count !== undefined) limits.characters = Number(count);
  if (options.has('N')) limits.exact = true;
  if (options.has('t')) limits.timeoutMs = Number(options.get('t')) * 1000;
  if (limits.characters === 0) return 0;
  if (limits.timeoutMs === 0) return (await isReadable(shell, fd)) ? 0 : 1;
  const raw = options.has('r');
  limits.escapes = !raw;
  const channel = shell.fds.get(fd);
  const isTerminal = channel?.isTerminal() === true;
  if (options.has('e') && isTerminal && shell.editLine) {
    const edited = await shell.editLine(prompt ?? '', options.get('i'));
    if (edited.kind === 'interrupted') throw new Killed('SIGINT', true);
    assignFields(shell, edited.kind === 'line' ? edited.text : '', raw, options.get('a'), names);
    return edited.kind === 'line' ? 0 : 1;
  }
  const restore = isTerminal ? readingModes(shell, channel, options) : undefined;
  let line: Awaited<ReturnType<typeof readLine>>;
  try {
    line = await readLine(shell, fd, limits);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ShellError(`read: read error: ${fd}: ${errorText(error)}`);
  } finally {
    restore?.();
  }
  const text = line.text.replaceAll('\0', '');
  if (options.has('N')) {
    assign(shell, names[0] ?? 'REPLY', raw ? text : text.replace(/\\([\s\S])/g, '$1'));
    for (const name of names.slice(1)) assign(shell, name, '');
  } else assignFields(shell, text, raw, options.get('a'), names);
  return line.timedOut ? 142 : line.ended ? 1 : 0;
}

/** `read -t 0`: whether a read would not have to wait. */
async function isReadable(shell: Shell, fd: number): Promise<boolean> {
  const descriptor = shell.fds.get(fd)!.descriptor();
  const stat = fs.fstatSync(descriptor);
  if (stat.isFile() || stat.isCharacterDevice() !== shell.os.isTerminal(descriptor)) return true;
  return new Promise((resolve) => {
    const stop = shell.os.wait(descriptor, 'read', () => resolve(true));
    setTimeout(() => {
      stop();
      resolve(false);
    }, 10);
  });
}

/** `read -s` hides what is typed, `read -n` takes keys without Enter; the result brings the terminal's modes back. */
function readingModes(shell: Shell, channel: Channel, options: Map<string, string>): (() => void) | undefined {
  const byKey = ['n', 'N', 'd'].some((letter) => options.has(letter));
  if (!byKey && !options.has('s')) return undefined;
  const fd = channel.descriptor();
  const before = shell.os.terminalModes(fd);
  if (!before) return undefined;
  shell.os.setTerminalModes(fd, {
    ...(byKey ? { canonical: false } : {}),
    ...(options.has('s') ? { echo: false } : {}),
  });
  return () => shell.os.setTerminalModes(fd, before);
}

/** Splits a line for `read`: the last name gets the rest of the line. */
function assignFields(shell: Shell, text: string, raw: boolean, array: string | undefined, names: string[]): void {
  // Backslash-quoted characters are kept apart from separators by marking them.
  const characters = [...text];
  const units: { character: string; quoted: boolean }[] = [];
  for (let i = 0; i < characters.length; i++) {
    if (!raw && characters[i] === '\\' && i + 1 < characters.length)
      units.push({ character: characters[++i]!, quoted: true });
    else if (raw || characters[i] !== '\\') units.push({ character: characters[i]!, quoted: false });
  }
  const whole = units.map((unit) => unit.character).join('');
  if (array === undefined && names.length === 0) {
    assign(shell, 'REPLY', whole);
    return;
  }
  const ifs = shell.ifs();
  const blank = (at: number) =>
    !units[at]!.quoted && ifs.includes(units[at]!.character) && ' \t\n'.includes(units[at]!.character);
  const separator = (at: number) => !units[at]!.quoted && ifs.includes(units[at]!.character);
  const limit = array === undefined ? names.length : Number.POSITIVE_INFINITY;
  const fields: string[] = [];
  let at = 0;
  while (at < units.length && blank(at)) at++;
  while (at < units.length) {
    if (fields.length === limit - 1) {
      let end = units.length;
      while (end > at && blank(end - 1)) end--;
      // One trailing separator after a single field belongs to it, as to any field.
      const inner = units.slice(at, end);
      const hard = inner.findIndex((unit) => !unit.quoted && ifs.includes(unit.character));
      if (hard === inner.length - 1 && hard >= 0) end--;
      fields.push(
        units
          .slice(at, end)
          .map((unit) => unit.character)
          .join(''),
      );
      break;
    }
    let field = '';
    while (at < units.length && !separator(at)) field += units[at++]!.character;
    fields.push(field);
    while (at < units.length && blank(at)) at++;
    if (at < units.length && separator(at) && !blank(at)) {
      at++;
      while (at < units.length && blank(at)) at++;
    }
  }
  if (array !== undefined) {
    shell.vars.declare(array).value = new Map(fields.map((field, position): [number, string] => [position, field]));
    return;
  }
  for (const [position, name] of names.entries()) assign(shell, name, fields[position] ?? '');
}

async function mapfile(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } = builtinOptions('mapfile', args, 'd:n:O:s:tu:C:c:');
  const name = rest[0] ?? 'MAPFILE';
  const fd = Number(options.get('u') ?? 0);
  const delimiter = options.get('d');
  const most = Number(options.get('n') ?? 0);
  let skip = Number(options.get('s') ?? 0);
  const variable = shell.vars.declare(name);
  const origin = options.get('O');
  const result = origin !== undefined && variable.value instanceof Map ? variable.value : new Map<number, string>();
  let index = Number(origin ?? 0);
  const first = index;
  for (;;) {
    if (most > 0 && index - first >= most) break;
    const line = await readLine(shell, fd, delimiter === undefined ? {} : { delimiter });
    if (line.ended && line.text === '') break;
    if (skip-- > 0) continue;
    const text = line.text.replace(/\0[\s\S]*/, '');
    result.set(index++, options.has('t') || line.ended ? text : `${text}${delimiter ?? '\n'}`);
    if (line.ended) break;
  }
  variable.value = result;
  return 0;
}

/** Builtins of this file by name. */
export const IO_BUILTINS: Record<string, Builtin> = { echo, printf: printfBuiltin, read, mapfile, readarray: mapfile };

// Redirections: they change the descriptor table for the time of one command, or for good (`exec`).
import fs from 'node:fs';
import path from 'node:path';
import type { Redirection, WordPart } from 'unbash';
import { assign } from '../expand/scope';
import { expandParts, expandString, expandWords } from '../expand/word';
import { type Channel, DescriptorChannel, TextChannel } from '../io/channel';
import { unescapeText } from '../parse';
import type { Shell } from '../state';
import { errorText, ShellError } from './control';

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;
const FLAGS: Record<string, number> = {
  '<': O_RDONLY,
  '<>': O_RDWR | O_CREAT,
  '>': O_WRONLY | O_CREAT | O_TRUNC,
  '>|': O_WRONLY | O_CREAT | O_TRUNC,
  '>>': O_WRONLY | O_CREAT | O_APPEND,
};

/** Applies the redirections, runs `body`, and puts the table back. Throws ShellError when one cannot be applied. */
export async function withRedirections<Result>(
  shell: Shell,
  redirections: readonly Redirection[],
  body: () => Promise<Result>,
): Promise<Result> {
  if (redirections.length === 0) return body();
  if (shell.isSpent) {
    shell.isSpent = false;
    await redirect(shell, redirections);
    return body();
  }
  const saved = shell.fds;
  shell.fds = new Map(saved);
  for (const channel of saved.values()) channel.retain();
  try {
    await redirect(shell, redirections);
    return await body();
  } finally {
    for (const channel of shell.fds.values()) channel.release();
    shell.fds = saved;
  }
}

/** Applies the redirections to the shell's own table. */
export async function redirect(shell: Shell, redirections: readonly Redirection[]): Promise<void> {
  for (const redirection of redirections) await redirectOne(shell, redirection);
}

async function redirectOne(shell: Shell, redirection: Redirection): Promise<void> {
  const { operator, descriptor } = redirection;
  let fd: number;
  const named = descriptor?.type === 'FileDescriptorVariable' ? descriptor.name : undefined;
  if (named !== undefined) fd = freeDescriptor(shell);
  else if (descriptor?.type === 'FileDescriptor') fd = descriptor.value;
  else fd = operator.startsWith('<') ? 0 : 1;

  if (redirection.type === 'HereDoc') {
    const { body, delimiter } = redirection;
    const strip = operator === '<<-';
    let text = body.text;
    if (delimiter?.quoted || !body.parts) {
      if (strip) text = text.replace(/^\t+/gm, '');
      if (!delimiter?.quoted) text = unescapeText(text);
    } else text = await expandParts(shell, strip ? withoutTabs(body.parts) : body.parts);
    shell.setDescriptor(fd, new TextChannel(shell.os, text));
  } else if (redirection.type === 'HereString') {
    shell.setDescriptor(fd, new TextChannel(shell.os, `${await expandString(shell, redirection.target!)}\n`));
  } else {
    const words = await expandWords(shell, [redirection.target!]);
    if (words.length !== 1) throw new ShellError(`${redirection.target!.text}: ambiguous redirect`);
    const target = words[0]!;
    if (named !== undefined && target === '-') return shell.setDescriptor(Number(shell.vars.get(named)), undefined);
    if (operator === '>&' || operator === '<&') {
      const duplicated = duplicate(shell, fd, target, operator);
      if (!duplicated) openBoth(shell, target, O_TRUNC);
    } else if (operator === '&>') openBoth(shell, target, flagsOf(shell, '>', target) & (O_TRUNC | O_EXCL));
    else if (operator === '&>>') openBoth(shell, target, O_APPEND);
    else shell.setDescriptor(fd, openFile(shell, target, flagsOf(shell, operator, target)));
  }
  if (named !== undefined) assign(shell, named, String(fd));
}

/** `<<-`: tabs at the start of the script's lines go away, those of expansions stay. */
function withoutTabs(parts: readonly WordPart[]): WordPart[] {
  return parts.map((part, position) => {
    if (part.type !== 'Literal') return part;
    const value = part.value.replace(/\n\t+/g, '\n');
    return { ...part, value: position === 0 ? value.replace(/^\t+/, '') : value };
  });
}

function flagsOf(shell: Shell, operator: string, target: string): number {
  if (operator !== '>' || !shell.options.noclobber) return FLAGS[operator]!;
  const file = path.resolve(shell.cwd, target);
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new ShellError(`${target}: cannot overwrite existing file`);
  return fs.existsSync(file) ? FLAGS['>']! : FLAGS['>']! | O_EXCL;
}

function freeDescriptor(shell: Shell): number {
  let fd = 10;
  while (shell.fds.has(fd)) fd++;
  return fd;
}

/** `2>&1`, `>&-`, `3>&1-`. False when the target is a file name. */
function duplicate(shell: Shell, fd: number, target: string, operator: string): boolean {
  if (target === '-') {
    shell.setDescriptor(fd, undefined);
    return true;
  }
  const match = target.match(/^(\d+)(-?)$/);
  if (!match) {
    if (operator === '<&') throw new ShellError(`${target}: ambiguous redirect`);
    return false;
  }
  const source = Number(match[1]);
  const channel = shell.fds.get(source);
  if (!channel) throw new ShellError(`${source}: Bad file descriptor`);
  if (source !== fd) shell.setDescriptor(fd, channel.retain());
  if (match[2] && source !== fd) shell.setDescriptor(source, undefined);
  return true;
}

function openBoth(shell: Shell, target: string, flag: number): void {
  const channel = openFile(shell, target, O_WRONLY | O_CREAT | flag);
  shell.setDescriptor(1, channel);
  shell.setDescriptor(2, channel.retain());
}

/** Opens a file; `/dev/fd/N`, `/dev/stdin` and their like mean the shell's own descriptors. */
export function openFile(shell: Shell, target: string, flags: number): Channel {
  const own = descriptorOfPath(target);
  if (own !== undefined) {
    const channel = shell.fds.get(own);
    if (!channel) throw new ShellError(`${target}: No such file or directory`);
    return channel.retain();
  }
  try {
    process.umask(shell.umask);
    return new DescriptorChannel(
      shell.os,
      fs.openSync(path.resolve(shell.cwd, target === '' ? '/\0' : target), flags, 0o666 & ~shell.umask),
    );
  } catch (error) {
    throw new ShellError(`${target}: ${target === '' ? 'No such file or directory' : errorText(error)}`);
  }
}

/** The descriptor number that a path of /dev stands for. */
export function descriptorOfPath(target: string): number | undefined {
  const match = target.match(/^\/dev\/(?:fd\/(\d+)|(stdin|stdout|stderr))$/);
  if (!match) return undefined;
  return match[1] !== undefined
    ? Number(match[1])
    : { stdin: 0, stdout: 1, stderr: 2 }[match[2] as 'stdin' | 'stdout' | 'stderr'];
}

// xargs, timeout, nohup, nice: applets that run other commands.

import fs from 'node:fs';
import { Killed, signalName } from '../execute/control';
import { DescriptorChannel } from '../io/channel';
import { lastValue, parseOptions } from './options';
import { duration } from './small';
import { type Applet, complain, NOT_EXECUTABLE, NOT_FOUND, notRun, readText, UsageError } from './tool';

/** Words of xargs' input: blanks separate, quotes and backslashes protect. */
function xargsWords(text: string): string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/(?:[^\s'"\\]+|'[^'\n]*'|"[^"\n]*"|\\[\s\S])+|['"]/g)) {
    if (match[0] === "'" || match[0] === '"')
      throw new UsageError(
        `unmatched ${match[0] === '"' ? 'double' : 'single'} quote; by default quotes are special to xargs unless you use the -0 option`,
      );
    words.push(
      match[0].replace(/'([^']*)'|"([^"]*)"|\\([\s\S])/g, (_, a?: string, b?: string, c?: string) => a ?? b ?? c ?? ''),
    );
  }
  return words;
}

/** Items in command lines of at most `size` items and, when it is given, `room` bytes with their separators. */
function packed(items: string[], size: number, room: string | undefined, command: string[]): string[][] {
  const cost = (word: string) => Buffer.byteLength(word) + 1;
  const base = command.reduce((sum, word) => sum + cost(word), 0);
  const limit = Number(room ?? 131072);
  if (!(limit > 0)) throw new UsageError(`invalid number "${room}" for -s option`);
  if (base > limit) throw new UsageError('cannot fit single argument within argument list size limit');
  const batches: string[][] = [];
  let used = 0;
  for (const item of items) {
    const last = batches.at(-1);
    if (base + cost(item) > limit) throw new UsageError('argument line too long');
    if (!last || last.length === size || used + cost(item) > limit) {
      batches.push([item]);
      used = base + cost(item);
    } else {
      last.push(item);
      used += cost(item);
    }
  }
  return batches;
}

/** xargs [-0rt] [-n N] [-L N] [-I text] [-d x] [-P N] [-a file]. */
export const xargs: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    '0rtpxn:L:I:d:P:a:s:i?E:',
    {
      null: '0',
      'no-run-if-empty': 'r',
      verbose: 't',
      'max-args=': 'n',
      'max-lines=': 'L',
      'replace=?': 'i',
      'delimiter=': 'd',
      'max-procs=': 'P',
      'arg-file=': 'a',
      exit: 'x',
    },
    { permute: false },
  );
  for (const letter of 'nLP')
    if (parsed.values.has(letter) && !(Number(lastValue(parsed, letter)) >= (letter === 'P' ? 0 : 1)))
      throw new UsageError(
        `value ${lastValue(parsed, letter)} for -${letter} option should be >= ${letter === 'P' ? 0 : 1}`,
      );
  const file = lastValue(parsed, 'a');
  let text = file === undefined ? await tool.stdin.text() : await readText(tool, file);
  const command = parsed.operands.length > 0 ? parsed.operands : ['echo'];
  const marker = lastValue(parsed, 'I') ?? (parsed.values.has('i') ? lastValue(parsed, 'i') || '{}' : undefined);
  const delimiter = parsed.flags.has('0')
    ? '\0'
    : lastValue(parsed, 'd')?.replace(/\\n/g, '\n').replace(/\\t/g, '\t').replace(/\\0/g, '\0');
  const over = lastValue(parsed, 'E');
  if (over !== undefined && delimiter === undefined) {
    const at = text.split('\n').findIndex((line) => line.trim() === over);
    if (at >= 0) text = text.split('\n').slice(0, at).join('\n');
  }
  const lines = () => text.split('\n').filter((line) => line.trim() !== '');
  let batches: string[][];
  if (marker !== undefined) {
    const items =
      delimiter === undefined
        ? lines().map((line) => line.trimStart())
        : text.split(delimiter).filter((item, at, all) => at < all.length - 1 || item !== '');
    batches = items.map((item) => [item]);
  } else if (parsed.values.has('L')) {
    const size = Number(lastValue(parsed, 'L'));
    const rows = lines();
    batches = [];
    for (let i = 0; i < rows.length; i += size) batches.push(rows.slice(i, i + size).flatMap(xargsWords));
  } else {
    const items =
      delimiter === undefined
        ? xargsWords(text)
        : text.split(delimiter).filter((item, at, all) => at < all.length - 1 || item !== '');
    const size = Number(lastValue(parsed, 'n') ?? 5000);
    batches = packed(items, size, lastValue(parsed, 's'), command);
    if (batches.length === 0 && !parsed.flags.has('r')) batches.push([]);
  }
  // With a file of arguments the command reads what xargs does not.
  const stdin = file === undefined ? new DescriptorChannel(tool.os, fs.openSync('/dev/null', 'r')) : undefined;
  let status = 0;
  let stop = false;
  const runOne = async (items: string[]) => {
    const words =
      marker === undefined ? [...command, ...items] : command.map((word) => word.replaceAll(marker, items[0]!));
    if (parsed.flags.has('t')) await tool.stderr.write(`${words.join(' ')}\n`);
    await tool.stdout.flush();
    await tool.stderr.flush();
    const result = await tool.run(words, stdin ? { stdin } : {});
    if (result === NOT_FOUND) {
      await complain(tool, `${words[0]}: No such file or directory`);
      status = 127;
      stop = true;
    } else if (result === NOT_EXECUTABLE) {
      await complain(tool, `${words[0]}: Permission denied`);
      status = 126;
      stop = true;
    } else if (result === 255) {
      await complain(tool, `${words[0]}: exited with status 255; aborting`);
      status ||= 124;
      stop = true;
    } else if (result > 128 && result < 192) {
      status = 125;
      stop = true;
    } else if (result !== 0 && status === 0) status = 123;
  };
  const parallel = Number(lastValue(parsed, 'P') ?? 1) || batches.length;
  const queue = [...batches];
  const worker = async () => {
    for (let batch = queue.shift(); batch && !stop; batch = queue.shift()) await runOne(batch);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, batches.length) }, worker));
  stdin?.release();
  return status;
};

/** timeout [-k N] [-s signal] duration command. */
export const timeout: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    'k:s:vf',
    { 'kill-after=': 'k', 'signal=': 's', 'preserve-status': 'preserve', foreground: 'f', verbose: 'v' },
    { permute: false, status: 125 },
  );
  const [limit, ...command] = parsed.operands;
  if (limit === undefined || command.length === 0)
    throw new UsageError("missing operand\nTry 'timeout --help' for more information.", 125);
  const signal = signalName(lastValue(parsed, 's') ?? 'TERM');
  if (!signal) throw new UsageError(`‘${lastValue(parsed, 's')}’: invalid signal`, 125);
  const control = new AbortController();
  const forward = () => control.abort(tool.signal.reason);
  tool.signal.addEventListener('abort', forward, { once: true });
  let expired = false;
  const ms = duration(limit);
  const clock =
    ms === 0
      ? undefined
      : setTimeout(() => {
          expired = true;
          control.abort(new Killed(signal));
        }, ms);
  try {
    const status = await tool.run(command, { signal: control.signal });
    if (status < 0) await complain(tool, notRun(`failed to run command ‘${command[0]}’`, status));
    return expired && !parsed.flags.has('preserve') ? 124 : Math.abs(status);
  } catch (error) {
    if (!expired || !(error instanceof Killed)) throw error;
    return parsed.flags.has('preserve') ? error.status : signal === 'SIGKILL' ? 137 : 124;
  } finally {
    clearTimeout(clock);
    tool.signal.removeEventListener('abort', forward);
  }
};

/** nohup, nice, setsid, stdbuf: the command as it is, their own options skipped. */
export const plainRun: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    tool.name === 'nice' ? 'n:' : tool.name === 'stdbuf' ? 'i:o:e:' : tool.name === 'setsid' ? 'cfw' : '',
    { 'adjustment=': 'n', 'output=': 'o', 'input=': 'i', 'error=': 'e' },
    { permute: false, status: 125 },
  );
  if (parsed.operands.length === 0) throw new UsageError('missing operand', 125);
  const status = await tool.run(parsed.operands);
  if (status < 0) await complain(tool, notRun(`‘${parsed.operands[0]}’`, status));
  return Math.abs(status);
};

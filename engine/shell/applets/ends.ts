// head and tail.
import fs from 'node:fs';
import { lastValue, parseOptions } from './options';
import { type Applet, eachInput, pause, resolvePath, type Tool, UsageError } from './tool';

/** `10`, `2K`, `1M` as a number; the sign is kept apart. */
function amount(text: string, what: string): { sign: string; count: number } {
  const match = text.match(/^([-+]?)(\d+)(b|[kKMG]B?)?$/);
  if (!match) throw new UsageError(`invalid number of ${what}: ‘${text}’`);
  const factor = { b: 512, k: 1024, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[(match[3] ?? '')[0] ?? ''] ?? 1;
  return { sign: match[1]!, count: Number(match[2]) * factor };
}

/** `-5` as `-n 5`. */
function oldStyle(args: string[]): string[] {
  return args.map((word, position) => (position === 0 && /^-\d+$/.test(word) ? `-n${word.slice(1)}` : word));
}

/** head [-n N] [-c N] [-q] [-v]. */
export const head: Applet = async (tool) => {
  const parsed = parseOptions(oldStyle(tool.args), 'n:c:qvz', {
    'lines=': 'n',
    'bytes=': 'c',
    quiet: 'q',
    silent: 'q',
    verbose: 'v',
    'zero-terminated': 'z',
  });
  const bytes = lastValue(parsed, 'c');
  const { sign, count } = amount(bytes ?? lastValue(parsed, 'n') ?? '10', bytes === undefined ? 'lines' : 'bytes');
  const titled = (parsed.operands.length > 1 && !parsed.flags.has('q')) || parsed.flags.has('v');
  const separator = parsed.flags.has('z') ? '\0' : '\n';
  let first = true;
  return eachInput(tool, parsed.operands, async (input, name) => {
    if (titled) await tool.stdout.write(`${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
    first = false;
    if (sign === '-') {
      const all = await input.bytes();
      if (bytes !== undefined) return tool.stdout.write(all.subarray(0, Math.max(0, all.length - count)));
      const lines = all.toString('latin1').split(/(?<=\n)/);
      return tool.stdout.write(Buffer.from(lines.slice(0, Math.max(0, lines.length - count)).join(''), 'latin1'));
    }
    let left = count;
    while (left > 0) {
      const chunk = await input.chunk();
      if (!chunk) return;
      let end = 0;
      if (bytes !== undefined) {
        end = Math.min(left, chunk.length);
        left -= end;
      } else {
        const mark = separator.charCodeAt(0);
        while (left > 0 && end < chunk.length) {
          const at = chunk.indexOf(mark, end);
          if (at < 0) end = chunk.length;
          else {
            end = at + 1;
            left--;
          }
        }
      }
      await tool.stdout.write(chunk.subarray(0, end));
    }
  });
};

/** tail [-n [+]N] [-c [+]N] [-f] [-q] [-v]. */
export const tail: Applet = async (tool) => {
  const parsed = parseOptions(oldStyle(tool.args), 'n:c:fFqvs:', {
    'lines=': 'n',
    'bytes=': 'c',
    follow: 'f',
    'follow=': 'f',
    quiet: 'q',
    verbose: 'v',
    'sleep-interval=': 's',
    'pid=': 'pid',
    retry: 'F',
  });
  const bytes = lastValue(parsed, 'c');
  const { sign, count } = amount(bytes ?? lastValue(parsed, 'n') ?? '10', bytes === undefined ? 'lines' : 'bytes');
  const titled = (parsed.operands.length > 1 && !parsed.flags.has('q')) || parsed.flags.has('v');
  let first = true;
  const title = (name: string) => `${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`;
  const status = await eachInput(tool, parsed.operands, async (input, name) => {
    if (titled) await tool.stdout.write(title(name));
    first = false;
    const all = await input.bytes();
    await tool.stdout.write(
      bytes === undefined
        ? lastLines(all, sign, count)
        : sign === '+'
          ? all.subarray(Math.max(0, count - 1))
          : all.subarray(Math.max(0, all.length - count)),
    );
  });
  if (parsed.flags.has('f') || parsed.flags.has('F') || parsed.values.has('f'))
    await follow(tool, parsed.operands, titled, title);
  return status;
};

function lastLines(all: Buffer, sign: string, count: number): Buffer {
  if (sign === '+') {
    let at = 0;
    for (let line = 1; line < count; line++) {
      at = all.indexOf(10, at) + 1;
      if (at === 0) return all.subarray(all.length);
    }
    return all.subarray(at);
  }
  if (count === 0) return all.subarray(all.length);
  let at = all.length - (all.at(-1) === 10 ? 1 : 0);
  for (let line = 0; line < count; line++) {
    at = at <= 0 ? -1 : all.lastIndexOf(10, at - 1);
    if (at < 0) return all;
  }
  return all.subarray(at + 1);
}

/** Prints what is appended to the files, for ever. A truncated or replaced file starts anew. */
async function follow(tool: Tool, names: string[], titled: boolean, title: (name: string) => string): Promise<void> {
  const files = names
    .filter((name) => name !== '-')
    .map((name) => ({
      name,
      path: resolvePath(tool, name),
      size: fs.statSync(resolvePath(tool, name), { throwIfNoEntry: false })?.size ?? 0,
    }));
  let shown = files.at(-1)?.name;
  for (;;) {
    await tool.stdout.flush();
    await pause(tool, 100);
    for (const file of files) {
      const size = fs.statSync(file.path, { throwIfNoEntry: false })?.size ?? 0;
      if (size < file.size) file.size = 0;
      if (size === file.size) continue;
      const buffer = Buffer.alloc(size - file.size);
      const fd = fs.openSync(file.path, 'r');
      const count = fs.readSync(fd, buffer, 0, buffer.length, file.size);
      fs.closeSync(fd);
      if (titled && shown !== file.name) await tool.stdout.write(title(file.name));
      shown = file.name;
      file.size += count;
      await tool.stdout.write(buffer.subarray(0, count));
    }
  }
}

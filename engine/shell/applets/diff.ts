// diff: normal, unified, brief and recursive output over a shortest edit script (the `diff` package).
import fs from 'node:fs';
import path from 'node:path';
import { diffArrays } from 'diff';
import { compareNames } from '../expand/glob';
import { lastValue, type Parsed, parseOptions } from './options';
import { strftime } from './strftime';
import { type Applet, complain, fileError, readText, resolvePath, type Tool, UsageError } from './tool';

interface Change {
  /** First line (from 0) and count, on both sides. */
  a: number;
  b: number;
  removed: string[];
  added: string[];
}

/** diff [-uqrsiwbBaN] [-U N] [-c] [--color] a b. Status 0 same, 1 different, 2 trouble. */
export const diff: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    'uU:qrsiwbBaNy',
    {
      unified: 'u',
      'unified=': 'U',
      brief: 'q',
      recursive: 'r',
      'report-identical-files': 's',
      'ignore-case': 'i',
      'ignore-all-space': 'w',
      'ignore-space-change': 'b',
      'ignore-blank-lines': 'B',
      text: 'a',
      'new-file': 'N',
      'color=?': 'color',
      'label=': 'label',
      'strip-trailing-cr': 'cr',
    },
    { status: 2 },
  );
  if (parsed.flags.has('y')) throw new UsageError('side-by-side output (-y) is not supported here; use -u', 2);
  const [a, b] = parsed.operands;
  if (a === undefined || b === undefined)
    throw new UsageError(
      a === undefined
        ? "missing operand\ndiff: Try 'diff --help' for more information."
        : `missing operand after '${a}'\ndiff: Try 'diff --help' for more information.`,
      2,
    );
  if (parsed.operands.length > 2)
    throw new UsageError(`extra operand '${parsed.operands[2]}'\ndiff: Try 'diff --help' for more information.`, 2);
  return compare(tool, parsed, a, b, false);
};

function isFolder(tool: Tool, name: string): boolean {
  return name !== '-' && (fs.statSync(resolvePath(tool, name), { throwIfNoEntry: false })?.isDirectory() ?? false);
}

async function compare(tool: Tool, parsed: Parsed, a: string, b: string, nested: boolean): Promise<number> {
  const [folderA, folderB] = [isFolder(tool, a), isFolder(tool, b)];
  if (folderA && folderB) return compareFolders(tool, parsed, a, b);
  if (folderA && !nested) return compare(tool, parsed, path.join(a, path.basename(b)), b, true);
  if (folderB && !nested) return compare(tool, parsed, a, path.join(b, path.basename(a)), true);
  const texts: string[] = [];
  let trouble = false;
  for (const name of [a, b]) {
    try {
      texts.push(await readText(tool, name));
    } catch (error) {
      if (parsed.flags.has('N') && (error as NodeJS.ErrnoException).code === 'ENOENT') texts.push('');
      else {
        await complain(tool, fileError(name, error));
        trouble = true;
      }
    }
  }
  if (trouble) return 2;
  return report(tool, parsed, a, b, texts[0]!, texts[1]!, nested);
}

async function compareFolders(tool: Tool, parsed: Parsed, a: string, b: string): Promise<number> {
  const [left, right] = [fs.readdirSync(resolvePath(tool, a)), fs.readdirSync(resolvePath(tool, b))];
  let status = 0;
  for (const name of [...new Set([...left, ...right])].sort(compareNames)) {
    const [first, second] = [path.join(a, name), path.join(b, name)];
    let result: number;
    if (!parsed.flags.has('N') && (!left.includes(name) || !right.includes(name))) {
      await tool.stdout.write(`Only in ${left.includes(name) ? a : b}: ${name}\n`);
      result = 1;
    } else if (isFolder(tool, first) && isFolder(tool, second)) {
      if (parsed.flags.has('r')) result = await compareFolders(tool, parsed, first, second);
      else {
        await tool.stdout.write(`Common subdirectories: ${first} and ${second}\n`);
        result = 0;
      }
    } else result = await compare(tool, parsed, first, second, true);
    status = Math.max(status, result);
  }
  return status;
}

async function report(
  tool: Tool,
  parsed: Parsed,
  a: string,
  b: string,
  textA: string,
  textB: string,
  inFolder: boolean,
): Promise<number> {
  const { flags } = parsed;
  const same = async () => {
    if (flags.has('s')) await tool.stdout.write(`Files ${a} and ${b} are identical\n`);
    return 0;
  };
  if (textA === textB) return same();
  if ((textA.includes('\0') || textB.includes('\0')) && !flags.has('a')) {
    await tool.stdout.write(`Binary files ${a} and ${b} differ\n`);
    return 2;
  }
  const [linesA, linesB] = [splitLines(textA), splitLines(textB)];
  const changes = changesOf(linesA, linesB, flags);
  if (changes.length === 0) return same();
  if (flags.has('q')) {
    await tool.stdout.write(`Files ${a} and ${b} differ\n`);
    return 1;
  }
  const color = lastValue(parsed, 'color');
  const colored = color === 'always' || ((color === 'auto' || color === '') && tool.stdout.isTerminal);
  const paint = (code: string, text: string) => (colored ? `\x1b[${code}m${text}\x1b[0m` : text);
  if (inFolder)
    await tool.stdout.write(
      `${paint(
        '1',
        `diff ${tool.args.filter((word) => word.startsWith('-')).join(' ')}${tool.args.some((word) => word.startsWith('-')) ? ' ' : ''}${a} ${b}`,
      )}\n`,
    );
  const context = lastValue(parsed, 'U') ?? (flags.has('u') ? '3' : undefined);
  if (context === undefined) await normal(tool, changes, paint);
  else {
    const labels = parsed.values.get('label') ?? [];
    const stamp = (name: string) => {
      const stat = name === '-' ? undefined : fs.statSync(resolvePath(tool, name), { throwIfNoEntry: false });
      return strftime('%Y-%m-%d %H:%M:%S.%N %z', stat?.mtime ?? new Date(0));
    };
    await tool.stdout.write(
      `${paint('1', `--- ${labels[0] ?? `${a}\t${stamp(a)}`}`)}\n${paint('1', `+++ ${labels[1] ?? `${b}\t${stamp(b)}`}`)}\n`,
    );
    await unified(tool, changes, linesA, linesB, Number(context), paint);
  }
  return 1;
}

/** Lines with their ends; only the last may lack one. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function changesOf(a: string[], b: string[], flags: Set<string>): Change[] {
  const key = (line: string) => {
    let text = flags.has('cr') ? line.replace(/\r\n$/, '\n') : line;
    if (flags.has('w')) text = text.replace(/\s+/g, '');
    else if (flags.has('b')) text = text.replace(/[ \t]+/g, ' ').replace(/ ?\n$/, '\n');
    return flags.has('i') ? text.toLowerCase() : text;
  };
  const changes: Change[] = [];
  let [x, y] = [0, 0];
  let open: Change | undefined;
  for (const part of diffArrays(a.map(key), b.map(key))) {
    const count = part.value.length;
    if (!part.added && !part.removed) {
      open = undefined;
      x += count;
      y += count;
      continue;
    }
    if (!open) {
      open = { a: x, b: y, removed: [], added: [] };
      changes.push(open);
    }
    if (part.removed) open.removed.push(...a.slice(x, (x += count)));
    else open.added.push(...b.slice(y, (y += count)));
  }
  if (!flags.has('B')) return changes;
  return changes.filter((change) => [...change.removed, ...change.added].some((line) => line.trim() !== ''));
}

type Paint = (code: string, text: string) => string;

function line(mark: string, text: string): string {
  return text.endsWith('\n') ? mark + text : `${mark}${text}\n\\ No newline at end of file\n`;
}

async function normal(tool: Tool, changes: Change[], paint: Paint): Promise<void> {
  const span = (start: number, count: number) =>
    count === 0 ? `${start}` : count === 1 ? `${start + 1}` : `${start + 1},${start + count}`;
  for (const { a, b, removed, added } of changes) {
    const kind = removed.length === 0 ? 'a' : added.length === 0 ? 'd' : 'c';
    await tool.stdout.write(`${paint('36', span(a, removed.length) + kind + span(b, added.length))}\n`);
    for (const text of removed) await tool.stdout.write(paint('31', line('< ', text)));
    if (kind === 'c') await tool.stdout.write('---\n');
    for (const text of added) await tool.stdout.write(paint('32', line('> ', text)));
  }
}

async function unified(
  tool: Tool,
  changes: Change[],
  a: string[],
  b: string[],
  context: number,
  paint: Paint,
): Promise<void> {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last && change.a - (last.a + last.removed.length) <= 2 * context) hunks.at(-1)!.push(change);
    else hunks.push([change]);
  }
  for (const hunk of hunks) {
    const [first, last] = [hunk[0]!, hunk.at(-1)!];
    const startA = Math.max(0, first.a - context);
    const startB = Math.max(0, first.b - context);
    const endA = Math.min(a.length, last.a + last.removed.length + context);
    const endB = Math.min(b.length, last.b + last.added.length + context);
    const span = (start: number, end: number) =>
      end - start === 1 ? `${start + 1}` : `${end === start ? start : start + 1},${end - start}`;
    await tool.stdout.write(`${paint('36', `@@ -${span(startA, endA)} +${span(startB, endB)} @@`)}\n`);
    let at = startA;
    for (const change of hunk) {
      for (; at < change.a; at++) await tool.stdout.write(line(' ', a[at]!));
      for (const text of change.removed) await tool.stdout.write(paint('31', line('-', text)));
      for (const text of change.added) await tool.stdout.write(paint('32', line('+', text)));
      at = change.a + change.removed.length;
    }
    for (; at < endA; at++) await tool.stdout.write(line(' ', a[at]!));
  }
}

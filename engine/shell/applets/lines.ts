// wc, uniq, fold: tools that work line by line.
import fs from 'node:fs';
import { widthOf } from '../interactive/cells';
import { byteText, encodeText, TextReader } from '../io/text';
import { lastValue, parseOptions } from './options';
import { type Applet, eachInput, resolvePath, type Tool } from './tool';

/** Columns of a letter; control characters have none. */
function cellsOf(letter: string): number {
  const code = letter.codePointAt(0)!;
  return code < 32 || (code >= 127 && code < 160) ? 0 : widthOf(letter);
}

/** wc [-lwcmL]. */
export const wc: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'lwcmL', {
    lines: 'l',
    words: 'w',
    bytes: 'c',
    chars: 'm',
    'max-line-length': 'L',
  });
  const wanted = [...'lwmcL'].filter((letter) => (flags.size === 0 ? 'lwc'.includes(letter) : flags.has(letter)));
  const lettersWanted = flags.has('m') || flags.has('L');
  const rows: { counts: number[]; name: string }[] = [];
  const status = await eachInput(tool, operands, async (input, name) => {
    const counts: Record<string, number> = { l: 0, w: 0, m: 0, c: 0, L: 0 };
    let inWord = false;
    let width = 0;
    const reader = new TextReader();
    const countLetters = (text: string): void => {
      for (const letter of text) {
        if (!letter.isWellFormed()) continue;
        counts.m!++;
        if ('\n\r\f'.includes(letter)) width = 0;
        else width += letter === '\t' ? 8 - (width % 8) : cellsOf(letter);
        counts.L = Math.max(counts.L!, width);
      }
    };
    for await (const chunk of input.chunks()) {
      counts.c! += chunk.length;
      for (const byte of chunk) {
        if (byte === 10) counts.l!++;
        const blank = byte === 32 || (byte >= 9 && byte <= 13);
        if (!blank && !inWord) counts.w!++;
        inWord = !blank;
      }
      if (lettersWanted) countLetters(reader.write(chunk));
    }
    if (lettersWanted) countLetters(reader.end());
    rows.push({ counts: wanted.map((letter) => counts[letter]!), name });
  });
  if (operands.length > 1)
    rows.push({
      counts: wanted.map((_, column) =>
        rows.reduce(
          (sum, row) => (wanted[column] === 'L' ? Math.max(sum, row.counts[column]!) : sum + row.counts[column]!),
          0,
        ),
      ),
      name: 'total',
    });
  const piped = operands.length === 0 || operands.includes('-');
  const digits = Math.max(...rows.flatMap((row) => row.counts).map((count) => String(count).length), 1);
  const total = operands.length > 0 ? rows.reduce((sum, row) => sum + row.counts.at(-1)!, 0) : 0;
  const width =
    wanted.length === 1 && rows.length === 1
      ? 1
      : piped
        ? 7
        : Math.max(digits, operands.length > 0 ? String(fileSizes(tool, operands) || total).length : 1);
  for (const row of rows)
    await tool.stdout.write(
      `${row.counts.map((count) => String(count).padStart(width)).join(' ')}${operands.length > 0 ? ` ${row.name}` : ''}\n`,
    );
  return status;
};

function fileSizes(tool: Tool, names: string[]): number {
  return names.reduce(
    (sum, name) => sum + (fs.statSync(resolvePath(tool, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** uniq [-cduiz] [-f N] [-s N] [-w N] [input [output]]. */
export const uniq: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'cdDuif:s:w:', {
    count: 'c',
    repeated: 'd',
    unique: 'u',
    'ignore-case': 'i',
    'skip-fields=': 'f',
    'skip-chars=': 's',
    'check-chars=': 'w',
  });
  const { flags, operands } = parsed;
  const key = (line: string) => {
    let text = line;
    for (let field = Number(lastValue(parsed, 'f') ?? 0); field > 0; field--) text = text.replace(/^[ \t]*[^ \t]*/, '');
    text = text.slice(Number(lastValue(parsed, 's') ?? 0));
    const width = lastValue(parsed, 'w');
    if (width !== undefined) text = text.slice(0, Number(width));
    return flags.has('i') ? text.toLowerCase() : text;
  };
  const output = operands[1] === undefined ? undefined : fs.openSync(resolvePath(tool, operands[1]), 'w');
  const write = async (text: string) =>
    output === undefined ? tool.stdout.write(text) : void fs.writeSync(output, encodeText(text));
  let group: string[] = [];
  const finish = async () => {
    if (
      group.length === 0 ||
      (flags.has('u') && group.length > 1) ||
      ((flags.has('d') || flags.has('D')) && group.length === 1)
    )
      return;
    if (flags.has('D')) for (const line of group) await write(`${line}\n`);
    else await write(`${flags.has('c') ? `${String(group.length).padStart(7)} ` : ''}${group[0]}\n`);
  };
  const status = await eachInput(tool, operands.slice(0, 1), async (input) => {
    for await (const { lines } of input.batches()) {
      for (const line of lines) {
        if (group.length > 0 && key(group[0]!) === key(line)) group.push(line);
        else {
          await finish();
          group = [line];
        }
      }
    }
  });
  await finish();
  if (output !== undefined) fs.closeSync(output);
  return status;
};

/** fold [-w N] [-s] [-b]. */
export const fold: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'w:sb', { 'width=': 'w', spaces: 's', bytes: 'b' });
  const width = Number(lastValue(parsed, 'w') ?? 80);
  return eachInput(tool, parsed.operands, async (input) => {
    for await (const { lines, ended } of input.batches()) {
      for (const line of lines) {
        let rest = byteText(line);
        while (rest.length > width) {
          const space = parsed.flags.has('s') ? rest.lastIndexOf(' ', width - 1) : -1;
          const end = space > 0 ? space + 1 : width;
          await tool.stdout.write(Buffer.from(`${rest.slice(0, end)}\n`, 'latin1'));
          rest = rest.slice(end);
        }
        await tool.stdout.write(Buffer.from(rest + (ended ? '\n' : ''), 'latin1'));
      }
    }
  });
};

// patch: applies unified diffs as GNU patch 2.7 does, with offsets, fuzz and reject files.
import fs from 'node:fs';
import path from 'node:path';
import { encodeText } from '../io/text';
import { lastValue, type Parsed, parseOptions } from './options';
import { type FilePatch, type Hunk, parsePatch, reversed } from './patch-text';
import { type Applet, readText, resolvePath, type Tool, UsageError } from './tool';

interface Placed {
  at: number;
  fuzz: number;
}

/** patch [-pN] [-R] [-N] [-i file] [-d dir] [-o file] [-F N] [-b] [-s] [--dry-run] [file [patch]]. */
export const patch: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    'p:RNi:d:o:F:bsfEut',
    {
      'strip=': 'p',
      reverse: 'R',
      forward: 'N',
      'input=': 'i',
      'directory=': 'd',
      'output=': 'o',
      'fuzz=': 'F',
      backup: 'b',
      silent: 's',
      quiet: 's',
      force: 'f',
      batch: 't',
      unified: 'u',
      'remove-empty-files': 'E',
      'dry-run': 'dry',
    },
    { status: 2 },
  );
  const input = lastValue(parsed, 'i') ?? parsed.operands[1] ?? '-';
  const text = await readText(tool, input);
  let patches: FilePatch[];
  try {
    patches = parsePatch(text);
  } catch (error) {
    throw new UsageError(`**** ${(error as Error).message}`, 2);
  }
  if (patches.length === 0) {
    if (text.trim() === '') return 0;
    throw new UsageError('**** Only garbage was found in the patch input.', 2);
  }
  const folder = resolvePath(tool, lastValue(parsed, 'd') ?? '.');
  let status = 0;
  for (const one of patches) {
    const name = targetOf(parsed, folder, one);
    const wanted = parsed.flags.has('R') ? reversed(one) : one;
    status = Math.max(status, await patchFile(tool, parsed, folder, wanted, name));
  }
  return status;
};

/** The file that a patch is about: of its two names the one that is there. */
function targetOf(parsed: Parsed, folder: string, { oldName, newName, isGit }: FilePatch): string | undefined {
  if (parsed.operands[0] !== undefined) return parsed.operands[0];
  const strip = lastValue(parsed, 'p');
  const short = (name: string) => {
    if (name === '/dev/null') return undefined;
    const parts = name.split(/\/+/);
    if (strip === undefined) return isGit ? parts.slice(1).join('/') : parts.at(-1)!;
    return parts.length > Number(strip) ? parts.slice(Number(strip)).join('/') : undefined;
  };
  const names = [short(oldName), short(newName)].filter((name) => name !== undefined && name !== '');
  for (const name of names)
    if (path.isAbsolute(name!) || name!.split('/').includes('..'))
      throw new UsageError(`Ignoring potentially dangerous file name ${name}`, 2);
  return names.find((name) => fs.existsSync(path.join(folder, name!))) ?? names.at(-1);
}

async function patchFile(
  tool: Tool,
  parsed: Parsed,
  folder: string,
  one: FilePatch,
  name: string | undefined,
): Promise<number> {
  const { flags } = parsed;
  const say = (line: string) => (flags.has('s') ? undefined : tool.stdout.write(`${line}\n`));
  if (name === undefined) throw new UsageError("**** can't find file to patch: its name is shorter than -p says", 2);
  const file = path.resolve(folder, name);
  const isNew =
    one.oldName === '/dev/null' || (one.hunks.length === 1 && one.hunks[0]!.lines.every((line) => line[0] === '+'));
  if (!fs.existsSync(file) && !isNew) {
    await tool.stdout.write(
      `can't find file to patch at input: ${one.newName}\nNo file to patch.  Skipping patch.\n${one.hunks.length} out of ${one.hunks.length} hunk${one.hunks.length === 1 ? '' : 's'} ignored\n`,
    );
    return 1;
  }
  await say(`${flags.has('dry') ? 'checking' : 'patching'} file ${name}`);
  const before = fs.existsSync(file) ? await readText(tool, file) : '';
  const fuzz = Number(lastValue(parsed, 'F') ?? 2);
  const result = applyHunks(before, one.hunks, fuzz);
  if (
    result.failed.length > 0 &&
    result.failed[0] === 0 &&
    applyHunks(before, reversed(one).hunks, 0).failed.length === 0
  ) {
    await tool.stdout.write('Reversed (or previously applied) patch detected!  Skipping patch.\n');
    return reject(
      tool,
      parsed,
      file,
      name,
      one,
      one.hunks.map((_, position) => position),
      'ignored',
    );
  }
  for (const [position, place] of result.places.entries()) {
    const hunk = one.hunks[position]!;
    const shift = place === undefined ? 0 : place.at + 1 - (hunk.from || 1);
    if (place === undefined) await tool.stdout.write(`Hunk #${position + 1} FAILED at ${hunk.from || 1}.\n`);
    else if (shift !== 0 || place.fuzz > 0)
      await say(
        `Hunk #${position + 1} succeeded at ${place.at + 1 + result.growth[position]!}${place.fuzz > 0 ? ` with fuzz ${place.fuzz}` : ''}${shift === 0 ? '' : ` (offset ${shift} line${Math.abs(shift) === 1 ? '' : 's'})`}.`,
      );
  }
  if (!flags.has('dry')) {
    // What was not quite as the patch says is kept.
    const isExact = result.places.every(
      (place, position) => place?.fuzz === 0 && place.at === (one.hunks[position]!.from || 1) - 1,
    );
    if ((flags.has('b') || !isExact) && fs.existsSync(file)) fs.copyFileSync(file, `${file}.orig`);
    const output = lastValue(parsed, 'o');
    if (output !== undefined) fs.writeFileSync(resolvePath(tool, output), encodeText(result.text));
    else if (result.text === '' && (one.newName === '/dev/null' || flags.has('E'))) fs.rmSync(file, { force: true });
    else {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, encodeText(result.text));
    }
  }
  return result.failed.length === 0 ? 0 : reject(tool, parsed, file, name, one, result.failed, 'FAILED');
}

/** Keeps the hunks that did not fit, and says so. */
async function reject(
  tool: Tool,
  parsed: Parsed,
  file: string,
  name: string,
  one: FilePatch,
  failed: number[],
  verb: string,
): Promise<number> {
  const total = one.hunks.length;
  const saved = parsed.flags.has('dry') ? '' : ` -- saving rejects to file ${name}.rej`;
  await tool.stdout.write(`${failed.length} out of ${total} hunk${total === 1 ? '' : 's'} ${verb}${saved}\n`);
  if (!parsed.flags.has('dry')) {
    const hunks = failed.map((position) => hunkText(one.hunks[position]!)).join('');
    fs.writeFileSync(`${file}.rej`, encodeText(`--- ${one.oldName}\n+++ ${one.newName}\n${hunks}`));
  }
  return 1;
}

function hunkText({ from, to, lines }: Hunk): string {
  const count = (other: string) => lines.filter((line) => line[0] !== other).length;
  const range = (start: number, length: number) => {
    const first = length === 0 ? start - 1 : start;
    return length === 1 ? `${first}` : `${first},${length}`;
  };
  return `@@ -${range(from, count('+'))} +${range(to, count('-'))} @@\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** The text after all hunks that fit; for each its place in the old text, and how many lines longer the new text was before it. */
function applyHunks(text: string, hunks: readonly Hunk[], most: number) {
  const old = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const result: string[] = [];
  const places: (Placed | undefined)[] = [];
  const growth: number[] = [];
  const failed: number[] = [];
  let ends = text === '' || text.endsWith('\n');
  let done = 0;
  let offset = 0;
  for (const [position, hunk] of hunks.entries()) {
    const place = placeOf(old, hunk, done, offset, most);
    places.push(place);
    growth.push(result.length - done);
    if (!place) {
      failed.push(position);
      continue;
    }
    offset = place.at - ((hunk.from || 1) - 1);
    result.push(...old.slice(done, place.at));
    let at = place.at;
    for (const line of hunk.lines) {
      // With fuzz, what the file has at the edges stays.
      if (line[0] === ' ') result.push(old[at++] ?? '');
      else if (line[0] === '-') at++;
      else result.push(line.slice(1));
    }
    done = at;
    if (done >= old.length) ends = hunk.newEnds;
  }
  result.push(...old.slice(done));
  return { text: result.length === 0 ? '' : result.join('\n') + (ends ? '\n' : ''), places, growth, failed };
}

/** Where the old lines of a hunk stand: as near as possible, first exactly, then with lines of context left out. */
function placeOf(old: readonly string[], hunk: Hunk, from: number, offset: number, most: number): Placed | undefined {
  const lines = hunk.lines.filter((line) => line[0] !== '+');
  const leading = hunk.lines.findIndex((line) => line[0] !== ' ');
  const trailing = hunk.lines.length - 1 - hunk.lines.findLastIndex((line) => line[0] !== ' ');
  const expected = Math.max(0, (hunk.from || 1) - 1 + offset);
  const context = Math.max(leading, trailing);
  for (let fuzz = 0; fuzz <= Math.min(most, context); fuzz++) {
    const skipStart = Math.max(0, Math.min(leading, fuzz - (context - leading)));
    const skipEnd = Math.max(0, Math.min(trailing, fuzz - (context - trailing)));
    const fits = (at: number) => {
      if (at < from || at + lines.length - skipEnd > old.length) return false;
      for (let i = skipStart; i < lines.length - skipEnd; i++) if (old[at + i] !== lines[i]!.slice(1)) return false;
      return true;
    };
    // A hunk with less context before than after stands at the start of its file, and the other way round, unless fuzz allows more.
    if (fuzz + leading < context) {
      if (fits(0)) return { at: 0, fuzz };
      continue;
    }
    if (fuzz + trailing < context) {
      const last = old.length - lines.length;
      if (last >= 0 && fits(last)) return { at: last, fuzz };
      continue;
    }
    for (let distance = 0; distance <= Math.max(expected, old.length); distance++) {
      if (fits(expected + distance)) return { at: expected + distance, fuzz };
      if (distance > 0 && fits(expected - distance)) return { at: expected - distance, fuzz };
    }
  }
  return undefined;
}

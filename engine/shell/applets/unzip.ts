// unzip with Info-ZIP's words. No member is written outside of the folder that it is unpacked into.
import fs from 'node:fs';
import path from 'node:path';
import { patternRegex } from '../expand/pattern';
import { lastValue, type Parsed, parseOptions } from './options';
import { strftime } from './strftime';
import { type Applet, fileError, resolvePath, type Tool, UsageError } from './tool';
import { withoutExcluded } from './zip';
import { contentsOf, DEFLATED, readZip, type ZipEntry } from './zip-format';

const NO_MATCH = 11;
const NO_ZIPFILE = 9;
const DAMAGED = 3;
const LINK = 0o120000;
const KIND = 0o170000;

/** unzip [-lqonjpt] [-d FOLDER] [-x PATTERN…] ARCHIVE[.zip] [PATTERN…]. */
export const unzip: Applet = async (tool) => {
  const [args, excluded] = withoutExcluded(tool.args);
  const parsed = parseOptions(args, 'lqonjptd:', {}, { status: 10 });
  const { flags, operands } = parsed;
  const [given, ...patterns] = operands;
  if (given === undefined) throw new UsageError('no archive was named', 10);
  const file = [given, `${given}.zip`, `${given}.ZIP`].find((name) => fs.existsSync(resolvePath(tool, name)));
  if (file === undefined) {
    await tool.stderr.write(`unzip:  cannot find or open ${given}, ${given}.zip or ${given}.ZIP.\n`);
    return NO_ZIPFILE;
  }
  if (!flags.has('p') && !(flags.has('q') && !flags.has('l'))) await tool.stdout.write(`Archive:  ${file}\n`);
  let all: ZipEntry[];
  try {
    all = readZip(fs.readFileSync(resolvePath(tool, file)));
  } catch (error) {
    await tool.stderr.write(`unzip:  ${file}: ${(error as Error).message}\n`);
    return NO_ZIPFILE;
  }
  const wanted = patterns.map((pattern) => ({ pattern, regex: patternRegex(pattern), isFound: false }));
  const entries = all.filter(({ name }) => {
    if (excluded.some((regex) => regex.test(name))) return false;
    const found = wanted.filter(({ regex }) => regex.test(name));
    for (const one of found) one.isFound = true;
    return wanted.length === 0 || found.length > 0;
  });
  const status = flags.has('l') ? await list(tool, entries) : await unpack(tool, entries, parsed);
  for (const { pattern, isFound } of wanted)
    if (!isFound) await tool.stderr.write(`caution: filename not matched:  ${pattern}\n`);
  return wanted.some(({ isFound }) => !isFound) ? NO_MATCH : status;
};

async function list(tool: Tool, entries: readonly ZipEntry[]): Promise<number> {
  await tool.stdout.write('  Length      Date    Time    Name\n---------  ---------- -----   ----\n');
  let total = 0;
  for (const { name, size, time } of entries) {
    total += size;
    await tool.stdout.write(`${String(size).padStart(9)}  ${strftime('%Y-%m-%d %H:%M', time)}   ${name}\n`);
  }
  const count = `${entries.length} file${entries.length === 1 ? '' : 's'}`;
  await tool.stdout.write(
    `---------                     -------\n${String(total).padStart(9)}                     ${count}\n`,
  );
  return entries.length > 0 ? 0 : NO_MATCH;
}

async function unpack(tool: Tool, entries: readonly ZipEntry[], parsed: Parsed): Promise<number> {
  const { flags } = parsed;
  const folder = lastValue(parsed, 'd') ?? '';
  const say = (text: string) => (flags.has('q') ? undefined : tool.stdout.write(text));
  let word: 'ask' | 'all' | 'none' = flags.has('o') ? 'all' : flags.has('n') ? 'none' : 'ask';
  const answers = lineByLine(tool);
  const links: { column: string; target: string; to: string }[] = [];
  let status = 0;
  for (const entry of entries) {
    const isFolder = entry.name.endsWith('/');
    if (flags.has('t') || flags.has('p')) {
      try {
        const bytes = contentsOf(entry);
        if (flags.has('p')) await tool.stdout.write(bytes);
        else await say(`    testing: ${entry.name.padEnd(23)}  OK\n`);
      } catch (error) {
        await tool.stderr.write(`${(error as Error).message}\n`);
        status = DAMAGED;
      }
      continue;
    }
    const parts = entry.name.split('/').filter((part) => part !== '' && part !== '.');
    if (parts.includes('..')) await tool.stderr.write(`warning:  skipped "../" path component(s) in ${entry.name}\n`);
    const inside = parts.filter((part) => part !== '..');
    const shown = path.join(folder, flags.has('j') ? path.basename(entry.name) : inside.join('/'));
    const target = resolvePath(tool, shown);
    if (isFolder) {
      if (flags.has('j')) continue;
      if (!fs.existsSync(target)) {
        await say(`   creating: ${shown}/\n`);
        fs.mkdirSync(target, { recursive: true });
        if (entry.mode !== 0) fs.chmodSync(target, entry.mode & 0o777);
      }
      continue;
    }
    const isThere = fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined;
    if (isThere && word === 'ask') {
      const answer = await asked(tool, shown, answers);
      if (answer === 'A') word = 'all';
      else if (answer === 'N') word = 'none';
      else if (answer !== 'y') continue;
    }
    if (isThere && word === 'none') continue;
    try {
      const bytes = contentsOf(entry);
      escapes(tool, folder, target);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      if (isThere) fs.rmSync(target, { recursive: true });
      const isLink = (entry.mode & KIND) === LINK;
      const verb = isLink ? '    linking' : entry.method === DEFLATED ? '  inflating' : ' extracting';
      const column = shown.padEnd(22);
      await say(isLink ? `${verb}: ${column}  -> ${bytes} \n` : `${verb}: ${column}  \n`);
      if (isLink) links.push({ column, target, to: bytes.toString() });
      else {
        fs.writeFileSync(target, bytes);
        if (entry.mode !== 0) fs.chmodSync(target, entry.mode & 0o777);
        fs.utimesSync(target, entry.time, entry.time);
      }
    } catch (error) {
      await tool.stderr.write(`${(error as Error).message}\n`);
      status = DAMAGED;
    }
  }
  // Last, so that nothing was written through one of them.
  if (links.length > 0) await say('finishing deferred symbolic links:\n');
  for (const { column, target, to } of links) {
    await say(`  ${column} -> ${to}\n`);
    try {
      fs.symlinkSync(to, target);
    } catch (error) {
      await tool.stderr.write(`${fileError(target, error)}\n`);
      status = DAMAGED;
    }
  }
  return status;
}

/** Throws an Error when a link on the way leads out of the folder: an archive may bring one and write behind it. */
function escapes(tool: Tool, folder: string, target: string): void {
  const root = resolvePath(tool, folder === '' ? '.' : folder);
  let place = path.dirname(target);
  while (place !== root && !fs.existsSync(place)) place = path.dirname(place);
  if (!fs.existsSync(root)) return;
  const [real, realRoot] = [fs.realpathSync(place), fs.realpathSync(root)];
  if (real !== realRoot && !real.startsWith(realRoot === '/' ? '/' : `${realRoot}/`))
    throw new Error(`${target}: a link leads out of the folder; skipped`);
}

async function* lineByLine(tool: Tool): AsyncGenerator<string> {
  for await (const { lines } of tool.stdin.batches()) yield* lines;
}

async function asked(tool: Tool, name: string, answers: AsyncGenerator<string>): Promise<string> {
  await tool.stderr.write(`replace ${name}? [y]es, [n]o, [A]ll, [N]one: `);
  await tool.stderr.flush();
  const { value, done } = await answers.next();
  if (!done) return value.trim().slice(0, 1);
  await tool.stderr.write(' NULL\n(EOF or read error, treating as "[N]one" ...)\n');
  return 'N';
}

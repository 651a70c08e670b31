// zip with Info-ZIP's words.
import fs from 'node:fs';
import path from 'node:path';
import { patternRegex } from '../expand/pattern';
import { type Parsed, parseOptions } from './options';
import { type Applet, resolvePath, type Tool, UsageError } from './tool';
import { DEFLATED, readZip, writeZip, type ZipEntry, zipEntry } from './zip-format';

const NOTHING_TO_DO = 12;
const DAMAGED = 3;

/** zip [-rqjyD0-9] [-x PATTERN…] ARCHIVE FILE…: adds, or replaces what has the same name. */
export const zip: Applet = async (tool) => {
  const [args, excluded] = withoutExcluded(tool.args);
  const parsed = parseOptions(
    args,
    'rqjyD0123456789',
    { 'recurse-paths': 'r', quiet: 'q', 'junk-paths': 'j', symlinks: 'y' },
    { status: 16 },
  );
  const { flags, operands } = parsed;
  const [given, ...names] = operands;
  if (given === undefined) throw new UsageError('no archive was named', 16);
  const file = path.extname(given) === '' ? `${given}.zip` : given;
  const target = resolvePath(tool, file);
  const level = Number(parsed.order.findLast(([letter]) => /^\d$/.test(letter))?.[0] ?? 6);
  let before: ZipEntry[] = [];
  if (fs.existsSync(target))
    try {
      before = readZip(fs.readFileSync(target));
    } catch (error) {
      return fail(tool, `Zip file structure invalid: ${(error as Error).message} (${file})`, DAMAGED);
    }
  const entries = new Map(before.map((entry) => [entry.name, entry]));
  let added = 0;
  for (const name of names) {
    if (!flags.has('q') && !fs.lstatSync(resolvePath(tool, name), { throwIfNoEntry: false }))
      await tool.stderr.write(`\tzip warning: name not matched: ${name}\n`);
    for (const member of members(tool, name, parsed)) {
      if (member.path === target || excluded.some((regex) => regex.test(member.name))) continue;
      const { stats } = member;
      const contents = stats.isDirectory()
        ? Buffer.alloc(0)
        : stats.isSymbolicLink()
          ? Buffer.from(fs.readlinkSync(member.path))
          : fs.readFileSync(member.path);
      const entry = zipEntry(member.name, contents, stats.mode, stats.mtime, level);
      const verb = entries.has(member.name) ? 'updating' : '  adding';
      entries.set(member.name, entry);
      added++;
      if (!flags.has('q')) await tool.stdout.write(`${verb}: ${member.name} ${howPacked(entry)}\n`);
    }
  }
  if (added === 0) return fail(tool, `Nothing to do! (${file})`, NOTHING_TO_DO);
  fs.writeFileSync(target, writeZip([...entries.values()]));
  return 0;
};

/** `-x` of zip and unzip takes all words to the next option. */
export function withoutExcluded(args: readonly string[]): [args: string[], excluded: RegExp[]] {
  const at = args.findIndex((word) => word === '-x' || word === '--exclude');
  if (at < 0) return [[...args], []];
  const end = args.findIndex((word, index) => index > at && (word === '@' || word.startsWith('-')));
  const patterns = args.slice(at + 1, end < 0 ? undefined : end);
  const rest = [...args.slice(0, at), ...(end < 0 ? [] : args.slice(args[end] === '@' ? end + 1 : end))];
  return [rest, patterns.map((pattern) => patternRegex(pattern))];
}

interface Member {
  name: string;
  path: string;
  stats: fs.Stats;
}

function* members(tool: Tool, given: string, parsed: Parsed): Generator<Member> {
  const { flags } = parsed;
  const full = resolvePath(tool, given);
  const stats = fs.lstatSync(full, { throwIfNoEntry: false });
  if (!stats) return;
  const seen = stats.isSymbolicLink() && !flags.has('y') ? fs.statSync(full, { throwIfNoEntry: false }) : stats;
  if (!seen) return;
  const plain = given
    .replace(/^\/+/, '')
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '');
  const name = flags.has('j') ? path.basename(plain) : plain;
  if (!seen.isDirectory()) {
    yield { name, path: full, stats: seen };
    return;
  }
  if (!flags.has('j') && !flags.has('D') && name !== '' && name !== '.')
    yield { name: `${name}/`, path: full, stats: seen };
  if (!flags.has('r')) return;
  for (const child of fs.readdirSync(full)) yield* members(tool, path.join(given, child), parsed);
}

function howPacked({ method, size, packed }: ZipEntry): string {
  if (method !== DEFLATED) return '(stored 0%)';
  return `(deflated ${Math.round((100 * (size - packed.length)) / size)}%)`;
}

async function fail(tool: Tool, message: string, status: number): Promise<number> {
  await tool.stderr.write(`\nzip error: ${message}\n`);
  return status;
}

// realpath and readlink: names without links, dots and doubled slashes.
import fs from 'node:fs';
import path from 'node:path';
import { errorText } from '../execute/control';
import { lastValue, parseOptions } from './options';
import { type Applet, complain, type Tool, UsageError } from './tool';

/** What may be missing: nothing, the last component, or anything. */
type Missing = 'none' | 'last' | 'all';

const MOST_LINKS = 40;
const failed = (code: string) => Object.assign(new Error(code), { code });

/** The real path of a name. Throws Node's errors (ENOENT, ENOTDIR, ELOOP). */
function canonical(tool: Tool, name: string, missing: Missing): string {
  if (name === '' && missing !== 'all') throw failed('ENOENT');
  const rest = (name.startsWith('/') ? name : `${tool.cwd}/${name}`).split('/');
  let result = '/';
  let links = 0;
  while (rest.length > 0) {
    const part = rest.shift()!;
    const isLast = rest.every((other) => other === '');
    const mustBeFolder = rest.length > 0;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      result = path.dirname(result);
      continue;
    }
    const next = path.join(result, part);
    let stat: fs.Stats | undefined;
    try {
      stat = fs.lstatSync(next, { throwIfNoEntry: false });
    } catch (error) {
      if (missing !== 'all') throw error;
    }
    if (stat?.isSymbolicLink()) {
      if (++links > MOST_LINKS) throw failed('ELOOP');
      const target = fs.readlinkSync(next);
      if (target.startsWith('/')) result = '/';
      rest.unshift(...target.split('/'));
      continue;
    }
    if (!stat && (missing === 'none' || (missing === 'last' && !isLast))) throw failed('ENOENT');
    if (stat && !stat.isDirectory() && mustBeFolder && missing !== 'all') throw failed('ENOTDIR');
    result = next;
  }
  return result;
}

/** The name made absolute by its text alone (`-s`); what must be there is looked for. */
function stripped(tool: Tool, name: string, missing: Missing): string {
  const file = path.resolve(tool.cwd, name);
  if (missing === 'none') fs.statSync(file);
  if (missing === 'last') fs.statSync(path.dirname(file));
  return file;
}

const isBelow = (folder: string, file: string) => file === folder || file.startsWith(folder.replace(/\/?$/, '/'));

/** realpath [-ems] [-z] [--relative-to=dir] [--relative-base=dir]. */
export const realpath: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'emsqPz', {
    'canonicalize-existing': 'e',
    'canonicalize-missing': 'm',
    'no-symlinks': 's',
    strip: 's',
    physical: 'P',
    quiet: 'q',
    'relative-to=': 'relative',
    'relative-base=': 'base',
    zero: 'z',
  });
  const { flags } = parsed;
  if (parsed.operands.length === 0)
    throw new UsageError("missing operand\nTry 'realpath --help' for more information.");
  const missing = flags.has('e') ? 'none' : flags.has('m') ? 'all' : 'last';
  const real = (name: string) => (flags.has('s') ? stripped(tool, name, missing) : canonical(tool, name, missing));
  const folder = (name: string) => {
    let file: string;
    try {
      file = real(name);
      if (missing !== 'all' && !fs.statSync(file).isDirectory()) throw failed('ENOTDIR');
    } catch (error) {
      throw new UsageError(`${name}: ${errorText(error)}`);
    }
    return file;
  };
  const baseName = lastValue(parsed, 'base');
  const relativeName = lastValue(parsed, 'relative') ?? baseName;
  let relative = relativeName === undefined ? undefined : folder(relativeName);
  let base = baseName === undefined ? undefined : folder(baseName);
  if (base !== undefined && relative !== undefined && !isBelow(base, relative)) {
    base = relative;
    relative = undefined;
  }
  return writeEach(tool, parsed.operands, !flags.has('q'), (name) => {
    const file = real(name);
    const shown =
      relative === undefined || (base !== undefined && !isBelow(base, file))
        ? file
        : path.relative(relative, file) || '.';
    return shown + (flags.has('z') ? '\0' : '\n');
  });
};

/** readlink [-fem] [-n] [-z] [-v]. */
export const readlink: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'femnqsvz', {
    canonicalize: 'f',
    'canonicalize-existing': 'e',
    'canonicalize-missing': 'm',
    'no-newline': 'n',
    quiet: 'q',
    silent: 's',
    verbose: 'v',
    zero: 'z',
  });
  if (operands.length === 0) throw new UsageError("missing operand\nTry 'readlink --help' for more information.");
  const mode = flags.has('e') ? 'none' : flags.has('m') ? 'all' : flags.has('f') ? 'last' : undefined;
  const end = flags.has('n') && operands.length === 1 ? '' : flags.has('z') ? '\0' : '\n';
  return writeEach(
    tool,
    operands,
    flags.has('v'),
    (name) => (mode ? canonical(tool, name, mode) : fs.readlinkSync(path.resolve(tool.cwd, name))) + end,
  );
};

/** Writes what `answer` makes of each name; 1 when it threw for one, which is told where that `isTold`. */
async function writeEach(
  tool: Tool,
  names: readonly string[],
  isTold: boolean,
  answer: (name: string) => string,
): Promise<number> {
  let status = 0;
  for (const name of names) {
    try {
      await tool.stdout.write(answer(name));
    } catch (error) {
      if (isTold) await complain(tool, `${name === '' ? "''" : name}: ${errorText(error)}`);
      status = 1;
    }
  }
  return status;
}

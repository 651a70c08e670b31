// mkdir, rmdir, rm, touch, chmod, chown, mktemp, truncate: changing single files.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorText } from '../execute/control';
import { parseDate } from './date';
import { changeMode, modeText } from './file-text';
import { each, need } from './operands';
import { lastValue, parseOptions } from './options';
import { type Applet, resolvePath, UsageError } from './tool';

/** mkdir [-p] [-m mode] [-v]. */
export const mkdir: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'pm:v', { parents: 'p', 'mode=': 'm', verbose: 'v' });
  need(parsed.operands);
  const mode = lastValue(parsed, 'm');
  return each(
    tool,
    parsed.operands,
    (name) => `cannot create directory ‘${name}’`,
    async (name, file) => {
      const bits = mode === undefined ? 0o777 & ~tool.umask : changeMode(mode, 0o777, 0, true);
      if (bits === undefined) throw new UsageError(`invalid mode ‘${mode}’`);
      if (parsed.flags.has('p') && fs.existsSync(file) && !fs.statSync(file).isDirectory())
        throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
      fs.mkdirSync(file, { recursive: parsed.flags.has('p'), mode: bits });
      if (mode !== undefined) fs.chmodSync(file, bits);
      if (parsed.flags.has('v')) await tool.stdout.write(`mkdir: created directory '${name}'\n`);
    },
  );
};

/** rmdir [-p] [--ignore-fail-on-non-empty]. */
export const rmdir: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'pv', { parents: 'p', verbose: 'v', 'ignore-fail-on-non-empty': 'ignore' });
  need(parsed.operands);
  return each(
    tool,
    parsed.operands,
    (name) => `failed to remove '${name}'`,
    (name, file) => {
      try {
        fs.rmdirSync(file);
      } catch (error) {
        if (parsed.flags.has('ignore') && (error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return;
        throw error;
      }
      if (parsed.flags.has('p'))
        for (let parent = path.dirname(name); parent !== '.' && parent !== '/'; parent = path.dirname(parent))
          fs.rmdirSync(resolvePath(tool, parent));
    },
  );
};

/** rm [-rfdv]. */
export const rm: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'rRfdviI', {
    recursive: 'r',
    force: 'f',
    dir: 'd',
    verbose: 'v',
    'no-preserve-root': 'n',
    'one-file-system': 'o',
  });
  if (operands.length === 0 && !flags.has('f')) need(operands);
  const recursive = flags.has('r') || flags.has('R');
  return each(
    tool,
    operands,
    (name) => `cannot remove '${name}'`,
    async (name, file) => {
      if (file === '/' && recursive && !flags.has('n'))
        throw new UsageError(
          "it is dangerous to operate recursively on '/'\nrm: use --no-preserve-root to override this failsafe",
        );
      if (/(^|\/)\.\.?\/?$/.test(name))
        throw new UsageError(`refusing to remove '.' or '..' directory: skipping '${name}'`);
      const stat = fs.lstatSync(file, { throwIfNoEntry: false });
      if (!stat) {
        if (flags.has('f')) return;
        throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
      }
      if (stat.isDirectory()) {
        if (recursive) fs.rmSync(file, { recursive: true });
        else if (flags.has('d')) fs.rmdirSync(file);
        else throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
      } else fs.unlinkSync(file);
      if (flags.has('v'))
        await tool.stdout.write(stat.isDirectory() ? `removed directory '${name}'\n` : `removed '${name}'\n`);
    },
  );
};

/** touch [-acm] [-d date] [-r file] [-t stamp]. */
export const touch: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'acmd:r:t:hf', {
    'no-create': 'c',
    'date=': 'd',
    'reference=': 'r',
    'time=': 'time',
  });
  if (parsed.operands.length === 0) throw new UsageError('missing file operand');
  const { flags } = parsed;
  let when = new Date();
  const reference = lastValue(parsed, 'r');
  const text = lastValue(parsed, 'd');
  const stamp = lastValue(parsed, 't');
  if (reference !== undefined) when = fs.statSync(resolvePath(tool, reference)).mtime;
  if (text !== undefined) when = parseDate(text, new Date());
  if (stamp !== undefined) {
    const match = stamp.match(/^(?:(\d\d)?(\d\d))?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/);
    if (!match) throw new UsageError(`invalid date format ‘${stamp}’`);
    const year =
      match[2] === undefined
        ? new Date().getFullYear()
        : Number(`${match[1] ?? (Number(match[2]) < 69 ? 20 : 19)}${match[2]}`);
    when = new Date(
      year,
      Number(match[3]) - 1,
      Number(match[4]),
      Number(match[5]),
      Number(match[6]),
      Number(match[7] ?? 0),
    );
  }
  return each(
    tool,
    parsed.operands,
    (name) => `cannot touch '${name}'`,
    (_, file) => {
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      if (!stat) {
        if (flags.has('c')) return;
        fs.closeSync(fs.openSync(file, 'a', 0o666 & ~tool.umask));
      }
      const only = flags.has('a') !== flags.has('m');
      fs.utimesSync(
        file,
        only && flags.has('m') && stat ? stat.atime : when,
        only && flags.has('a') && stat ? stat.mtime : when,
      );
    },
  );
};

/** chmod [-Rvcf] mode files. */
export const chmod: Applet = async (tool) => {
  // A mode such as -x looks like an option.
  const at = tool.args.findIndex((word) => /^-[rwxXst]+$/.test(word));
  const args = at < 0 ? tool.args : [...tool.args.slice(0, at), '--', ...tool.args.slice(at)];
  const { flags, operands } = parseOptions(args, 'Rvcf', {
    recursive: 'R',
    verbose: 'v',
    changes: 'c',
    silent: 'f',
    quiet: 'f',
  });
  const [mode, ...names] = operands;
  if (mode === undefined) throw new UsageError('missing operand');
  if (names.length === 0) throw new UsageError(`missing operand after ‘${mode}’`);
  const apply = async (name: string, file: string): Promise<void> => {
    const stat = fs.statSync(file);
    const bits = changeMode(mode, stat.mode, tool.umask, stat.isDirectory());
    if (bits === undefined) throw new UsageError(`invalid mode: ‘${mode}’`);
    fs.chmodSync(file, bits);
    if (flags.has('v'))
      await tool.stdout.write(
        `mode of '${name}' changed to ${bits.toString(8).padStart(4, '0')} (${modeText(fs.statSync(file)).slice(1)})\n`,
      );
    if (flags.has('R') && stat.isDirectory())
      for (const entry of fs.readdirSync(file, { withFileTypes: true }))
        if (!entry.isSymbolicLink()) await apply(`${name}/${entry.name}`, path.join(file, entry.name));
  };
  return each(tool, names, (name) => `cannot access '${name}'`, apply);
};

/** chown, chgrp: there is one user; changing to it is done, anything else is refused. */
export const chown: Applet = async (tool) => {
  const { operands } = parseOptions(tool.args, 'Rvcfh', { recursive: 'R' });
  const [owner, ...names] = operands;
  if (owner === undefined || names.length === 0)
    throw new UsageError(owner === undefined ? 'missing operand' : `missing operand after ‘${owner}’`);
  const [user, group] = owner.split(/[:.]/);
  const idOf = (name: string | undefined, own: number) =>
    !name
      ? -1
      : /^\d+$/.test(name)
        ? Number(name)
        : name === 'root'
          ? 0
          : name === os.userInfo().username
            ? own
            : undefined;
  const [uid, gid] = tool.name.endsWith('chgrp')
    ? [-1, idOf(user, process.getgid!())]
    : [idOf(user, process.getuid!()), idOf(group, process.getgid!())];
  if (uid === undefined || gid === undefined) throw new UsageError(`invalid user: ‘${owner}’`);
  return each(
    tool,
    names,
    (name) => `changing ownership of '${name}'`,
    (_, file) => {
      const stat = fs.statSync(file);
      fs.chownSync(file, uid < 0 ? stat.uid : uid, gid < 0 ? stat.gid : gid);
    },
  );
};

/** mktemp [-d] [-u] [-t] [-p dir] [template]. */
export const mktemp: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'dutqp:', {
    directory: 'd',
    'dry-run': 'u',
    quiet: 'q',
    'tmpdir=?': 'p',
    'suffix=': 'suffix',
  });
  const template = parsed.operands[0] ?? 'tmp.XXXXXXXXXX';
  const match = template.match(/^(.*?)(X{3,})([^X/]*)$/s);
  if (!match) throw new UsageError(`too few X's in template ‘${template}’`);
  const inTemporary = parsed.operands.length === 0 || parsed.flags.has('t') || parsed.values.has('p');
  const folder = inTemporary ? lastValue(parsed, 'p') || tool.environment.TMPDIR || os.tmpdir() : '';
  for (;;) {
    const random = Array.from(
      match[2]!,
      () => 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[Math.floor(Math.random() * 62)],
    ).join('');
    const name = path.join(folder, `${match[1]}${random}${match[3]}${lastValue(parsed, 'suffix') ?? ''}`);
    const file = resolvePath(tool, name);
    if (fs.existsSync(file)) continue;
    if (!parsed.flags.has('u')) {
      try {
        if (parsed.flags.has('d')) fs.mkdirSync(file, { mode: 0o700 });
        else fs.closeSync(fs.openSync(file, 'wx', 0o600));
      } catch (error) {
        throw new UsageError(
          `failed to create ${parsed.flags.has('d') ? 'directory' : 'file'} via template ‘${path.join(folder, template)}’: ${errorText(error)}`,
        );
      }
    }
    await tool.stdout.write(`${name}\n`);
    return 0;
  }
};

/** The size that `+N`, `-N`, `<N`, `>N`, `/N` and `%N` make of another. */
function resized(now: number, change: string, bytes: number): number {
  switch (change) {
    case '+':
      return now + bytes;
    case '-':
      return Math.max(0, now - bytes);
    case '<':
      return Math.min(now, bytes);
    case '>':
      return Math.max(now, bytes);
    case '/':
      return Math.floor(now / bytes) * bytes;
    case '%':
      return Math.ceil(now / bytes) * bytes;
    default:
      return bytes;
  }
}

/** truncate -s size files. */
export const truncate: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 's:c', { 'size=': 's', 'no-create': 'c' });
  const text = lastValue(parsed, 's');
  if (text === undefined) throw new UsageError('you must specify either ‘--size’ or ‘--reference’');
  const size = text.trim().match(/^([-+<>/%]?)\s*(\d*)(?:([kKmMGTPE])(B|iB)?)?$/);
  if (!size || (size[2] === '' && !size[3])) throw new UsageError(`Invalid number: ‘${text}’`);
  const bytes =
    Number(size[2] || 1) *
    (size[4] === 'B' ? 1000 : 1024) ** (size[3] ? 'KMGTPE'.indexOf(size[3].toUpperCase()) + 1 : 0);
  if ('/%'.includes(size[1]!) && size[1] && bytes === 0) throw new UsageError('division by zero');
  if (parsed.operands.length === 0) throw new UsageError('missing file operand');
  return each(
    tool,
    parsed.operands,
    (name) => `cannot open '${name}' for writing`,
    (_, file) => {
      if (!fs.existsSync(file)) {
        if (parsed.flags.has('c')) return;
        fs.writeFileSync(file, '');
      }
      const now = fs.statSync(file).size;
      fs.truncateSync(file, resized(now, size[1]!, bytes));
    },
  );
};

// cp, mv, rm, mkdir, rmdir, touch, ln, chmod, chown, truncate, mktemp: changing the tree.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorText } from '../execute/control';
import { parseDate } from './date';
import { changeMode, modeText } from './file-text';
import { lastValue, parseOptions } from './options';
import { type Applet, complain, resolvePath, type Tool, UsageError } from './tool';

/** Runs `each` on the operands; a thrown error becomes a message and status 1. */
async function each(
  tool: Tool,
  names: string[],
  verb: (name: string) => string,
  run: (name: string, file: string) => void | Promise<void>,
): Promise<number> {
  let status = 0;
  for (const name of names) {
    try {
      await run(name, resolvePath(tool, name));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      await complain(tool, `${verb(name)}: ${name === '' ? 'No such file or directory' : errorText(error)}`);
      status = 1;
    }
  }
  return status;
}

function need(names: string[], count = 1): void {
  if (names.length < count)
    throw new UsageError(
      names.length === 0 ? 'missing operand' : `missing destination file operand after '${names[0]}'`,
    );
}

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

/** Where each source goes: into the folder `target`, or to `target` itself. */
function destinations(
  tool: Tool,
  operands: string[],
  into: string | undefined,
  noFolder: boolean,
): { source: string; target: string }[] {
  const sources = into === undefined ? operands.slice(0, -1) : operands;
  const target = into ?? operands.at(-1)!;
  if (into === undefined) {
    if (operands.length === 0) throw new UsageError('missing file operand');
    if (operands.length === 1) throw new UsageError(`missing destination file operand after '${operands[0]}'`);
  }
  const isFolder =
    !noFolder && (fs.statSync(resolvePath(tool, target), { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (!isFolder && sources.length > 1)
    throw new UsageError(
      `target '${target}': ${fs.existsSync(resolvePath(tool, target)) ? 'Not a directory' : 'No such file or directory'}`,
    );
  return sources.map((source) => ({ source, target: isFolder ? path.join(target, path.basename(source)) : target }));
}

/** cp [-rRapfnuvLPTt]. */
export const cp: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'rRapfnuviLPHdTlst:', {
    recursive: 'r',
    archive: 'a',
    force: 'f',
    'no-clobber': 'n',
    update: 'u',
    verbose: 'v',
    'target-directory=': 't',
    'no-target-directory': 'T',
    'preserve=?': 'p',
    preserve: 'p',
    dereference: 'L',
    'no-dereference': 'P',
    link: 'l',
    'symbolic-link': 's',
  });
  const { flags } = parsed;
  const recursive = flags.has('r') || flags.has('R') || flags.has('a');
  const keep = flags.has('p') || flags.has('a') || parsed.values.has('p');
  let status = 0;
  for (const { source, target } of destinations(tool, parsed.operands, lastValue(parsed, 't'), flags.has('T'))) {
    status =
      (await each(
        tool,
        [source],
        () => `cannot stat '${source}'`,
        async (_, from) => {
          const to = resolvePath(tool, target);
          const link = flags.has('P') || flags.has('a') || flags.has('d') || (recursive && !flags.has('L'));
          const stat = link ? fs.lstatSync(from) : fs.statSync(from);
          if (stat.isDirectory() && !recursive) {
            await complain(tool, `-r not specified; omitting directory '${source}'`);
            status = 1;
            return;
          }
          if (stat.isDirectory() && `${to}/`.startsWith(`${from}/`)) {
            await complain(tool, `cannot copy a directory, '${source}', into itself, '${target}'`);
            status = 1;
            return;
          }
          if (from === to) {
            await complain(tool, `'${source}' and '${target}' are the same file`);
            status = 1;
            return;
          }
          try {
            await copy(tool, from, to, source, target, flags, keep, link);
          } catch (error) {
            await complain(
              tool,
              `cannot create ${stat.isDirectory() ? 'directory' : 'regular file'} '${target}': ${errorText(error)}`,
            );
            status = 1;
          }
        },
      )) || status;
  }
  return status;
};

async function copy(
  tool: Tool,
  from: string,
  to: string,
  source: string,
  target: string,
  flags: Set<string>,
  keep: boolean,
  link: boolean,
): Promise<void> {
  const stat = link ? fs.lstatSync(from) : fs.statSync(from);
  const present = fs.lstatSync(to, { throwIfNoEntry: false });
  if (stat.isDirectory()) {
    if (!present) fs.mkdirSync(to, { mode: (stat.mode & 0o7777) | 0o700 });
    for (const name of fs.readdirSync(from))
      await copy(
        tool,
        path.join(from, name),
        path.join(to, name),
        `${source}/${name}`,
        `${target}/${name}`,
        flags,
        keep,
        link,
      );
    if (!present) fs.chmodSync(to, keep ? stat.mode & 0o7777 : stat.mode & 0o7777 & ~tool.umask);
  } else {
    if (present && (flags.has('n') || (flags.has('u') && present.mtimeMs >= stat.mtimeMs))) return;
    if (stat.isSymbolicLink() || flags.has('s')) {
      if (present) fs.unlinkSync(to);
      fs.symlinkSync(flags.has('s') ? from : fs.readlinkSync(from), to);
    } else if (flags.has('l')) fs.linkSync(from, to);
    else {
      fs.copyFileSync(from, to);
      if (!present || keep) fs.chmodSync(to, keep ? stat.mode & 0o7777 : stat.mode & 0o777 & ~tool.umask);
    }
  }
  if (keep && !stat.isSymbolicLink()) fs.utimesSync(to, stat.atime, stat.mtime);
  if (flags.has('v')) await tool.stdout.write(`'${source}' -> '${target}'\n`);
}

/** mv [-fnuvTt]. */
export const mv: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'fnuviTt:', {
    force: 'f',
    'no-clobber': 'n',
    update: 'u',
    verbose: 'v',
    'target-directory=': 't',
    'no-target-directory': 'T',
  });
  const { flags } = parsed;
  let status = 0;
  for (const { source, target } of destinations(tool, parsed.operands, lastValue(parsed, 't'), flags.has('T'))) {
    status =
      (await each(
        tool,
        [source],
        () =>
          fs.lstatSync(resolvePath(tool, source), { throwIfNoEntry: false })
            ? `cannot move '${source}' to '${target}'`
            : `cannot stat '${source}'`,
        async (_, from) => {
          const to = resolvePath(tool, target);
          const stat = fs.lstatSync(from);
          const present = fs.lstatSync(to, { throwIfNoEntry: false });
          if (from === to) {
            await complain(tool, `'${source}' and '${target}' are the same file`);
            status = 1;
            return;
          }
          if (present && (flags.has('n') || (flags.has('u') && present.mtimeMs >= stat.mtimeMs))) return;
          if (present?.isDirectory() && !stat.isDirectory())
            throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
          fs.renameSync(from, to);
          if (flags.has('v')) await tool.stdout.write(`renamed '${source}' -> '${target}'\n`);
        },
      )) || status;
  }
  return status;
};

/** ln [-sfnvrTt]. */
export const ln: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'sfnvrTit:L P'.replace(' ', ''), {
    symbolic: 's',
    force: 'f',
    'no-dereference': 'n',
    verbose: 'v',
    relative: 'r',
    'target-directory=': 't',
    'no-target-directory': 'T',
  });
  const { flags } = parsed;
  const operands = parsed.operands.length === 1 ? [parsed.operands[0]!, '.'] : parsed.operands;
  const last = operands.at(-1);
  const linkTarget =
    flags.has('n') &&
    last !== undefined &&
    (fs.lstatSync(resolvePath(tool, last), { throwIfNoEntry: false })?.isSymbolicLink() ?? false);
  let status = 0;
  for (const { source, target } of destinations(tool, operands, lastValue(parsed, 't'), flags.has('T') || linkTarget)) {
    const kind = flags.has('s') ? 'symbolic' : 'hard';
    status =
      (await each(
        tool,
        [target],
        () => `failed to create ${kind} link '${target}'`,
        async (_, to) => {
          if (flags.has('f') && fs.lstatSync(to, { throwIfNoEntry: false })) fs.unlinkSync(to);
          if (flags.has('s'))
            fs.symlinkSync(flags.has('r') ? path.relative(path.dirname(to), resolvePath(tool, source)) : source, to);
          else fs.linkSync(resolvePath(tool, source), to);
          if (flags.has('v')) await tool.stdout.write(`'${target}' -> '${source}'\n`);
        },
      )) || status;
  }
  return status;
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

/** truncate -s size files. */
export const truncate: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 's:c', { 'size=': 's', 'no-create': 'c' });
  const size = lastValue(parsed, 's')?.match(/^([-+]?)(\d+)([KMG]?)$/);
  if (!size) throw new UsageError('you must specify either ‘--size’ or ‘--reference’');
  const bytes = Number(size[2]) * { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[size[3] as '' | 'K' | 'M' | 'G'];
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
      fs.truncateSync(file, size[1] === '+' ? now + bytes : size[1] === '-' ? Math.max(0, now - bytes) : bytes);
    },
  );
};

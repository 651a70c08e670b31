// cp, mv, ln: what goes from one place to another.
import fs from 'node:fs';
import path from 'node:path';
import { errorText } from '../execute/control';
import { each } from './operands';
import { lastValue, parseOptions } from './options';
import { type Applet, complain, resolvePath, type Tool, UsageError } from './tool';

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

// install: copies with a mode, and folders.
import fs from 'node:fs';
import path from 'node:path';
import { errorText } from '../execute/control';
import { lastValue, parseOptions } from './options';
import { type Applet, complain, resolvePath, type Tool, UsageError } from './tool';

/** Makes a folder and those above it; each one made is named. */
async function makeFolders(tool: Tool, name: string, isSaid: boolean): Promise<void> {
  const parts = name.split('/');
  for (let count = 1; count <= parts.length; count++) {
    const part = parts.slice(0, count).join('/');
    if (part === '' || fs.existsSync(resolvePath(tool, part))) continue;
    if (isSaid) await tool.stdout.write(`install: creating directory '${part}'\n`);
    fs.mkdirSync(resolvePath(tool, part));
  }
}

/** install [-cdDpTv] [-m mode] [-t folder] source… target. */
export const install: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'cdDpTvm:t:', {
    directory: 'd',
    'mode=': 'm',
    'preserve-timestamps': 'p',
    'no-target-directory': 'T',
    'target-directory=': 't',
    verbose: 'v',
  });
  const { flags, operands } = parsed;
  const modeText = lastValue(parsed, 'm') ?? '755';
  if (!/^[0-7]{1,4}$/.test(modeText)) throw new UsageError(`invalid mode ‘${modeText}’: modes are octal here`);
  const mode = Number.parseInt(modeText, 8);
  if (operands.length === 0) throw new UsageError('missing file operand');
  let status = 0;
  const failed = async (message: string) => {
    await complain(tool, message);
    status = 1;
  };
  if (flags.has('d')) {
    for (const name of operands) {
      try {
        await makeFolders(tool, name, flags.has('v'));
        fs.chmodSync(resolvePath(tool, name), mode);
      } catch (error) {
        await failed(`cannot create directory '${name}': ${errorText(error)}`);
      }
    }
    return status;
  }
  const into = lastValue(parsed, 't');
  const target = into ?? operands.at(-1)!;
  const sources = into === undefined ? operands.slice(0, -1) : operands;
  if (sources.length === 0) throw new UsageError(`missing destination file operand after '${target}'`);
  if (flags.has('D')) await makeFolders(tool, into ?? path.dirname(target), flags.has('v'));
  const isFolder =
    !flags.has('T') && (fs.statSync(resolvePath(tool, target), { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (!isFolder && (sources.length > 1 || into !== undefined))
    throw new UsageError(
      `target '${target}': ${fs.existsSync(resolvePath(tool, target)) ? 'Not a directory' : 'No such file or directory'}`,
    );
  const made = new Set<string>();
  for (const source of sources) {
    const name = isFolder ? path.join(target, path.basename(source)) : target;
    const [from, to] = [resolvePath(tool, source), resolvePath(tool, name)];
    const stat = fs.statSync(from, { throwIfNoEntry: false });
    if (!stat) await failed(`cannot stat '${source}': No such file or directory`);
    else if (stat.isDirectory()) await failed(`omitting directory '${source}'`);
    else if (made.has(to)) await failed(`will not overwrite just-created '${name}' with '${source}'`);
    else {
      try {
        const there = fs.lstatSync(to, { throwIfNoEntry: false });
        if (there) fs.unlinkSync(to);
        if (there && flags.has('v')) await tool.stdout.write(`removed '${name}'\n`);
        fs.copyFileSync(from, to);
        fs.chmodSync(to, mode);
        if (flags.has('p')) fs.utimesSync(to, stat.atime, stat.mtime);
        made.add(to);
        if (flags.has('v')) await tool.stdout.write(`'${source}' -> '${name}'\n`);
      } catch (error) {
        await failed(`cannot create regular file '${name}': ${errorText(error)}`);
      }
    }
  }
  return status;
};

// cd, pwd, pushd, popd, dirs; type, which-like lookups, hash, command; alias; shopt, help.
import fs from 'node:fs';
import path from 'node:path';
import { isApplet } from '../applets/applets';
import { errorText, ShellError } from '../execute/control';
import { findCommand, findInPath } from '../execute/find-command';
import { quoteSingle } from '../expand/quote';
import { assign } from '../expand/scope';
import type { Shell } from '../state';
import { functionText } from './declare';
import { shopt } from './shell-options';
import { type Builtin, builtinOptions } from './types';

const KEYWORDS = [
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'case',
  'esac',
  'for',
  'select',
  'while',
  'until',
  'do',
  'done',
  'in',
  'function',
  'time',
  '{',
  '}',
  '!',
  '[[',
  ']]',
  'coproc',
];

/** Changes the folder and PWD, OLDPWD. Throws ShellError. */
function changeFolder(shell: Shell, command: string, target: string, physical = false): void {
  const wanted = path.resolve(shell.cwd, target);
  try {
    if (!fs.statSync(wanted).isDirectory()) throw new ShellError(`${command}: ${target}: Not a directory`);
    fs.accessSync(wanted, fs.constants.X_OK);
  } catch (error) {
    if (error instanceof ShellError) throw error;
    throw new ShellError(`${command}: ${target}: ${errorText(error)}`);
  }
  const before = shell.cwd;
  shell.cwd = physical ? fs.realpathSync(wanted) : wanted;
  assign(shell, 'OLDPWD', before);
  assign(shell, 'PWD', shell.cwd);
}

async function cd(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } =
    args[0] === '-'
      ? { options: new Map<string, string>(), rest: args }
      : builtinOptions('cd', args, 'LPe@', 'cd [-L|[-P [-e]] [-@]] [dir]');
  if (rest.length > 1) throw new ShellError('cd: too many arguments');
  let target: string | undefined = rest[0];
  let show = false;
  if (target === undefined) {
    target = shell.vars.get('HOME');
    if (!target) throw new ShellError('cd: HOME not set');
  } else if (target === '-') {
    target = shell.vars.get('OLDPWD');
    if (!target) throw new ShellError('cd: OLDPWD not set');
    show = true;
  } else if (!/^\.{0,2}\//.test(target) && target !== '.' && target !== '..' && shell.vars.get('CDPATH')) {
    for (const folder of shell.vars.get('CDPATH')!.split(':')) {
      const candidate = path.resolve(shell.cwd, folder || '.', target);
      if (!fs.statSync(candidate, { throwIfNoEntry: false })?.isDirectory()) continue;
      show = folder !== '' && folder !== '.';
      target = candidate;
      break;
    }
  }
  if (target === '') return 0;
  changeFolder(shell, 'cd', target, options.has('P'));
  if (show) await shell.write(1, `${shell.cwd}\n`);
  return 0;
}

async function printFolders(shell: Shell, options: Map<string, string>): Promise<void> {
  const home = shell.vars.get('HOME') ?? '';
  const short = (name: string) =>
    home && (name === home || name.startsWith(`${home}/`)) && !options.has('l') ? `~${name.slice(home.length)}` : name;
  const all = [shell.cwd, ...shell.folders].map(short);
  if (options.has('v'))
    await shell.write(1, all.map((name, position) => `${String(position).padStart(2)}  ${name}\n`).join(''));
  else await shell.write(1, options.has('p') ? `${all.join('\n')}\n` : `${all.join(' ')}\n`);
}

/** Index in the stack of `+n` and `-n`. */
function stackIndex(shell: Shell, name: string, text: string): number {
  const count = shell.folders.length + 1;
  const index = text.startsWith('+') ? Number(text.slice(1)) : count - 1 - Number(text.slice(1));
  if (!(index >= 0 && index < count)) throw new ShellError(`${name}: ${text}: directory stack index out of range`);
  return index;
}

async function pushd(shell: Shell, args: string[]): Promise<number> {
  const words = args.filter((word) => word !== '-n' && word !== '--');
  if (words.length > 1) throw new ShellError('pushd: too many arguments');
  const target = words[0];
  if (target !== undefined && /^[-+]/.test(target) && !/^[-+]\d+$/.test(target) && target !== '-')
    throw new ShellError(`pushd: ${target}: invalid number\npushd: usage: pushd [-n] [+N | -N | dir]`, 2);
  const all = [shell.cwd, ...shell.folders];
  if (target === undefined) {
    if (shell.folders.length === 0) throw new ShellError('pushd: no other directory');
    const [first, second, ...rest] = all as [string, string, ...string[]];
    changeFolder(shell, 'pushd', second);
    shell.folders = [first, ...rest];
  } else if (/^[-+]\d+$/.test(target)) {
    const index = stackIndex(shell, 'pushd', target);
    const turned = [...all.slice(index), ...all.slice(0, index)];
    changeFolder(shell, 'pushd', turned[0]!);
    shell.folders = turned.slice(1);
  } else {
    changeFolder(shell, 'pushd', target);
    shell.folders = all;
  }
  await printFolders(shell, new Map());
  return 0;
}

async function popd(shell: Shell, args: string[]): Promise<number> {
  const all = [shell.cwd, ...shell.folders];
  const [operand] = args.filter((word) => word !== '--' && word !== '-n');
  if (operand !== undefined && !/^[-+]\d+$/.test(operand))
    throw new ShellError(
      `popd: ${operand}: invalid ${/^[-+]/.test(operand) ? 'number' : 'argument'}\npopd: usage: popd [-n] [+N | -N]`,
      2,
    );
  if (all.length === 1) throw new ShellError('popd: directory stack empty');
  const index = operand ? stackIndex(shell, 'popd', operand) : 0;
  all.splice(index, 1);
  if (index === 0) changeFolder(shell, 'popd', all[0]!);
  shell.folders = all.slice(1);
  await printFolders(shell, new Map());
  return 0;
}

/** What a name means, in the order in which the shell looks. */
function meanings(
  shell: Shell,
  name: string,
  isBuiltin: (name: string) => boolean,
): { kind: string; text: string; path: string }[] {
  const found: { kind: string; text: string; path: string }[] = [];
  const alias = shell.aliases.get(name);
  if (alias !== undefined && shell.shopts.has('expand_aliases'))
    found.push({
      kind: 'alias',
      text: `${name} is aliased to \`${alias}'`,
      path: `alias ${name}=${quoteSingle(alias)}`,
    });
  if (KEYWORDS.includes(name)) found.push({ kind: 'keyword', text: `${name} is a shell keyword`, path: name });
  if (shell.functions.has(name))
    found.push({ kind: 'function', text: `${name} is a function\n${functionText(shell, name)}`, path: name });
  if (isBuiltin(name)) found.push({ kind: 'builtin', text: `${name} is a shell builtin`, path: name });
  const files = name.includes('/')
    ? findCommand(shell, name).kind === 'none' || findCommand(shell, name).kind === 'denied'
      ? []
      : [name]
    : findInPath(shell, name);
  if (files.length === 0 && shell.os.appletsFirst && isApplet(name)) files.push(`/usr/bin/${name}`);
  for (const file of files) found.push({ kind: 'file', text: `${name} is ${file}`, path: file });
  return found;
}

/** type, command, hash and what else asks which names are builtins. */
export function lookupBuiltins(isBuiltin: (name: string) => boolean): Record<string, Builtin> {
  return {
    async type(shell, args) {
      const { options, rest } = builtinOptions('type', args, 'afptP');
      let status = 0;
      for (const name of rest) {
        let found = meanings(shell, name, isBuiltin);
        if (options.has('f')) found = found.filter(({ kind }) => kind !== 'function');
        if (options.has('P')) found = found.filter(({ kind }) => kind === 'file');
        if (found.length === 0) {
          status = 1;
          if (!options.has('t') && !options.has('p') && !options.has('P'))
            await shell.complain(`type: ${name}: not found`);
          continue;
        }
        for (const { kind, text, path: file } of options.has('a') ? found : found.slice(0, 1)) {
          if (options.has('t')) await shell.write(1, `${kind}\n`);
          else if (options.has('p') || options.has('P')) await shell.write(1, kind === 'file' ? `${file}\n` : '');
          else if (kind === 'file' && !options.has('a') && shell.hashed.has(name))
            await shell.write(1, `${name} is hashed (${file})\n`);
          else await shell.write(1, `${text}\n`);
        }
      }
      return status;
    },
    async command(shell, args) {
      const { options, rest } = builtinOptions('command', args, 'pvV', 'command [-pVv] command [arg ...]');
      if (rest.length === 0) return 0;
      if (!options.has('v') && !options.has('V')) return shell.executor.runWords(shell, rest, { functions: false });
      // One that is found is enough.
      let status = 1;
      for (const name of rest) {
        const found = meanings(shell, name, isBuiltin)[0];
        if (found) status = 0;
        if (found) await shell.write(1, `${options.has('v') ? found.path : found.text}\n`);
        else {
          if (options.has('V')) await shell.complain(`command: ${name}: not found`);
        }
      }
      return status;
    },
    async hash(shell, args) {
      const { options, rest } = builtinOptions('hash', args, 'dlp:rt');
      if (options.has('r')) shell.hashed.clear();
      let status = 0;
      for (const name of rest) {
        const [first] = findInPath(shell, name);
        if (options.has('d')) shell.hashed.delete(name);
        else if (first) {
          shell.hashed.set(name, { path: first, hits: 0 });
          if (options.has('t')) await shell.write(1, `${first}\n`);
        } else {
          await shell.complain(`hash: ${name}: not found`);
          status = 1;
        }
      }
      if (rest.length === 0 && !options.has('r')) {
        if (shell.hashed.size === 0) await shell.write(1, 'hash: hash table empty\n');
        else
          await shell.write(
            1,
            `hits\tcommand\n${[...shell.hashed.values()].map(({ path: file, hits }) => `${String(hits).padStart(4)}\t${file}\n`).join('')}`,
          );
      }
      return status;
    },
    async help(shell, args) {
      const { options, rest } = builtinOptions('help', args, 'dms');
      for (const letter of options.keys())
        throw new ShellError(`help: -${letter}: no texts of help are kept here; \`compgen -b' lists the builtins`);
      const unknown = rest.find((word) => !isBuiltin(word));
      if (unknown !== undefined)
        throw new ShellError(
          `help: no help topics match \`${unknown}'.  Try \`help help' or \`man -k ${unknown}' or \`info ${unknown}'.`,
        );
      await shell.write(
        1,
        'Cloche shell: the language of bash 5.2, in the browser. Builtins are listed by `compgen -b`.\n',
      );
      return 0;
    },
    async compgen(shell, args) {
      const { options, rest } = builtinOptions('compgen', args, 'abcdfkvAW:');
      const prefix = rest.at(-1) ?? '';
      const names = new Set<string>();
      if (options.has('v')) for (const name of shell.vars.names()) names.add(name);
      if (options.has('a') || options.has('c')) for (const name of shell.aliases.keys()) names.add(name);
      if (options.has('k') || options.has('c')) for (const name of KEYWORDS) names.add(name);
      if (options.has('W')) for (const name of options.get('W')!.split(/\s+/)) names.add(name);
      if (options.has('b') || options.has('c')) for (const name of shell.builtinNames) names.add(name);
      if (options.has('f') || options.has('d')) {
        for (const entry of fs.readdirSync(shell.cwd, { withFileTypes: true }))
          if (!options.has('d') || entry.isDirectory()) names.add(entry.name);
      }
      const found = [...names].filter((name) => name.startsWith(prefix)).sort();
      await shell.write(1, found.map((name) => `${name}\n`).join(''));
      return found.length > 0 ? 0 : 1;
    },
  };
}

/** Builtins of this file by name. */
export const PLACE_BUILTINS: Record<string, Builtin> = {
  cd,
  async pwd(shell, args) {
    const { options } = builtinOptions('pwd', args, 'LP');
    await shell.write(1, `${options.has('P') ? fs.realpathSync(shell.cwd) : shell.cwd}\n`);
    return 0;
  },
  pushd,
  popd,
  async dirs(shell, args) {
    const { options } = builtinOptions('dirs', args, 'clpv');
    if (options.has('c')) shell.folders = [];
    else await printFolders(shell, options);
    return 0;
  },
  async alias(shell, args) {
    let status = 0;
    const show = (name: string) => shell.write(1, `alias ${name}=${quoteSingle(shell.aliases.get(name)!)}\n`);
    const words = args.filter((word) => word !== '-p' && word !== '--');
    if (words.length === 0) for (const name of [...shell.aliases.keys()].sort()) await show(name);
    for (const word of words) {
      const at = word.indexOf('=');
      if (at > 0) shell.aliases.set(word.slice(0, at), word.slice(at + 1));
      else if (shell.aliases.has(word)) await show(word);
      else {
        await shell.complain(`alias: ${word}: not found`);
        status = 1;
      }
    }
    return status;
  },
  async unalias(shell, args) {
    const { options, rest } = builtinOptions('unalias', args, 'a');
    if (rest.length === 0 && !options.has('a')) throw new ShellError('unalias: usage: unalias [-a] name [name ...]', 2);
    if (options.has('a')) shell.aliases.clear();
    let status = 0;
    for (const name of rest) {
      if (shell.aliases.delete(name)) continue;
      await shell.complain(`unalias: ${name}: not found`);
      status = 1;
    }
    return status;
  },
  shopt,
};

// The tests of `test`, `[` and `[[`.
import fs from 'node:fs';
import path from 'node:path';
import { ShellError } from '../execute/control';
import { descriptorOfPath } from '../execute/redirect';
import { compareNames } from '../expand/glob';
import { elementOf, lookup } from '../expand/scope';
import type { OPTION_LETTERS, Shell } from '../state';

/** Unary tests. Throws ShellError for an unknown operator. */
export function fileTest(shell: Shell, operator: string, operand: string): boolean {
  switch (operator) {
    case '-z':
      return operand === '';
    case '-n':
      return operand !== '';
    case '-v': {
      const element = elementOf(shell, operand);
      return lookup(shell, element ? element.name : operand, element?.key).set;
    }
    case '-R':
      return shell.vars.own(operand)?.reference === true;
    case '-o':
      return shell.options[operand as (typeof OPTION_LETTERS)[number][1]] === true;
    case '-t':
      return shell.fds.get(Number(operand))?.isTerminal() ?? false;
  }
  const own = descriptorOfPath(operand);
  if (own !== undefined && operator === '-e') return shell.fds.has(own);
  const file = path.resolve(shell.cwd, operand);
  const follow = operator !== '-h' && operator !== '-L';
  const stat = operand === '' ? undefined : statOrUndefined(file, follow);
  switch (operator) {
    case '-a':
    case '-e':
      return stat !== undefined;
    case '-f':
      return stat?.isFile() ?? false;
    case '-d':
      return stat?.isDirectory() ?? false;
    case '-h':
    case '-L':
      return stat?.isSymbolicLink() ?? false;
    case '-p':
      return stat?.isFIFO() ?? false;
    case '-S':
      return stat?.isSocket() ?? false;
    case '-b':
      return stat?.isBlockDevice() ?? false;
    case '-c':
      return stat?.isCharacterDevice() ?? false;
    case '-s':
      return (stat?.size ?? 0) > 0;
    case '-r':
      return stat !== undefined && access(file, fs.constants.R_OK);
    case '-w':
      return stat !== undefined && access(file, fs.constants.W_OK);
    case '-x':
      return stat !== undefined && access(file, fs.constants.X_OK);
    case '-u':
      return ((stat?.mode ?? 0) & 0o4000) !== 0;
    case '-g':
      return ((stat?.mode ?? 0) & 0o2000) !== 0;
    case '-k':
      return ((stat?.mode ?? 0) & 0o1000) !== 0;
    case '-O':
      return stat !== undefined && stat.uid === (process.geteuid?.() ?? 0);
    case '-G':
      return stat !== undefined && stat.gid === (process.getegid?.() ?? 0);
    case '-N':
      return stat !== undefined && stat.mtimeMs > stat.atimeMs;
    default:
      throw new ShellError(`${operator}: unary operator expected`, 2);
  }
}

function statOrUndefined(file: string, follow: boolean): fs.Stats | undefined {
  try {
    return follow ? fs.statSync(file) : fs.lstatSync(file);
  } catch {
    return undefined;
  }
}

function access(file: string, mode: number): boolean {
  try {
    fs.accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}

/** Binary tests on expanded texts. */
export function textTest(shell: Shell, left: string, operator: string, right: string): boolean {
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return compareNames(left, right) < 0;
    case '>':
      return compareNames(left, right) > 0;
    case '-eq':
      return number(left) === number(right);
    case '-ne':
      return number(left) !== number(right);
    case '-lt':
      return number(left) < number(right);
    case '-le':
      return number(left) <= number(right);
    case '-gt':
      return number(left) > number(right);
    case '-ge':
      return number(left) >= number(right);
    case '-nt':
      return time(shell, left) > time(shell, right);
    case '-ot':
      return time(shell, left) < time(shell, right);
    case '-ef': {
      const [a, b] = [left, right].map((name) => statOrUndefined(path.resolve(shell.cwd, name), true));
      return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
    }
    default:
      throw new ShellError(`${operator}: binary operator expected`, 2);
  }
}

function time(shell: Shell, name: string): number {
  return statOrUndefined(path.resolve(shell.cwd, name), true)?.mtimeMs ?? -1;
}

function number(text: string): bigint {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw new ShellError(`${text}: integer expression expected`, 2);
  return BigInt(text.trim().replace(/^\+/, ''));
}

const UNARY = /^-[abcdefghknoprstuvwxzGLNORS]$/;
const BINARY = /^(=|==|!=|<|>|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** `test` and `[`: the value of an expression given as words. */
export function testWords(shell: Shell, words: string[]): boolean {
  let at = 0;
  const fail = (message: string): never => {
    throw new ShellError(message, 2);
  };
  const or = (): boolean => {
    let value = and();
    while (words[at] === '-o') {
      at++;
      const right = and();
      value = value || right;
    }
    return value;
  };
  const and = (): boolean => {
    let value = not();
    while (words[at] === '-a') {
      at++;
      const right = not();
      value = value && right;
    }
    return value;
  };
  const not = (): boolean => {
    if (words[at] === '!' && at + 1 < words.length) {
      at++;
      return !not();
    }
    return primary();
  };
  const primary = (): boolean => {
    const rest = words.length - at;
    if (rest === 0) return fail('argument expected');
    const word = words[at]!;
    if (rest >= 3 && BINARY.test(words[at + 1]!)) {
      at += 3;
      return textTest(shell, word, words[at - 2]!, words[at - 1]!);
    }
    if (word === '(' && rest > 1) {
      at++;
      const value = or();
      if (words[at] !== ')') fail("`)' expected");
      at++;
      return value;
    }
    if (rest >= 2 && UNARY.test(word)) {
      at += 2;
      return fileTest(shell, word, words[at - 1]!);
    }
    at++;
    return word !== '';
  };
  // POSIX decides by the number of words, so that operators can be operands.
  if (words.length === 0) return false;
  if (words.length === 1) return words[0] !== '';
  if (words.length === 2) {
    if (words[0] === '!') return words[1] === '';
    if (!UNARY.test(words[0]!)) fail(`${words[0]}: unary operator expected`);
    return fileTest(shell, words[0]!, words[1]!);
  }
  if (words.length === 3 && BINARY.test(words[1]!)) return textTest(shell, words[0]!, words[1]!, words[2]!);
  if (words.length === 3 && words[0] !== '!' && words[0] !== '(' && words[1] !== '-a' && words[1] !== '-o')
    fail(`${words[1]}: binary operator expected`);
  if (words.length === 4 && words[0] === '!') return !testWords(shell, words.slice(1));
  const value = or();
  if (at < words.length) fail('too many arguments');
  return value;
}

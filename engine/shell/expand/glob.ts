// Pathname expansion: a pattern against the file tree, one component at a time, in the order of bash (C locale).
import fs from 'node:fs';
import path from 'node:path';
import { hasMagic, patternRegex, unquotePattern } from './pattern';

/** The shell options that change pathname expansion. */
export interface GlobOptions {
  dotglob: boolean;
  globstar: boolean;
  nocaseglob: boolean;
  /** GLOBIGNORE: patterns with colons between them, whose matches are left out. */
  ignored?: string | undefined;
  /** Whether `.*` matches `.` and `..`. */
  dots?: boolean;
}

/** Names that the pattern matches, sorted; empty when there is none. Relative patterns start at `cwd`. */
export function glob(pattern: string, cwd: string, options: GlobOptions): string[] {
  if (options.ignored) {
    // It brings names with a dot, and takes `.` and `..` away.
    const ignored = ignorePatterns(options.ignored).map((one) => patternRegex(one, { path: true, dotglob: true }));
    return glob(pattern, cwd, { ...options, dotglob: true, dots: false, ignored: undefined }).filter(
      (name) => !ignored.some((regex) => regex.test(name)),
    );
  }
  const absolute = pattern.startsWith('/');
  const parts = splitPath(absolute ? pattern.slice(1) : pattern);
  let found = [absolute ? '/' : ''];
  for (const [position, part] of parts.entries()) {
    const last = position === parts.length - 1;
    found = found.flatMap((prefix) => step(prefix, part, last, cwd, options));
    if (found.length === 0) return [];
  }
  return [...new Set(found)].sort(compareNames);
}

/** Colons in brackets do not separate. */
function ignorePatterns(text: string): string[] {
  return text.match(/(?:\\[\s\S]|\[!?\]?(?:\[:\w+:\]|[^\]])*\]|[^:])+/g) ?? [];
}

/** bash sorts by the locale's collation; the engine's locale is C.UTF-8: by code point. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Slashes inside extended patterns and brackets do not separate; repeated ones stay with the component before. */
function splitPath(pattern: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === '(') depth++;
    else if (pattern[i] === ')') depth--;
    else if (pattern[i] === '/' && depth <= 0) {
      parts.push(pattern.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(pattern.slice(start));
  return parts;
}

function step(prefix: string, part: string, last: boolean, cwd: string, options: GlobOptions): string[] {
  const suffix = last ? '' : '/';
  if (part === '') return last && !isDirectory(prefix, cwd) ? [] : [prefix + (last ? '' : '/')];
  if (part === '**' && options.globstar) {
    const folders = walk(prefix, cwd, options, !last);
    return last
      ? folders.filter((name) => name !== '')
      : folders.map((name) => (name === '' || name.endsWith('/') ? name : `${name}/`));
  }
  if (!hasMagic(part)) {
    const name = prefix + unquotePattern(part);
    return exists(name, cwd) && (last || isDirectory(name, cwd)) ? [name + suffix] : [];
  }
  const regex = patternRegex(part, { path: true, dotglob: options.dotglob, ignoreCase: options.nocaseglob });
  const names: string[] = [];
  for (const entry of list(prefix, cwd)) {
    if (!regex.test(entry.name)) continue;
    if (last || entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(prefix + entry.name, cwd)))
      names.push(prefix + entry.name + suffix);
  }
  if (/^\\?\./.test(part))
    for (const dots of ['.', '..'])
      if (regex.test(dots) && (options.dots || dots === unquotePattern(part))) names.push(prefix + dots + suffix);
  return names;
}

/** `**`: everything below, not through symbolic links. */
function walk(prefix: string, cwd: string, options: GlobOptions, foldersOnly: boolean): string[] {
  const result = [prefix];
  for (const entry of list(prefix, cwd)) {
    if (entry.name.startsWith('.') && !options.dotglob) continue;
    const name = prefix + entry.name;
    if (entry.isDirectory()) {
      const below = walk(`${name}/`, cwd, options, foldersOnly);
      result.push(name, ...below.slice(1));
    } else if (!foldersOnly) result.push(name);
  }
  return result;
}

function list(prefix: string, cwd: string): fs.Dirent[] {
  try {
    return fs.readdirSync(path.resolve(cwd, prefix || '.'), { withFileTypes: true });
  } catch {
    return [];
  }
}

function exists(name: string, cwd: string): boolean {
  return fs.lstatSync(path.resolve(cwd, name), { throwIfNoEntry: false }) !== undefined;
}

function isDirectory(name: string, cwd: string): boolean {
  try {
    return fs.statSync(path.resolve(cwd, name || '.')).isDirectory();
  } catch {
    return false;
  }
}

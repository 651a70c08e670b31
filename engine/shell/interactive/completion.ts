// Candidates for Tab: commands, variables, paths, the scripts and commands of npm.
import fs from 'node:fs';
import path from 'node:path';
import { APPLETS } from '../applets/applets';
import { patternRegex } from '../expand/pattern';
import type { Shell } from '../state';
import type { Completions, Match } from './apply-completion';

const KEYWORDS = 'if then else elif fi for while until do done case esac function select time'.split(' ');
const NPM =
  'audit ci create exec explain init install link list ls outdated pack prune publish run search start stop test uninstall update version view'.split(
    ' ',
  );
const STARTS_COMMAND =
  /(?:^|[;&|({!`]|\b(?:if|then|elif|else|while|until|do|time|sudo|xargs|exec|command|nohup|env))\s*$/;
const QUOTED_CHARACTERS = /[\s'"\\$`&|;<>()*?[\]{}!#~=,:]/g;

/** Candidates for the end of `line`, which is the text before the cursor. */
export function complete(shell: Shell, line: string): Completions {
  const { word, before, command } = lastWord(line);
  const variable = word.startsWith("'") ? undefined : /(?<!\\)\$(\{?)(\w*)$/.exec(word);
  if (variable) {
    const [replaced, brace, name] = variable as unknown as [string, string, string];
    return {
      replaced,
      matches: shell.vars
        .names()
        .filter((known) => known.startsWith(name))
        .sort()
        .map((known) => ({
          text: `$${brace}${known}${brace && '}'}`,
          label: `$${brace}${known}${brace && '}'}`,
          suffix: word.startsWith('"') ? '" ' : ' ',
        })),
    };
  }
  const words = command.trim().split(/\s+/);
  const plain = (names: Iterable<string>): Completions => ({
    replaced: word,
    matches: [...names]
      .filter((name) => name.startsWith(word))
      .map((name) => ({ text: name, label: name, suffix: ' ' })),
  });
  if (/^(npm|pnpm|yarn)$/.test(words[0]!)) {
    const isRun = /^(run|run-script)$/.test(words[1] ?? '') && words.length === 2;
    if (isRun) return plain(scripts(shell));
    if (words.length === 1) return plain(words[0] === 'npm' ? NPM : new Set([...NPM, ...scripts(shell)]));
  }
  if (words[0] === 'node' && words.at(-1) === '--run') return plain(scripts(shell));
  const isFirst = STARTS_COMMAND.test(before) && !/[<>]\s*$/.test(before);
  if (isFirst && !word.includes('/') && !/^["'~.]/.test(word)) return plain(commands(shell, word));
  const kind = isFirst ? 'executables' : /^(cd|pushd|rmdir)$/.test(words[0]!) ? 'folders' : 'all';
  const matches = paths(shell, word, kind);
  const part = word.slice(word.lastIndexOf(':') + 1);
  // PATH=/a:/b: what stands after a colon may be a path of its own.
  if (matches.length === 0 && part !== word && !/^["']/.test(word))
    return { replaced: part, matches: paths(shell, part, kind) };
  return { replaced: word, matches, isPattern: isPattern(word) };
}

function isPattern(word: string): boolean {
  return !/^["']/.test(word) && /(?<!\\)[*?[]/.test(word.slice(word.lastIndexOf('/') + 1));
}

/** The word before the cursor with its quotes and backslashes, what stands before it, and the same from the start of its command. */
function lastWord(line: string): { word: string; before: string; command: string } {
  let start = 0;
  let command = 0;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!;
    if (quote) {
      if (character === '\\' && quote === '"') i++;
      else if (character === quote) quote = '';
    } else if (character === '\\') i++;
    else if (character === '"' || character === "'") quote = character;
    else if (/[\s;&|<>()=`]/.test(character)) {
      start = i + 1;
      if (/[;&|(\n`]/.test(character)) command = i + 1;
    }
  }
  return { word: line.slice(start), before: line.slice(0, start), command: line.slice(command, start) };
}

function commands(shell: Shell, prefix: string): string[] {
  const names = new Set([...KEYWORDS, ...shell.builtinNames, ...shell.functions.keys(), ...shell.aliases.keys()]);
  if (shell.os.appletsFirst) for (const name of Object.keys(APPLETS)) names.add(name);
  for (const folder of (shell.vars.get('PATH') ?? '').split(':')) {
    const place = path.resolve(shell.cwd, folder);
    for (const entry of entriesOf(place))
      if (entry.name.startsWith(prefix) && isExecutable(path.join(place, entry.name))) names.add(entry.name);
  }
  return [...names].sort();
}

/** The names of the scripts in the nearest package.json. */
function scripts(shell: Shell): string[] {
  for (let folder = shell.cwd; ; folder = path.dirname(folder)) {
    try {
      const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
        scripts?: Record<string, string>;
      };
      return Object.keys(manifest.scripts ?? {});
    } catch {
      if (folder === '/') return [];
    }
  }
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that is typed, or of PATH, need not exist.
    return [];
  }
}

function isFolder(place: string, entry: fs.Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return fs.statSync(path.join(place, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isExecutable(file: string): boolean {
  return ((fs.statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
}

function paths(shell: Shell, word: string, kind: 'all' | 'folders' | 'executables'): Match[] {
  const quote = /^["']/.exec(word)?.[0] ?? '';
  const plain = quote ? word.slice(1) : word.replace(/\\([\s\S])/g, '$1');
  const folder = plain.slice(0, plain.lastIndexOf('/') + 1);
  const prefix = plain.slice(folder.length);
  const rawFolder = word.slice(0, word.lastIndexOf('/') + 1) || quote;
  const home = shell.vars.get('HOME') ?? shell.home();
  const withVariables = (text: string): string =>
    quote === "'"
      ? text
      : text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (_, name, braced) => shell.vars.get(name ?? braced) ?? '');
  const place = path.resolve(shell.cwd, withVariables(quote ? folder : folder.replace(/^~(?=\/)/, home)) || '.');
  const escape = (text: string): string => {
    if (quote === "'") return text;
    if (quote) return text.replace(/["\\$`]/g, '\\$&');
    return text.replace(QUOTED_CHARACTERS, (character, at: number) =>
      (character === '~' && (at > 0 || text.startsWith('~/'))) || /[,=:]/.test(character)
        ? character
        : `\\${character}`,
    );
  };
  const pattern = isPattern(word) ? patternRegex(prefix) : undefined;
  return entriesOf(place)
    .filter((entry) =>
      pattern ? pattern.test(entry.name) && !entry.name.startsWith('.') : entry.name.startsWith(prefix),
    )
    .map((entry) => ({ name: entry.name, isFolder: isFolder(place, entry) }))
    .filter(
      ({ name, isFolder }) =>
        isFolder || (kind === 'all' ? true : kind === 'executables' && isExecutable(path.join(place, name))),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, isFolder }) => ({
      text: rawFolder + escape(name) + (isFolder ? '/' : ''),
      label: name + (isFolder ? '/' : ''),
      suffix: isFolder ? '' : `${quote} `,
    }));
}

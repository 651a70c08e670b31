// Completion of commands, variables, paths, and the scripts of `npm run`.
import fs from 'node:fs';
import path from 'node:path';
import { APPLETS, isApplet } from '../applets/applets';
import type { Shell } from '../state';

const KEYWORDS = [
  'if',
  'then',
  'else',
  'fi',
  'for',
  'while',
  'until',
  'do',
  'done',
  'case',
  'esac',
  'function',
  'select',
  'time',
];

/** Candidates, and the end of the line that they replace. */
export function complete(shell: Shell, line: string): [string[], string] {
  const word = lastWord(line);
  const before = line.slice(0, line.length - word.length);
  const variable = word.match(/\$\{?(\w*)$/);
  if (variable) {
    const brace = variable[0].startsWith('${');
    const names = shell.vars.names().filter((name) => name.startsWith(variable[1]!));
    return [names.map((name) => (brace ? `\${${name}}` : `$${name}`)), variable[0]];
  }
  const script = before.match(/(?:^|[;&|]\s*)npm (?:run|run-script)\s+$/) ? scripts(shell) : undefined;
  if (script) return [script.filter((name) => name.startsWith(word)).map((name) => `${name} `), word];
  const first = /(^|[;&|(]|\b(?:then|do|else|time|sudo|xargs|exec|command)\b)\s*$/.test(before);
  if (first && !word.includes('/')) return [commands(shell, word).map((name) => `${name} `), word];
  return [paths(shell, word, first), word];
}

/** The word before the cursor, quotes and backslashes included. */
function lastWord(line: string): string {
  let start = 0;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!;
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '\\') i++;
    else if (character === '"' || character === "'") quote = character;
    else if (/[\s;&|<>()=]/.test(character)) start = i + 1;
  }
  return line.slice(start);
}

function commands(shell: Shell, prefix: string): string[] {
  const names = new Set([...KEYWORDS, ...shell.builtinNames, ...shell.functions.keys(), ...shell.aliases.keys()]);
  if (shell.os.appletsFirst) for (const name of Object.keys(APPLETS)) names.add(name);
  for (const folder of (shell.vars.get('PATH') ?? '').split(':')) {
    try {
      for (const name of fs.readdirSync(path.resolve(shell.cwd, folder))) names.add(name);
    } catch {
      // A folder of PATH need not exist.
    }
  }
  return [...names].filter((name) => name.startsWith(prefix) && (prefix !== '' || !isApplet(name))).sort();
}

function scripts(shell: Shell): string[] | undefined {
  try {
    const manifest = JSON.parse(fs.readFileSync(path.join(shell.cwd, 'package.json'), 'utf8')) as {
      scripts?: Record<string, string>;
    };
    return Object.keys(manifest.scripts ?? {});
  } catch {
    return undefined;
  }
}

function paths(shell: Shell, word: string, executables: boolean): string[] {
  const quote = /^["']/.test(word) ? word[0]! : '';
  const plain = quote ? word.slice(1) : word.replace(/\\([\s\S])/g, '$1');
  const slash = plain.lastIndexOf('/');
  const folder = plain.slice(0, slash + 1);
  const prefix = plain.slice(slash + 1);
  const home = shell.vars.get('HOME') ?? shell.home();
  const place = path.resolve(shell.cwd, folder.replace(/^~(?=\/)/, home) || '.');
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(place, { withFileTypes: true });
  } catch {
    return [];
  }
  const escape = (text: string) => (quote ? quote + text : text.replace(/[\s'"\\$`&|;<>()*?[\]{}!#]/g, '\\$&'));
  return entries
    .filter((entry) => entry.name.startsWith(prefix) && (prefix.startsWith('.') || !entry.name.startsWith('.')))
    .map((entry) => ({
      name: entry.name,
      folder:
        entry.isDirectory() ||
        (entry.isSymbolicLink() &&
          (fs.statSync(path.join(place, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false)),
    }))
    .filter(
      (entry) =>
        !executables ||
        entry.folder ||
        (fs.statSync(path.join(place, entry.name), { throwIfNoEntry: false })?.mode ?? 0) & 0o111,
    )
    .map((entry) => `${escape(folder + entry.name)}${entry.folder ? '/' : `${quote} `}`)
    .sort();
}

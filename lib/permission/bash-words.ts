// What the words of a shell command really are: quotes and backslashes removed, and an honest mark on everything only the shell will know.
import type { Word, WordPart } from 'unbash';
import { byName } from '../std/by-name';
import { secretSamples } from '../std/secret-names';

/** `dynamic`: holds an expansion, a glob or braces, so `text` (the source) is not what the program will get. */
export interface ShellWord {
  text: string;
  dynamic: boolean;
}

/** Dequoted value of a word of the syntax tree. */
export function shellWord(word: Word): ShellWord {
  const dynamic = word.parts?.some(isDynamic) ?? false;
  return { text: word.value, dynamic };
}

function isDynamic(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return false;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.some(isDynamic);
    case 'Glob':
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return true;
  }
}

/** Can a word that only the shell knows be the name of a file with keys? Globs are read; everything else can be anything. */
export function couldBeSecret(text: string): boolean {
  if (/[$`{}()\\~[]/.test(text)) return true;
  const name = text.slice(text.lastIndexOf('/') + 1).replace(/['"]/g, '');
  const glob = new RegExp(
    `^${name
      .replace(/[.+^|\]]/g, '\\$&')
      .replace(/\*+/g, '.*')
      .replaceAll('?', '.')}$`,
    'i',
  );
  // A glob does not find a leading dot that it does not name.
  const samples = [...secretSamples, '.env', '.env.local'];
  return samples.some((sample) => (name.startsWith('.') || !sample.startsWith('.')) && glob.test(sample));
}

/** How many words name what a command does: `git push` is 2, `npm run build` 3. The longest entry wins, 1 for the rest. */
const namingWords: Record<string, number> = byName({
  git: 2,
  'git config': 3,
  'git remote': 3,
  'git stash': 3,
  'git worktree': 3,
  npm: 2,
  'npm run': 3,
  'npm exec': 3,
  'npm init': 3,
  'npm config': 3,
  npx: 2,
  pnpm: 2,
  'pnpm run': 3,
  'pnpm exec': 3,
  yarn: 2,
  'yarn run': 3,
  bun: 2,
  'bun run': 3,
  deno: 2,
  node: 2,
  python: 2,
  python3: 2,
  pip: 2,
  make: 2,
  cargo: 2,
  docker: 2,
  'docker compose': 3,
  gh: 3,
  kubectl: 2,
  bash: 2,
  sh: 2,
  source: 2,
  '.': 2,
});

/** The number of leading words that name the command. */
export function namingLength(words: readonly string[]): number {
  for (const length of [2, 1]) {
    const found = namingWords[words.slice(0, length).join(' ')];
    if (found !== undefined) return found;
  }
  return 1;
}

/** The program's name without its directory, when that directory is one where programs live. */
export function commandName(text: string): string {
  const installed = /(?:^|\/)node_modules\/\.bin\/([^/]+)$/.exec(text);
  if (installed !== null) return installed[1]!;
  if (!text.startsWith('/')) return text;
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return /^(usr\/)?(local\/)?s?bin\/[^/]+$/.test(parts.join('/')) ? parts.at(-1)! : text;
}

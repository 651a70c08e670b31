// The rules that Cloche ships with. Order matters: the last match wins, so a project's own rules come after these.
import { secretPatterns } from '../std/secret-names';
import type { Rule } from './rules';

const allow = (permission: string, ...patterns: string[]): Rule[] =>
  patterns.map((pattern) => ({ permission, pattern, effect: 'allow' }));
const ask = (permission: string, ...patterns: string[]): Rule[] =>
  patterns.map((pattern) => ({ permission, pattern, effect: 'ask' }));

/** Commands that only look. Where they write (`>`, `find -delete`) the write is judged by itself, as `edit`. */
const looking = [
  ...[
    'ls',
    'pwd',
    'cat',
    'head',
    'tail',
    'wc',
    'echo',
    'printf',
    'which',
    'type',
    'true',
    'false',
    'test',
    '[',
    'date',
  ],
  ...[
    'uniq',
    'cut',
    'tr',
    'diff',
    'cmp',
    'basename',
    'dirname',
    'realpath',
    'readlink',
    'stat',
    'du',
    'df',
    'tree',
    'nl',
  ],
  ...[
    'grep',
    'egrep',
    'fgrep',
    'find',
    'cd',
    'pushd',
    'popd',
    'sleep',
    'seq',
    'uname',
    'whoami',
    'hostname',
    'column',
    'rev',
  ],
].map((name) => `${name} *`);

/** Explicit, so that no mode and no *always* covers it. */
const secrets = [...ask('read', ...secretPatterns.asked), ...allow('read', ...secretPatterns.exceptions)];

const shippedRules: Rule[] = [
  ...ask('*', '*'),
  ...allow('read', '*'),
  ...secrets,
  // A program can do nothing but call tools, and each of its calls is judged by itself.
  ...allow('execute', '*'),
  ...allow('bash', ...looking, 'node --version', 'node -v', 'npm --version', 'npm -v', 'git --version'),
  ...allow(
    'bash',
    'git status *',
    'git diff',
    'git diff --stat',
    'git log',
    'git log --oneline *',
    'git branch',
    'npm ls *',
  ),
  ...allow('outside', '/tmp/*', '/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty'),
  ...allow('edit', '/tmp/*', '/dev/null', '/dev/stdout', '/dev/stderr'),
];

const modeRules: Record<'ask' | 'edits' | 'auto', Rule[]> = {
  ask: [],
  edits: [
    ...allow('edit', '*'),
    ...ask('edit', ...secretPatterns.asked),
    ...allow('edit', ...secretPatterns.exceptions),
  ],
  // Who lets the agent do everything still wants to hear when it runs in circles, and when keys would go to a model's provider.
  auto: [...allow('*', '*'), ...ask('doom_loop', '*'), ...secrets],
};

/** Denials for commands that the person never wants run: `npm publish` also stands for `npm publish --tag x`. */
export function bannedRules(commands: readonly string[]): Rule[] {
  return commands
    .map((command) => command.trim().replace(/\s+/g, ' '))
    .filter((command) => command !== '')
    .map((command) => ({
      permission: 'bash',
      pattern: command.endsWith('*') ? command : `${command} *`,
      effect: 'deny',
      reason: `The person has banned \`${command}\` in the settings. Don’t look for a way around it: go on without it, or say why it is needed.`,
    }));
}

/** The whole list for a mode: shipped, then the mode's, then `own` (the person's, which may deny in every mode). */
export function rulesFor(mode: 'ask' | 'edits' | 'auto', own: readonly Rule[] = []): Rule[] {
  return [...shippedRules, ...modeRules[mode], ...own];
}

// What `--help` and `--version` of an applet print. The list of options is the one that the applet parses by, so that it is true.

/** Thrown where an applet parses its options: it was asked to tell about itself. */
export class SelfDescription {
  readonly kind: 'help' | 'version';
  readonly short: string;
  readonly long: Readonly<Record<string, string>>;
  constructor(kind: 'help' | 'version', short = '', long: Readonly<Record<string, string>> = {}) {
    this.kind = kind;
    this.short = short;
    this.long = long;
  }
}

/** Applets that read their words by no table of options. */
const OWN_WAYS = new Set([
  'find',
  'sort',
  'stty',
  'tput',
  'reset',
  'expr',
  'jq',
  'clear',
  'sync',
  'uptime',
  'whoami',
  'yes',
]);

/** Whether these arguments ask an applet without a table of options to tell about itself. */
export function asksItself(program: string, args: readonly string[]): SelfDescription | undefined {
  const [only] = args;
  if (args.length !== 1 || !OWN_WAYS.has(program) || (only !== '--help' && only !== '--version')) return undefined;
  return new SelfDescription(only === '--help' ? 'help' : 'version');
}

/** Whose tool it is that an applet behaves as; the rest are GNU's. */
const MAKERS: Record<string, string> = {
  ps: 'procps-ng',
  kill: 'procps-ng',
  pgrep: 'procps-ng',
  pkill: 'procps-ng',
  free: 'procps-ng',
  uptime: 'procps-ng',
  watch: 'procps-ng',
  killall: 'psmisc',
  column: 'util-linux',
  rev: 'util-linux',
  more: 'util-linux',
  setsid: 'util-linux',
  hexdump: 'bsdextrautils',
  hd: 'bsdextrautils',
  getopt: 'util-linux',
  clear: 'ncurses',
  tput: 'ncurses',
  reset: 'ncurses',
  which: 'debianutils',
  file: 'the Fine Free file command',
  xxd: 'Vim',
  tree: 'tree',
  zip: 'Info-ZIP',
  unzip: 'Info-ZIP',
  curl: 'curl',
  jq: 'jq',
  rg: 'ripgrep',
  hostname: 'net-tools',
};

/** The text to print on the standard output. `name` is what the applet was called by. */
export function describeApplet(name: string, { kind, short, long }: SelfDescription): string {
  const program = name.replace(/^.*\//, '');
  const maker = MAKERS[program];
  if (kind === 'version')
    return `${program} (Cloche) behaves as ${maker === program ? program : maker ? `the ${program} of ${maker.replace(/^the /, '')}` : `GNU ${program}`}\n`;
  const rows = new Map<string, string[]>();
  const valueOf = new Map<string, string>();
  for (const [, letter, mark] of short.matchAll(/([^:?])([:?]?)/g)) {
    rows.set(letter!, [`-${letter}`]);
    valueOf.set(letter!, mark === ':' ? 'VALUE' : mark === '?' ? '[VALUE]' : '');
  }
  for (const [key, target] of Object.entries(long)) {
    const isOptional = key.endsWith('=?');
    if (!rows.has(target)) rows.set(target, []);
    const row = rows.get(target)!;
    row.push(`--${key.replace(/=\??$/, '')}${isOptional ? '[=VALUE]' : key.endsWith('=') ? '=VALUE' : ''}`);
  }
  const lines = [...rows].map(([target, names]) => {
    const value = names.length === 1 && names[0]!.length === 2 && valueOf.get(target) ? ` ${valueOf.get(target)}` : '';
    return `  ${names[0]!.startsWith('--') ? '    ' : ''}${names.join(', ')}${value}\n`;
  });
  const list = lines.length > 0 ? `\nThe options that ${program} takes here:\n${lines.join('')}` : '\n';
  return `Usage: ${name} [OPTION]... [ARGUMENT]...${list}      --help\n      --version\n`;
}

// Options that cannot be kept here. One that promises something (a file, a guard, another language) is refused by name, as going on without it
// would be a lie; one that only tunes V8 or OpenSSL is told of in one line and the program runs. And what node itself says of wrong values.

const NO_PROFILE = 'a browser gives a program no profile of itself';
const NO_REPORT = 'diagnostic reports are not available in this sandbox';
const NO_SNAPSHOT = 'start-up snapshots are not available in this sandbox';
const NO_INSPECTOR = "there is no inspector in this sandbox; use the browser's own debugger";
const NO_TRACE = 'this trace is not available in this sandbox';
const NO_CONFIGURATION = 'configuration files of node are not read in this sandbox';
const NO_FIPS =
  'FIPS mode requires an active OpenSSL provider named "fips". FIPS mode is configured through OpenSSL; see https://nodejs.org/api/crypto.html#fips-mode';

const REFUSED: Record<string, string> = {
  '--permission': 'the permission model is not available in this sandbox',
  '--permission-audit': 'the permission model is not available in this sandbox',
  '--disallow-code-generation-from-strings': 'eval cannot be turned off in this sandbox',
  '--frozen-intrinsics': 'intrinsics cannot be frozen in this sandbox',
  '--experimental-shadow-realm': 'ShadowRealm is not available in a browser',
  '--harmony-shadow-realm': 'ShadowRealm is not available in a browser',
  '--experimental-webstorage': 'web storage is not available in this sandbox',
  '--experimental-test-coverage': NO_PROFILE,
  '--experimental-config-file': NO_CONFIGURATION,
  '--experimental-default-config-file': NO_CONFIGURATION,
  '--inspect': NO_INSPECTOR,
  '--inspect-brk': NO_INSPECTOR,
  '--inspect-brk-node': NO_INSPECTOR,
  '--inspect-wait': NO_INSPECTOR,
  '--cpu-prof': NO_PROFILE,
  '--heap-prof': NO_PROFILE,
  '--prof': NO_PROFILE,
  '--prof-process': NO_PROFILE,
  '--perf-prof': NO_PROFILE,
  '--perf-basic-prof': NO_PROFILE,
  '--perf-basic-prof-only-functions': NO_PROFILE,
  '--heapsnapshot-signal': NO_PROFILE,
  '--heapsnapshot-near-heap-limit': NO_PROFILE,
  '--report-uncaught-exception': NO_REPORT,
  '--report-on-signal': NO_REPORT,
  '--report-on-fatalerror': NO_REPORT,
  '--build-snapshot': NO_SNAPSHOT,
  '--build-snapshot-config': NO_SNAPSHOT,
  '--snapshot-blob': NO_SNAPSHOT,
  '--experimental-sea-config': 'single executables cannot be made in this sandbox',
  '--trace-event-categories': NO_TRACE,
  '--trace-exit': NO_TRACE,
  '--trace-sync-io': NO_TRACE,
  '--trace-promises': NO_TRACE,
  '--trace-env': NO_TRACE,
  '--trace-env-js-stack': NO_TRACE,
  '--trace-env-native-stack': NO_TRACE,
  '--trace-sigint': NO_TRACE,
  '--trace-tls': NO_TRACE,
  '--tls-keylog': NO_TRACE,
  '--enable-fips': NO_FIPS,
  '--force-fips': NO_FIPS,
  '--v8-options': 'the options of V8 are the browser’s, and it takes none from a page',
};

const OWN_HEAP = 'the browser decides the size of the heap';
const OWN_COMPILER = 'the browser decides how code is compiled';
const OWN_CRYPTO = 'there is no OpenSSL in this sandbox';
const OWN_TLS = "connections to other hosts are encrypted by this sandbox's gateway, which decides how";

const WITHOUT_EFFECT: Record<string, string> = {
  '--max-old-space-size': OWN_HEAP,
  '--max-old-space-size-percentage': OWN_HEAP,
  '--max-semi-space-size': OWN_HEAP,
  '--max-heap-size': OWN_HEAP,
  '--v8-pool-size': OWN_COMPILER,
  '--jitless': OWN_COMPILER,
  '--interpreted-frames-native-stack': OWN_COMPILER,
  '--expose-gc': 'nobody can make a browser collect garbage, so there is no gc()',
  '--track-heap-objects': 'a browser gives no heap snapshots',
  '--openssl-config': OWN_CRYPTO,
  '--openssl-shared-config': OWN_CRYPTO,
  '--secure-heap': OWN_CRYPTO,
  '--secure-heap-min': OWN_CRYPTO,
  '--icu-data-dir': "Intl's data are the browser's",
  '--use-openssl-ca': OWN_TLS,
  '--use-system-ca': OWN_TLS,
};

/** Why node must not start with `option`, or undefined. */
export function refusal(option: string): string | undefined {
  return Object.hasOwn(REFUSED, option) ? REFUSED[option] : undefined;
}

/** What to say of an option that changes nothing here, or undefined. */
export function withoutEffect(option: string): string | undefined {
  return Object.hasOwn(WITHOUT_EFFECT, option)
    ? `${option} has no effect in this sandbox: ${WITHOUT_EFFECT[option]}`
    : undefined;
}

const ONE_OF: Record<string, readonly string[]> = {
  '--unhandled-rejections': ['warn-with-error-code', 'throw', 'strict', 'warn', 'none'],
  '--trace-require-module': ['all', 'no-node-modules', 'true', 'false', ''],
  '--use-largepages': ['off', 'on', 'silent'],
};
const INPUT_TYPES = ['commonjs', 'module', 'commonjs-typescript', 'module-typescript'];

/** What node::PerProcessOptions::CheckOptions and those below it say of values that are wrong or contradict each other; undefined when nothing. */
export function valueProblem(options: Readonly<Record<string, unknown>>): string | undefined {
  const text = (name: string): string | undefined =>
    typeof options[name] === 'string' ? (options[name] as string) : undefined;
  for (const [name, values] of Object.entries(ONE_OF)) {
    const value = text(name);
    if (value !== undefined && !values.includes(value)) return `invalid value for ${name}`;
  }
  if (options['--debug'] || options['--debug-brk'])
    return '[DEP0062]: `node --debug` and `node --debug-brk` are invalid. Please use `node --inspect` and `node --inspect-brk` instead.';
  const isolation = text('--test-isolation');
  if (options['--test'] && isolation !== undefined && !['none', 'process'].includes(isolation))
    return 'invalid value for --test-isolation';
  const inputType = text('--input-type');
  if (inputType !== undefined && inputType !== '' && !INPUT_TYPES.includes(inputType))
    return '--input-type must be "module","commonjs", "module-typescript" or "commonjs-typescript"';
  const heap = text('--max-old-space-size-percentage');
  if (heap !== undefined && !(Number.parseFloat(heap) > 0 && Number.parseFloat(heap) <= 100))
    return `--max-old-space-size-percentage must be greater than 0 and up to 100. Got: ${heap}`;
  const proto = text('--disable-proto');
  if (proto !== undefined && !['delete', 'throw', ''].includes(proto)) return 'invalid mode passed to --disable-proto';
  for (const name of ['--secure-heap', '--secure-heap-min']) {
    const bytes = options[name];
    if (typeof bytes === 'number' && bytes > 0 && (bytes & (bytes - 1)) !== 0) return `${name} must be a power of 2`;
  }
  const contradictions = [
    ['--check', '--eval'],
    ['--test', '--check'],
    ['--test', '--eval'],
    ['--test', '--interactive'],
    ['--watch', '--check'],
    ['--watch', '--eval'],
    ['--watch', '--interactive'],
    ['--watch', '--test-force-exit'],
    ['--tls-min-v1.3', '--tls-max-v1.2'],
    ['--use-openssl-ca', '--use-bundled-ca'],
  ];
  for (const [one, other] of contradictions) {
    const has = (name: string) => options[name] !== undefined && options[name] !== false;
    if (has(one) && has(other)) return `either ${one} or ${other} can be used, not both`;
  }
  for (const profile of ['--cpu-prof', '--heap-prof'])
    for (const detail of ['name', 'dir', 'interval'])
      if (options[`${profile}-${detail}`] !== undefined && !options[profile])
        return `${profile}-${detail} must be used with ${profile}`;
  if (options['--watch-path'] !== undefined && options['--test'])
    return '--watch-path cannot be used in combination with --test';
  return undefined;
}

/** The script that `--completion-bash` prints: node::options_parser::GetBashCompletion. */
export function bashCompletion(names: readonly string[]): string {
  return `_node_complete() {
  local cur_word options
  cur_word="\${COMP_WORDS[COMP_CWORD]}"
  if [[ "\${cur_word}" == -* ]] ; then
    COMPREPLY=( $(compgen -W '${names.join(' ')}' -- "\${cur_word}") )
    return 0
  else
    COMPREPLY=( $(compgen -f "\${cur_word}") )
    return 0
  fi
}
complete -o filenames -o nospace -o bashdefault -F _node_complete node node_g`;
}

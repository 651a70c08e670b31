// Writes Node's own lib and what its bindings look like to engine/generated/. Runs under the pinned Node with --expose-internals,
// because only the binary itself carries the exact sources, constants, option tables and binding shapes of its version.
const fs: typeof import('node:fs') = require('node:fs');
const path: typeof import('node:path') = require('node:path');
const { types }: typeof import('node:util') = require('node:util');
const vm: typeof import('node:vm') = require('node:vm');
const { internalBinding } = require('internal/test/binding');

const outDir = process.argv[2];

/** Bindings whose constants and shapes are dumped; the ones that a build of Node lacks are skipped. */
const DUMPED =
  `async_context_frame async_wrap blob block_list buffer cares_wrap cjs_lexer config constants contextify credentials crypto
diagnostics_channel encoding_binding encoding_methods errors fs fs_dir fs_event_wrap heap_utils http2 http_parser icu inspector ipc_serdes internal_only_v8
js_stream js_udp_wrap locks messaging mksnapshot module_wrap modules options os performance permission pipe_wrap process_methods process_wrap
profiler quic report sea serdes signal_wrap spawn_sync sqlite stream_pipe stream_wrap string_decoder symbols task_queue tcp_wrap timers tls_wrap
trace_events tty_wrap types udp_wrap url url_pattern util uv v8 wasi wasm_web_api watchdog worker zlib`.split(/\s+/);

/**
 * JSON with tags for what JSON lacks: `$num` NaN and infinities, `$undef`, `$big` bigint, `$sym` symbol, `$fn` function or class,
 * `$ta` typed array, `$map`, `$set`, `$np` null prototype. engine/process/dump.ts reads it.
 */
function serialise(value: unknown, depth = 0): unknown {
  if (value === null || ['number', 'string', 'boolean'].includes(typeof value)) {
    return Number.isNaN(value) || value === Infinity || value === -Infinity ? { $num: String(value) } : value;
  }
  if (value === undefined) return { $undef: 1 };
  if (typeof value === 'bigint') return { $big: String(value) };
  if (typeof value === 'symbol') return { $sym: value.description };
  if (typeof value === 'function') {
    const prototype = value.prototype
      ? Object.getOwnPropertyNames(value.prototype).filter((key) => key !== 'constructor')
      : undefined;
    const statics: Record<string, unknown> = {};
    for (const key of Object.getOwnPropertyNames(value)) {
      if (['length', 'name', 'prototype', 'arguments', 'caller'].includes(key)) continue;
      const member = (value as any)[key];
      if (['number', 'string', 'boolean'].includes(typeof member)) statics[key] = member;
    }
    return { $fn: value.name, length: value.length, prototype, statics };
  }
  if (ArrayBuffer.isView(value)) {
    return {
      $ta: value.constructor.name,
      items: Array.from(value as any, (item: any) => (typeof item === 'bigint' ? Number(item) : item)),
    };
  }
  if (types.isMap(value)) {
    return { $map: [...Map.prototype.entries.call(value)].map(([key, item]) => [serialise(key), serialise(item)]) };
  }
  if (types.isSet(value)) return { $set: [...Set.prototype.values.call(value)].map((item) => serialise(item)) };
  if (depth > 6) return {};
  if (Array.isArray(value)) return value.map((item) => serialise(item, depth + 1));
  const out: Record<string, unknown> = {};
  for (const key of Object.getOwnPropertyNames(value)) out[key] = serialise((value as any)[key], depth + 1);
  if (Object.getPrototypeOf(value) === null) out.$np = 1;
  return out;
}

const { natives, builtinIds, config } = internalBinding('builtins');
const bindings: Record<string, unknown> = {};
for (const name of DUMPED) {
  let binding: unknown;
  try {
    binding = internalBinding(name);
  } catch {
    continue;
  }
  bindings[name] = serialise(binding);
}
/** Constants that nobody can change are marked so, with the names that are not listed. */
for (const name of ['http2', 'performance']) {
  const { constants } = internalBinding(name);
  (bindings[name] as any).constants.$locked = Object.getOwnPropertyNames(constants).filter(
    (key) => !Object.prototype.propertyIsEnumerable.call(constants, key),
  );
}
/** The names that each object of the language has in this V8, by its path, separated by spaces: browsers have newer ones. */
function intrinsicNames(): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: string, object: any): void => {
    const names = Object.getOwnPropertyNames(object);
    found[path] = names.join(' ');
    for (const name of names) {
      const value = Object.getOwnPropertyDescriptor(object, name)?.value;
      const isPlace = name === 'prototype' || (/^(?:Intl|WebAssembly)$/.test(path) && /^[A-Z]/.test(name));
      if (isPlace && value !== null && /^(?:object|function)$/.test(typeof value)) visit(`${path}.${name}`, value);
    }
  };
  for (const name of vm.runInNewContext('Object.getOwnPropertyNames(globalThis)')) {
    const value = (globalThis as any)[name];
    if (name !== 'globalThis' && name !== 'console' && /^(?:object|function)$/.test(typeof value)) visit(name, value);
  }
  return found;
}

/** Options that a thread cannot have of its own: made with one of them, a thread says so before it starts. */
function perProcessOptions(): string[] {
  const { Worker } = internalBinding('worker');
  const { types: type } = options;
  return [...options.getCLIOptionsInfo().options].flatMap(([name, { type: kind }]: any) => {
    const takesValue = kind !== type.kNoOp && kind !== type.kBoolean && kind !== type.kV8Option;
    const word = takesValue ? `${name}=${kind === type.kString || kind === type.kStringList ? 'x' : '0'}` : name;
    const thread = new Worker(null, null, [word], new Float64Array(4), true, false, '');
    return thread.invalidExecArgv?.[0] === word ? [name] : [];
  });
}

/** Libraries of Node's C++ that nothing here stands for: they are not named. Of the others the version is that whose interface is kept. */
const ABSENT = /^(?:ada|ares|merve|nbytes|ncrypto|nghttp2|nghttp3|ngtcp2|simdjson|simdutf|uvwasi|zstd)$/;
const options = internalBinding('options');
const util = internalBinding('util');
const dump = {
  version: process.version,
  versions: {
    ...Object.fromEntries(Object.entries(process.versions).filter(([name]) => !ABSENT.test(name))),
    sqlite: require('@sqlite.org/sqlite-wasm/package.json').version.replace(/-build\d+$/, ''),
  },
  intrinsics: intrinsicNames(),
  release: { ...process.release },
  features: Object.fromEntries(
    Object.entries(Object.getOwnPropertyDescriptors(process.features)).map(([key, d]: any) => [
      key,
      d.value ?? d.get?.(),
    ]),
  ),
  bindings,
  builtinIds,
  config,
  errorMap: serialise(internalBinding('uv').getErrorMap()),
  cliOptions: {
    ...(serialise(options.getCLIOptionsValues()) as object),
    '--expose-internals': false,
    // As build.ts runs this script.
    '--warnings': true,
    '--no-warnings': false,
    '--no-expose-internals': true,
  },
  cliOptionsInfo: serialise(options.getCLIOptionsInfo()),
  perProcessOptions: perProcessOptions(),
  embedderOptions: serialise(options.getEmbedderOptions()),
  envOptionsInputType: serialise(options.getEnvOptionsInputType?.()),
  privateSymbols: Object.fromEntries(
    Object.getOwnPropertyNames(util.privateSymbols).map((key) => [key, util.privateSymbols[key].description]),
  ),
};

/** What an ordinary program loads: these sources are shipped together, the rest is fetched on first use. */
const isLarge = (id: string): boolean => /^internal\/deps\/(undici|amaro|acorn|minimatch)/.test(id);
const { execFileSync } = require('node:child_process') as typeof import('node:child_process');
const loaded = execFileSync(
  process.execPath,
  [
    '--expose-internals',
    '--input-type=module',
    '-e',
    `import 'node:fs'; import 'node:child_process'; import 'node:http'; import 'node:https'; import 'node:readline/promises'; import 'node:zlib'; import 'node:crypto'; import 'node:fs/promises'; import 'node:timers/promises'; import 'node:stream/promises'; import 'node:assert'; import 'node:worker_threads'; import 'node:async_hooks'; import 'node:perf_hooks'; import 'node:tty'; import 'node:vm'; import 'node:util'; import 'node:v8';
  process.stdout; process.stderr; process.stdin; process.on('SIGINT', () => {}); setTimeout(() => {}, 1); structuredClone({}); new URL('a:b'); new Blob([]); performance.now();
  console.log(JSON.stringify(process.moduleLoadList.filter((x) => x.startsWith('NativeModule ')).map((x) => x.slice(13)))); process.exit()`,
  ],
  { encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] },
);
const loadedIds = new Set<string>(JSON.parse(loaded));
const always = /^internal\/(bootstrap|per_context|main|process|modules|streams|errors)/;
/** What any program loads before its first line: a worker in the pool loads it ahead of time. */
const atStart: string[] = JSON.parse(
  execFileSync(
    process.execPath,
    [
      '-e',
      "console.error(1); process.stdin; console.log(JSON.stringify(process.moduleLoadList.filter((x) => x.startsWith('NativeModule ')).map((x) => x.slice(13))))",
    ],
    {
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  ),
);
// Not what looks at the standard streams while it loads: a worker in the pool has none yet. And not what stream
// loads while it loads stream itself: the list names what was ready first, and stream must begin.
const preload = atStart.filter(
  (id) =>
    !/^internal\/(?:bootstrap|per_context|main)\/|^internal\/util\/colors$|^stream\/promises$|^internal\/streams\/duplexpair$/.test(
      id,
    ),
);

const coreIds = builtinIds.filter(
  (id: string) =>
    natives[id] !== undefined && (preload.includes(id) || (!isLarge(id) && (loadedIds.has(id) || always.test(id)))),
);

/** What a worker loads until it is ready, and then for a shell's first prompt or a program's first line. */
const start = coreIds.filter(
  (id: string) =>
    atStart.includes(id) ||
    /^internal\/(?:per_context|bootstrap)\/|^internal\/main\/run_main_module$|^(?:tty|os|internal\/tty)$/.test(id),
);

fs.mkdirSync(outDir, { recursive: true });
// Node carries these in C++; here they are one of the parts that are fetched on first use.
const { rootCertificates } = require('node:tls') as typeof import('node:tls');
const sources = {
  ...natives,
  'internal/cloche/root_certificates': `module.exports = ${JSON.stringify(rootCertificates)};`,
};
fs.writeFileSync(path.join(outDir, 'lib.json'), JSON.stringify({ sources, coreIds, start, preload }));
fs.writeFileSync(path.join(outDir, 'dump.json'), JSON.stringify(dump));

// The rules of ARCHITECTURE.md that a machine can check: who imports whom, no circles, one folder per vendor, sizes, names, first lines.
// A rule is not weakened here to let a file pass; the file is changed, or a decision record says why the rule was wrong.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import longFiles from './architecture/long-files.json';
import { circles, readSheets, readSources, type SourceFile } from './architecture/source-graph';

const files = readSources(fileURLToPath(new URL('..', import.meta.url)));
const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path) || path.startsWith('tests/');
const products = files.filter((file) => !isTest(file.path));

/** Layer → what it may import besides itself; a name with `type:` only as types. */
const MAY_IMPORT: Record<string, string[]> = {
  engine: [],
  'lib/std': [],
  'lib/sandbox': ['lib/std', 'engine/client'],
  'lib/permission': ['lib/std'],
  'lib/tools': ['lib/std', 'lib/sandbox', 'lib/permission'],
  'lib/registry': ['lib/std', 'lib/sandbox', 'lib/permission', 'lib/tools'],
  // What a project and the person bring: configuration, agents, commands, skills, tools.
  'lib/config': ['lib/std', 'lib/sandbox', 'lib/permission', 'lib/tools', 'lib/registry'],
  // Programs that a project brings: its tools and plugins, held in processes of the sandbox. guest/ is what runs there.
  'lib/extensions': ['lib/std', 'lib/sandbox', 'lib/permission', 'lib/tools', 'lib/registry'],
  'lib/agent': ['lib/std', 'lib/tools', 'type:lib/registry'],
  'lib/session': ['lib/std', 'lib/sandbox', 'lib/permission', 'lib/tools', 'lib/registry', 'lib/agent'],
  'lib/project': ['lib/std', 'lib/sandbox', 'lib/session'],
  'lib/share': ['lib/std', 'lib/sandbox', 'lib/session'],
  'lib/server': ['lib/std'],
  components: [
    'lib/std',
    'lib/sandbox',
    'lib/permission',
    'lib/tools',
    'lib/registry',
    'lib/config',
    'lib/extensions',
    'lib/agent',
    'lib/session',
    'lib/project',
    'lib/share',
  ],
  // Pages put components on addresses; what they read of a library is the same as what a component may.
  app: ['components', 'lib/std', 'lib/project', 'lib/session', 'lib/sandbox', 'lib/share'],
  'app/api': ['lib/server', 'lib/std'],
  // proxy.ts and the configurations at the root.
  root: ['lib/server', 'lib/std', 'tests/sandbox', 'tests/e2e'],
};

/** Packages that live in one folder, wherever that is. */
const ONE_FOLDER = [
  /^@?monaco-editor(\/|$)/,
  /^@xterm\//,
  /^@webcontainer\/api/,
  /^@ai-sdk\/(?!react$|provider$|provider-utils$)/,
  /^isomorphic-git/,
  /^dockview/,
  /^@modelcontextprotocol\//,
  /^yaml$/,
  /^jsonc-parser$/,
];

const FORBIDDEN = ['util', 'helper', 'manager', 'service', 'handler', 'common', 'core', 'misc', 'data', 'info'];
/** Names that others have given: Node's internalBinding names, and the web's service worker. */
const GIVEN_NAMES = [
  /^engine\/bindings\/util\.ts$/,
  /^(util|heapUtils)$/,
  /service-worker/,
  /ServiceWorker/,
  /DataView/,
];

function layerOf(path: string): string | undefined {
  const [first, second] = path.split('/');
  if (second === undefined) return 'root';
  if (first === 'lib') return `lib/${second}`;
  if (first === 'app') return second === 'api' ? 'app/api' : 'app';
  return first in MAY_IMPORT ? first : undefined;
}

function mayImport(from: SourceFile, target: string, isType: boolean): boolean {
  const layer = layerOf(from.path);
  if (layer === undefined) return false;
  if (layerOf(target) === layer || /\.(css|json)$/.test(target)) return true;
  return MAY_IMPORT[layer].some((allowed) =>
    allowed.startsWith('type:')
      ? isType && target.startsWith(`${allowed.slice(5)}/`)
      : target.startsWith(`${allowed}/`),
  );
}

const forbiddenIn = (words: string[]): string[] =>
  words.map((word) => word.toLowerCase()).filter((word) => FORBIDDEN.some((bad) => word === bad || word === `${bad}s`));

test('the reader sees the source', () => {
  expect(products.length).toBeGreaterThan(100);
  const proxy = files.find((file) => file.path === 'proxy.ts')!;
  expect(proxy.readsEnvironment).toBe(true);
  expect(proxy.imports).toContainEqual({
    specifier: './lib/server/hosts',
    file: 'lib/server/hosts.ts',
    isType: false,
  });
});

test('every folder belongs to a layer', () => {
  const strange = products.filter((file) => layerOf(file.path) === undefined || !(layerOf(file.path)! in MAY_IMPORT));
  expect(strange.map((file) => file.path)).toEqual([]);
});

test('imports follow the table', () => {
  const wrong = products.flatMap((file) =>
    file.imports
      .filter((i) => i.file !== undefined && !mayImport(file, i.file, i.isType))
      .map((i) => `${file.path} imports ${i.file}`),
  );
  expect(wrong).toEqual([]);
});

test('no files import each other in a circle, not even types', () => {
  // What a process is made of knows the process: environment.ts is the types of that whole, and holds no code.
  const environment = 'engine/process/environment.ts';
  expect(files.find((file) => file.path === environment)!.imports.every((i) => i.isType)).toBe(true);
  expect(circles(files.filter((file) => file.path !== environment))).toEqual([]);
});

test('each vendor has one folder', () => {
  const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/');
  for (const vendor of ONE_FOLDER) {
    const folders = new Set(
      products.filter((file) => file.imports.some((i) => vendor.test(i.specifier))).map((file) => folderOf(file.path)),
    );
    expect([...folders].length, `${vendor}: ${[...folders].join(', ')}`).toBeLessThan(2);
  }
});

test('only components and app import React and Next', () => {
  const wrong = products.filter(
    (file) =>
      !['app', 'app/api', 'components', 'root'].includes(layerOf(file.path) ?? '') &&
      file.imports.some((i) => /^(react|react-dom|next|radix-ui|lucide-react|@ai-sdk\/react)(\/|$)/.test(i.specifier)),
  );
  expect(wrong.map((file) => file.path)).toEqual([]);
});

test('every frame is sandboxed by the page that makes it', () => {
  const frames = products.filter(({ text }) => /createElement\('iframe'\)|<iframe\b/.test(text));
  expect(frames.length).toBeGreaterThan(3);
  const open = frames.filter(({ text }) => !/\bsandbox(?:=["{]|\.value = )/.test(text));
  expect(open.map((file) => file.path)).toEqual([]);
});

test('only the server, configurations and scripts read the environment', () => {
  // The shell, its tools and the agent are programs of a sandbox, and engine/process makes the guest's `process`: that is not our environment.
  const allowed = /^(lib\/server|app\/api|engine\/build|engine\/shell|engine\/process|engine\/agent|[^/]+\.ts$)/;
  const wrong = products.filter((file) => file.readsEnvironment && !allowed.test(file.path));
  expect(wrong.map((file) => file.path)).toEqual([]);
});

test('files are short, or say why not', () => {
  const reasons: Record<string, string> = longFiles;
  const wrong = products.flatMap(({ path, lines }) => {
    const limit = path.startsWith('engine/bindings/') ? 600 : 400;
    if (lines > limit) return [`${path} has ${lines} lines, more than ${limit}: split it along a seam`];
    if (lines > 250 && !reasons[path])
      return [`${path} has ${lines} lines, more than 250: split it, or say why in tests/architecture/long-files.json`];
    return [];
  });
  const stale = Object.keys(reasons)
    .filter((path) => (files.find((file) => file.path === path)?.lines ?? 0) <= 200)
    .map((path) => `${path} is in long-files.json and is not long any more`);
  expect([...wrong, ...stale]).toEqual([]);
});

test('no class is styled as two different things', () => {
  // Sheets of several folders are on one page: the same name would give one thing the looks of another.
  const sheets = readSheets(fileURLToPath(new URL('..', import.meta.url)));
  const homes = new Map<string, Set<string>>();
  for (const { path, text } of sheets)
    for (const [, name] of text.matchAll(/^\.([\w-]+) \{/gm))
      homes.set(name!, (homes.get(name!) ?? new Set()).add(path));
  const shared = [...homes].filter(([, paths]) => paths.size > 1).map(([name, paths]) => `${name}: ${[...paths]}`);
  expect(shared).toEqual([]);
});

test('names say what a thing is', () => {
  const isGiven = (name: string): boolean => GIVEN_NAMES.some((given) => given.test(name));
  const paths = products.filter(({ path }) => !isGiven(path) && forbiddenIn(path.split(/[/.-]/)).length > 0);
  const names = products.flatMap((file) =>
    file.exports
      .filter((name) => !isGiven(name) && forbiddenIn(name.split(/(?=[A-Z])|_/)).length > 0)
      .map((name) => `${file.path}: ${name}`),
  );
  expect([...paths.map((file) => file.path), ...names]).toEqual([]);
  const notKebab = products.filter(({ path }) => !/^[a-z0-9[\].-]+$/.test(path.split('/').at(-1)!));
  expect(notKebab.map((file) => file.path)).toEqual([]);
});

test('every file opens with what it is for, and none only passes things on', () => {
  const silent = products.filter((file) => !/^(#!.*\n)?(['"]use client['"];\s*)?\/[/*]/.test(file.text));
  expect(silent.map((file) => file.path)).toEqual([]);
  expect(products.filter((file) => file.isBarrel).map((file) => file.path)).toEqual([]);
});

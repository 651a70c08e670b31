// Writes public/THIRD-PARTY-NOTICES.txt: the licences of everything that reaches a visitor's browser or the server's bundle. What ships is
// computed (dependencies, what the engine's sources import, npm with its own packages, Node), so no list can be forgotten.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface LockedPackage {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
}

/** One package in node_modules; `folder` is its key in package-lock.json. */
export interface ShippedPackage {
  folder: string;
  name: string;
  version: string;
}

type Lock = Record<string, LockedPackage>;

const LICENCE_FILE = /^(licen[cs]es?|copying|notices?|third-?party-?(notice-?text|notices?|licen[cs]es?))([.-].*)?$/i;
const CODE_FILE = /\.(?:[cm]?[jt]sx?|json|map|css)$/i;

/** All that ships, sorted by name and version. `root` is the repository. */
export function shippedPackages(root: string): ShippedPackage[] {
  const lock: Lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const seen = new Set<string>();
  const visit = (name: string, from: string): void => {
    const folder = resolveLocked(lock, name, from);
    // Binaries for one platform are fetched by whoever installs; we pass none of them on.
    if (folder === undefined || seen.has(folder) || lock[folder].os || lock[folder].cpu) return;
    seen.add(folder);
    const { dependencies, optionalDependencies, peerDependencies } = lock[folder];
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      visit(next, folder);
  };
  for (const name of Object.keys(lock[''].dependencies ?? {})) visit(name, '');
  for (const name of engineImports(path.join(root, 'engine'))) visit(name, '');
  // Their WebAssembly alone is copied: nothing imports them.
  visit('@sqlite.org/sqlite-wasm', '');
  visit('hash-wasm', '');
  // The sandbox's image holds npm with the packages that npm brings along.
  visit('npm', '');
  for (const folder of Object.keys(lock)) if (folder.startsWith('node_modules/npm/node_modules/')) seen.add(folder);
  return [...seen]
    .map((folder) => ({
      folder,
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: lock[folder].version ?? '',
    }))
    .sort((a, b) => compare(`${a.name}@${a.version}`, `${b.name}@${b.version}`));
}

/** The text of the notices; the same for the same lock and the same packages. Throws an Error that names a package without any licence. */
export function noticesText(root: string): string {
  const byText = new Map<string, string[]>();
  const add = ({ title, text }: Licence): void => {
    const titles = byText.get(text) ?? [];
    if (!titles.includes(title)) byText.set(text, [...titles, title]);
  };
  for (const { folder, name, version } of shippedPackages(root)) {
    add(licenceOf(path.join(root, folder), `${name}@${version}`));
    for (const inside of licencesInside(path.join(root, folder), name)) add(inside);
  }
  const sections = [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}`);
  return `${[
    'Cloche contains software of others. These are its parts and their licences.',
    `Node.js (its lib, and what that contains)\n\n${nodeLicence(root)}`,
    ...sections,
  ].join(`\n\n${'='.repeat(80)}\n\n`)}\n`;
}

/** Writes the file that the IDE serves. */
export function buildNotices(root: string): void {
  writeFileSync(path.join(root, 'public/THIRD-PARTY-NOTICES.txt'), noticesText(root));
}

/** Packages that the engine's sources name, whether or not they are bundled as dependencies of the project. */
function engineImports(folder: string): Set<string> {
  const names = new Set<string>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.ts$/.test(entry.name) || /\.test\.ts$/.test(entry.name)) continue;
    if (/[\\/](build|generated|testing)[\\/]/.test(file.slice(folder.length))) continue;
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import|import\()\s*'([^']+)'/g)) {
      const inside = specifier.split('node_modules/')[1];
      const name = /^(@[^/]+\/[^/]+|[^./@][^/]*)/.exec(inside ?? specifier)?.[1];
      if (name && !name.startsWith('node:') && !specifier.startsWith('@/')) names.add(name);
    }
  }
  return names;
}

interface Licence {
  title: string;
  text: string;
}

/** Of copies that a package keeps in folders of its own (Next has a hundred), named by where they are. */
function licencesInside(folder: string, name: string): Licence[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isLicence(entry.name) && entry.parentPath !== folder)
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(folder.length).includes(`${path.sep}node_modules${path.sep}`))
    .sort(compare)
    .map((file) => ({
      title: `${name}, in ${path.relative(folder, path.dirname(file)).replaceAll(path.sep, '/')}`,
      text: readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim(),
    }));
}

function isLicence(name: string): boolean {
  return LICENCE_FILE.test(name) && !CODE_FILE.test(name);
}

function licenceOf(folder: string, id: string): Licence {
  if (!existsSync(folder)) throw new Error(`${id} ships but is not installed: run npm ci`);
  const about = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const declared =
    typeof about.license === 'string' ? about.license : (about.license?.type ?? about.licenses?.[0]?.type);
  const texts = readdirSync(folder)
    .filter(isLicence)
    .sort(compare)
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
  if (!declared && texts.length === 0) throw new Error(`${id} ships and names no licence`);
  const author = typeof about.author === 'string' ? about.author : about.author?.name;
  const text =
    texts.length > 0
      ? texts.join('\n\n')
      : `${declared}${author ? `, by ${author}` : ''} (the package has no text of it).`;
  return { title: declared ? `${id} (${declared})` : id, text };
}

/** The LICENSE of the Node that the engine's lib comes from, with those of V8, ICU and the others in it. */
function nodeLicence(root: string): string {
  const packages = path.join(root, 'node_modules');
  const places = [
    ...readdirSync(packages)
      .filter((name) => /^node-(linux|darwin|win)-/.test(name))
      .map((name) => path.join(packages, name, 'LICENSE')),
    path.resolve(process.execPath, '../../LICENSE'),
    path.resolve(process.execPath, '../LICENSE'),
  ];
  const found = places.find((file) => existsSync(file));
  if (!found)
    throw new Error(`Node's LICENSE is in none of these places, and it must be passed on: ${places.join(', ')}`);
  return readFileSync(found, 'utf8').replaceAll('\r\n', '\n').trim();
}

function resolveLocked(lock: Lock, name: string, from: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const folder = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
    if (lock[folder]) return folder;
    if (base === '') return undefined;
    if (!base.includes('/node_modules/')) base = '';
  }
}

/** By code units: a locale would make the file depend on the machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildNotices(fileURLToPath(new URL('../..', import.meta.url)));

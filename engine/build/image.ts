// The image that every sandbox mounts at `/` in the background: the real npm CLI, where a Node installation has it. Bundled and run by build.ts.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { takeSnapshot } from '../kernel/mount';
import { createSharedMemory } from '../memory/memory';
import { INSTALL_BUILD, NODE_GYP, PATCHED_FILES, patchNpm, WITHOUT_COMPILER } from '../npm/patches';
import { formatTree, openTree, type Tree } from '../tree/tree';

const NPM = '/usr/local/lib/node_modules/npm';

/** Folders and files of npm that no command reads. */
const UNUSED = /^(?:docs|man|html|changelogs)$|\.md$|\.map$|\.d\.[cm]?ts$/;

/**
 * npm's own default registry; the kernel's gateway sends it to the site's proxy, which does its own waiting: npm's pauses (10 s, then 60 s)
 * would only hide from a person who is offline that they are. By `cpu` npm picks the WebAssembly builds that packages list beside their native
 * ones; `process.arch` stays x64, because their loaders know no other name and fall back to WebAssembly by themselves.
 */
const NPM_SETTINGS = `registry=https://registry.npmjs.org/
update-notifier=false
fund=false
audit=false
fetch-retry-mintimeout=500
fetch-retry-maxtimeout=2000
cpu=wasm32
`;

function checked(result: number, target: string): number {
  if (result < 0) throw new Error(`could not write ${target} into the image: errno ${result}`);
  return result;
}

function copyFolder(tree: Tree, from: string, to: string): void {
  checked(tree.mkdir(to, 0o755), to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (UNUSED.test(entry.name)) continue;
    const source = path.join(from, entry.name);
    const target = `${to}/${entry.name}`;
    if (entry.isDirectory()) copyFolder(tree, source, target);
    else if (entry.isSymbolicLink()) checked(tree.symlink(readlinkSync(source), target), target);
    else
      checked(
        tree.write(checked(tree.create(target, statSync(source).mode & 0o777), target), readFileSync(source), 0),
        target,
      );
  }
}

function writeText(tree: Tree, target: string, text: string): void {
  const ino = checked(tree.create(target, 0o644), target);
  const bytes = new TextEncoder().encode(text);
  checked(tree.write(ino, bytes, 0), target);
  checked(tree.truncate(ino, bytes.length), target);
}

/** Snapshot bytes of the image. `root` is the project's folder, `installBuild` the bundle of engine/npm/install-build.ts. */
export function buildImage(root: string, installBuild: string): Uint8Array {
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory);
  for (const directory of [
    '/usr',
    '/usr/local',
    '/usr/local/lib',
    '/usr/local/lib/node_modules',
    '/usr/local/bin',
    '/usr/local/etc',
  ])
    tree.mkdir(directory, 0o755);
  copyFolder(tree, path.join(root, 'node_modules/npm'), NPM);
  for (const name of ['npm', 'npx'])
    checked(tree.symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, `/usr/local/bin/${name}`), name);
  const source = (file: string): string => readFileSync(path.join(root, 'node_modules/npm', file), 'utf8');
  for (const file of PATCHED_FILES) writeText(tree, `${NPM}/${file}`, patchNpm(file, source(file)));
  writeText(tree, `${NPM}/${INSTALL_BUILD}`, installBuild);
  writeText(tree, `${NPM}/${NODE_GYP}`, WITHOUT_COMPILER);
  writeText(tree, '/usr/local/etc/npmrc', NPM_SETTINGS);
  return takeSnapshot(tree, '/');
}

// The changes to the npm CLI in the image, each with its reason. One that no longer matches exactly once fails the build.

interface NpmPatch {
  /** Below npm's own folder. */
  file: string;
  find: string;
  replace: string;
  reason: string;
}

/** Where the bundle of install-build.ts lies in npm's folder; it finds pacote, proc-log and semver as npm's own files do. */
export const INSTALL_BUILD = 'lib/install-build.js';

/** npm's copy of node-gyp, in whose place lies WITHOUT_COMPILER. */
export const NODE_GYP = 'node_modules/node-gyp/bin/node-gyp.js';

/** A node-gyp that says what is missing. */
export const WITHOUT_COMPILER = `#!/usr/bin/env node
const name = process.env.npm_package_name ?? 'This package';
console.error(
  name + ' compiles C or C++ while it is installed, and this computer has no compiler: it runs in a browser.\\n' +
  'Look for a build in WebAssembly or JavaScript of it, or install without its scripts: npm install --ignore-scripts',
);
process.exitCode = 1;
`;

const NPM_PATCHES: NpmPatch[] = [
  {
    file: 'node_modules/@npmcli/arborist/lib/arborist/reify.js',
    find: '      await pacote.extract(res, node.path, {\n',
    replace: `      if (await require('../../../../../${INSTALL_BUILD}').installBuild(node, this.options)) return\n      await pacote.extract(res, node.path, {\n`,
    reason: 'Native packages get the files of their WebAssembly build (docs/decisions/0019-native-packages.md).',
  },
  {
    file: 'node_modules/@npmcli/arborist/lib/arborist/reify.js',
    find: "      // store nodes don't use Node class so node.package doesn't get updated\n",
    replace: `      await require('../../../../../${INSTALL_BUILD}').complete(node, this.options)\n`,
    reason: 'A build that only joins a package comes after its own files; commands without a build say so.',
  },
  {
    file: 'node_modules/@npmcli/arborist/lib/arborist/load-actual.js',
    find: '  async #loadFSChildren (node) {\n',
    replace: '  async #loadFSChildren (node) {\n    if (node.package.cloche?.filesOf) return\n',
    reason: 'What such a build brings along in its own node_modules is no stranger that the next install removes.',
  },
  {
    file: 'node_modules/@npmcli/arborist/lib/packument-cache.js',
    find: "const { getHeapStatistics } = require('node:v8')\n",
    replace: 'const getHeapStatistics = () => ({ heap_size_limit: 4 * 2 ** 30 })\n',
    reason:
      'It asks for the one figure that is known here; every install would begin with the warning that the others are not.',
  },
];

/** `text` of npm's `file` with its patches. Throws when one does not match exactly once. */
export function patchNpm(file: string, text: string): string {
  return NPM_PATCHES.filter((patch) => patch.file === file).reduce((patched, { find, replace }) => {
    const parts = patched.split(find);
    if (parts.length !== 2)
      throw new Error(`npm patch for ${file} matches ${parts.length - 1} times, not once: ${find}`);
    return parts.join(replace);
  }, text);
}

/** The files that patchNpm wants to see; all must exist in npm's folder. */
export const PATCHED_FILES: ReadonlySet<string> = new Set(NPM_PATCHES.map(({ file }) => file));

// Packages that are native code and publish no build for `cpu: wasm32` of their own, with what takes their place. Packages whose optional
// dependencies list a wasm32 build (rolldown, @tailwindcss/oxide, sharp …) are not here: npm picks that build by `cpu=wasm32` in its settings.

/** What is done about a native package. */
export type NativePackage =
  /** Another package's files are put into its folder; `specs` is what npm is asked for, until it has one. */
  | { kind: 'replaced'; specs: (version: string) => string[]; why?: string }
  /** It is installed as it is, and the build that its loader falls back to is put into a folder of its own: where the loader looks. */
  | { kind: 'joined'; name: string; into: 'node_modules' | 'wasm'; specs: (version: string) => string[]; why?: string }
  /** It is installed as it is, and the person is told that it won't run. */
  | { kind: 'useless'; advice: string }
  /** It is not installed: its install script would compile or download machine code. */
  | { kind: 'refused'; advice: string };

interface Entry {
  /** Versions that are native; a range as npm has it. */
  versions: string;
  build: NativePackage;
}

/** The same version of `name`, else the newest before it that promises the same. */
const sameVersionOf =
  (name: string) =>
  (version: string): string[] => {
    const [major, minor] = version.split('.');
    return [`${name}@${version}`, `${name}@>=${major}.${major === '0' ? minor : 0}.0 <=${version}`];
  };

/** By name. */
export const NATIVE_PACKAGES: Readonly<Record<string, Entry>> = {
  '@biomejs/biome': {
    versions: '*',
    build: { kind: 'useless', advice: 'prettier and eslint run here' },
  },
  '@parcel/watcher': {
    versions: '>=2.3.0',
    build: { kind: 'useless', advice: 'chokidar and fs.watch watch files here' },
  },
  '@swc/core': { versions: '*', build: { kind: 'replaced', specs: sameVersionOf('@swc/wasm') } },
  argon2: { versions: '*', build: { kind: 'refused', advice: 'use scrypt of node:crypto, or the package hash-wasm' } },
  bcrypt: {
    versions: '*',
    build: { kind: 'replaced', specs: () => ['bcryptjs@3'], why: 'the same calls and hashes in JavaScript' },
  },
  'better-sqlite3': {
    versions: '*',
    build: { kind: 'refused', advice: 'use node:sqlite, which is built in, or the package sql.js' },
  },
  canvas: { versions: '*', build: { kind: 'refused', advice: 'draw in the page instead, on its <canvas>' } },
  esbuild: { versions: '*', build: { kind: 'replaced', specs: sameVersionOf('esbuild-wasm') } },
  lightningcss: { versions: '*', build: { kind: 'replaced', specs: sameVersionOf('lightningcss-wasm') } },
  next: {
    versions: '>=13.0.0',
    build: {
      kind: 'joined',
      name: '@next/swc-wasm-nodejs',
      // Where Next itself puts the build that it downloads.
      into: 'wasm',
      specs: sameVersionOf('@next/swc-wasm-nodejs'),
      why: 'its compiler in WebAssembly; Turbopack has none: next dev --webpack, next build --webpack',
    },
  },
  oxlint: {
    versions: '*',
    build: { kind: 'useless', advice: 'eslint runs here' },
  },
  rollup: { versions: '>=4.0.0', build: { kind: 'replaced', specs: sameVersionOf('@rollup/wasm-node') } },
  'sass-embedded': {
    versions: '*',
    build: { kind: 'replaced', specs: sameVersionOf('sass'), why: 'the same compiler and calls in JavaScript' },
  },
  sqlite3: {
    versions: '*',
    build: { kind: 'refused', advice: 'use node:sqlite, which is built in, or the package sql.js' },
  },
  typescript: {
    versions: '>=7.0.0-0',
    build: { kind: 'replaced', specs: () => ['typescript@6'], why: 'the last compiler in JavaScript' },
  },
  'unrs-resolver': {
    versions: '>=1.0.0',
    build: {
      kind: 'joined',
      name: '@unrs/resolver-binding-wasm32-wasi',
      into: 'node_modules',
      specs: sameVersionOf('@unrs/resolver-binding-wasm32-wasi'),
    },
  },
};

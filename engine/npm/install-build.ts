// Runs inside npm, where it unpacks a package (patches.ts): a native package gets the files of its WebAssembly or JavaScript build. Only the files
// differ: name and version stay, and package-lock.json names the original, so that the project installs everywhere as it was meant.
import { access, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pacote from 'pacote';
import { log } from 'proc-log';
import semver from 'semver';
import { NATIVE_PACKAGES, type NativePackage } from './native-packages';

/** What this reads of a node of npm's tree (@npmcli/arborist). */
interface TreeNode {
  packageName: string;
  version: string;
  path: string;
  package: {
    bin?: Record<string, string> | string;
    dependencies?: Record<string, string>;
    scripts?: Record<string, string>;
    /** What the lock file says, whether `scripts` is known or not. */
    hasInstallScript?: boolean;
  };
}

interface Manifest {
  name: string;
  version: string;
  bin?: Record<string, string> | string;
  dependencies?: Record<string, string>;
  bundleDependencies?: string[];
  [field: string]: unknown;
}

/** True when `node`'s folder was filled here; false when npm is to unpack the package itself. Throws for what cannot be had at all. */
export async function installBuild(node: TreeNode, options: Record<string, unknown>): Promise<boolean> {
  const build = nativePackageOf(node);
  if (!build) return false;
  const id = `${node.packageName}@${node.version}`;
  switch (build.kind) {
    case 'refused':
      throw Object.assign(new Error(`${id} is machine code and has no build for the browser. Here, ${build.advice}.`), {
        code: 'ENATIVE',
      });
    case 'useless':
    case 'joined':
      return false;
    case 'replaced': {
      const manifest = await extractFirst(build.specs(node.version), node, options);
      const instead = `${manifest.name}@${manifest.version}`;
      await keepIdentity(node, manifest, instead);
      const what = build.why ?? 'its WebAssembly build';
      log.notice('native', `${id} is machine code: ${instead} runs in its place (${what}). The lock file keeps ${id}.`);
      return true;
    }
  }
}

/** After npm has unpacked `node`: its build joins it, or commands that cannot run say so. */
export async function complete(node: TreeNode, options: Record<string, unknown>): Promise<void> {
  const build = nativePackageOf(node);
  if (build?.kind === 'joined') {
    const { version } = await extractFirst(build.specs(node.version), node, options, `${build.into}/${build.name}`);
    const manifest: Manifest = JSON.parse(await readFile(path.join(node.path, 'package.json'), 'utf8'));
    await keepIdentity(node, manifest, `${build.name}@${version}`);
    const id = `${node.packageName}@${node.version}`;
    log.notice(
      'native',
      `${id} is machine code: ${build.name}@${version} is put into its folder${build.why ? ` (${build.why})` : ''}. The lock file keeps ${id}.`,
    );
  }
  if (build?.kind !== 'useless') return;
  const why = `${node.packageName}@${node.version} is machine code, which does not run in a browser: ${build.advice}.`;
  for (const file of Object.values(commandsOf({ ...node.package, name: node.packageName })))
    await writeFile(
      path.join(node.path, file),
      `#!/usr/bin/env node\nconsole.error(${JSON.stringify(why)});\nprocess.exitCode = 1;\n`,
    );
  log.warn('native', `${why} It is installed, and works on other machines.`);
}

function nativePackageOf({ packageName, version }: TreeNode): NativePackage | undefined {
  const entry = Object.hasOwn(NATIVE_PACKAGES, packageName) ? NATIVE_PACKAGES[packageName] : undefined;
  return entry && semver.satisfies(version, entry.versions, { includePrerelease: true }) ? entry.build : undefined;
}

async function extractFirst(
  specs: string[],
  node: TreeNode,
  options: Record<string, unknown>,
  below = '',
): Promise<Manifest> {
  const [spec, ...others] = specs;
  try {
    return await extract(spec, path.join(node.path, below), options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ETARGET' && others.length > 0) return extractFirst(others, node, options, below);
    const why = `${node.packageName}@${node.version} is machine code, and its build for the browser (${spec}) cannot be installed`;
    throw Object.assign(new Error(`${why}: ${message}`), { code: 'ENATIVE' });
  }
}

/** Unpacks `spec` into `folder`, and below it what it depends on and does not bring along. */
async function extract(spec: string, folder: string, options: Record<string, unknown>): Promise<Manifest> {
  await pacote.extract(spec, folder, { ...options, resolved: undefined, integrity: undefined });
  const manifest: Manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const bundled = manifest.bundleDependencies ?? (manifest.bundledDependencies as string[] | undefined) ?? [];
  for (const [name, range] of Object.entries(manifest.dependencies ?? {}))
    if (!bundled.includes(name) && !name.startsWith('@types/'))
      await extract(`${name}@${range}`, path.join(folder, 'node_modules', name), options);
  return manifest;
}

/** Writes package.json so that npm, `require` and whoever reads it see the package that was asked for. */
async function keepIdentity(node: TreeNode, manifest: Manifest, instead: string): Promise<void> {
  const { scripts, ...kept } = manifest;
  const own: Manifest = {
    ...kept,
    name: node.packageName,
    version: node.version,
    // As the lock file has them; the build's own lie in its folder.
    dependencies: node.package.dependencies,
    // Read by npm too (patches.ts).
    cloche: { filesOf: instead },
  };
  await writeFile(path.join(node.path, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  // The original's scripts would look for its machine code.
  const { preinstall, install, postinstall, ...harmless } = node.package.scripts ?? {};
  if (preinstall ?? install ?? postinstall) Object.assign(node.package, { scripts: harmless, hasInstallScript: true });
  // npm links the commands of the original.
  const commands = commandsOf(manifest);
  for (const [name, file] of Object.entries(commandsOf({ ...node.package, name: node.packageName }))) {
    const link = path.join(node.path, file);
    const exists = await access(link).then(
      () => true,
      () => false,
    );
    if (exists || (commands[name] ?? file) === file) continue;
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.relative(path.dirname(link), path.join(node.path, commands[name])), link);
  }
}

/** Commands and their files. */
function commandsOf({ name, bin }: Pick<Manifest, 'name' | 'bin'>): Record<string, string> {
  return typeof bin === 'string' ? { [name.split('/').at(-1) as string]: bin } : (bin ?? {});
}

// For tests: a project in a real directory of this machine whose programs are held by the Node that the engine is made from.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { processSandbox } from '../registry/mcp/testing';
import type { Sandbox } from '../sandbox/sandbox';
import { createExtensions, type ExtensionFile, type Extensions, type ExtensionsOptions } from './extensions';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pinnedNode = path.join(root, 'node_modules/.bin/node');

let bundled: Promise<string> | undefined;

/** The program as a browser gets it, but not minified. */
export function hostProgram(): Promise<string> {
  bundled ??= build({
    entryPoints: [path.join(root, 'lib/extensions/guest/host.ts')],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'es2023',
    logLevel: 'error',
  }).then((result) => result.outputFiles![0]!.text);
  return bundled;
}

const folders: string[] = [];
const opened: Extensions[] = [];

/** A sandbox with these files, in memory and on the disk. */
export async function extensionSandbox(files: Record<string, string>): Promise<Sandbox> {
  const workdir = mkdtempSync(path.join(tmpdir(), 'cloche-extensions-'));
  folders.push(workdir);
  const sandbox = await processSandbox(workdir);
  const write = async (file: string, contents: Uint8Array | string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, contents);
    await sandbox.fs.write(file, contents);
  };
  for (const [name, text] of Object.entries(files)) await write(path.join(workdir, name), text);
  return {
    ...sandbox,
    fs: { ...sandbox.fs, write },
    spawn: (command, args, options = {}) =>
      sandbox.spawn(command === 'node' ? pinnedNode : command, args, {
        ...options,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...options.env },
      }),
  };
}

/** The tools and plugins among the files, as the person's yes hands them over; the hash is made up of the text. */
export function extensionFiles(files: Record<string, string>): ExtensionFile[] {
  return Object.entries(files).flatMap(([name, text]): ExtensionFile[] => {
    const kind = /^\.opencode\/(tool|plugin)s?\/[^/]+\.[jt]s$/.exec(name)?.[1] as 'tool' | 'plugin' | undefined;
    return kind === undefined ? [] : [{ kind, path: name, text, hash: `${text.length}:${text}` }];
  });
}

/** Loads the tools and plugins of a project; ended by `closeExtensions`. */
export async function loadedExtensions(
  files: Record<string, string>,
  more: Partial<ExtensionsOptions> = {},
): Promise<{ extensions: Extensions; sandbox: Sandbox }> {
  const sandbox = await extensionSandbox(files);
  const extensions = createExtensions({ sandbox, loadProgram: hostProgram, ...more });
  opened.push(extensions);
  extensions.want(extensionFiles(files));
  await extensions.ready();
  return { extensions, sandbox };
}

/** Ends everything that the test started. */
export async function closeExtensions(): Promise<void> {
  await Promise.all(opened.splice(0).map((one) => one.dispose()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Of the fixture project, by path. */
export function fixtureFile(name: string): string {
  return readFileSync(path.join(root, 'tests/fixtures/opencode-project', name), 'utf8');
}

// A project as a zip that any unzip opens. Written file by file, so that the largest thing in memory is the archive itself.
import { deflateSync, Zip, type ZipInputFile } from 'fflate';
import type { Sandbox, SandboxFs } from '../sandbox/sandbox';
import { crc32 } from '../std/crc32';
import { joinBytes } from '../std/join-bytes';
import { baseName, joinPath } from '../std/paths';
import { readLinks } from './links';
import { linkMode } from './zip-modes';

/** Directories that can be made again from the rest; left out unless they are asked for. */
export const rebuiltDirectories: ReadonlySet<string> = new Set(['node_modules']);

const mostEntries = 65_535;

export interface WalkedFile {
  /** Absolute. */
  path: string;
  /** Relative to where the walk began. */
  relative: string;
  kind: 'file' | 'directory' | 'link';
}

/** Files, symbolic links and empty directories below `root`, depth first, by name; links are not followed, devices are left out. */
export async function* walkFiles(
  fs: SandboxFs,
  root: string,
  skip: ReadonlySet<string> = rebuiltDirectories,
): AsyncGenerator<WalkedFile> {
  async function* below(directory: string, prefix: string): AsyncGenerator<WalkedFile> {
    const entries = (await fs.list(directory)).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (entries.length === 0 && prefix !== '') yield { path: directory, relative: prefix, kind: 'directory' };
    for (const entry of entries) {
      const path = joinPath(directory, entry.name);
      const relative = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.kind === 'file') yield { path, relative, kind: 'file' };
      else if (entry.kind === 'symlink') yield { path, relative, kind: 'link' };
      else if (entry.kind === 'directory' && !skip.has(entry.name)) yield* below(path, relative);
    }
  }
  yield* below(root, '');
}

/** Total bytes of the files below `root`, without node_modules. */
export async function measureProject(fs: SandboxFs, root: string): Promise<number> {
  let bytes = 0;
  for await (const file of walkFiles(fs, root)) if (file.kind === 'file') bytes += (await fs.stat(file.path)).size;
  return bytes;
}

export interface ExportOptions {
  /** Also node_modules. */
  everything?: boolean;
  /** Number of files written so far. */
  onProgress?: (files: number) => void;
  signal?: AbortSignal;
}

/** The archive of `root` (default: the project). Keeps empty directories, links, times and permission bits. Rejects when the signal aborts. */
export async function exportZip(
  sandbox: Pick<Sandbox, 'fs' | 'workdir' | 'spawn'>,
  root = sandbox.workdir,
  options: ExportOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else chunks.push(chunk);
  });
  let files = 0;
  let entries = 0;
  const links: WalkedFile[] = [];
  for await (const file of walkFiles(sandbox.fs, root, options.everything ? new Set() : rebuiltDirectories)) {
    options.signal?.throwIfAborted();
    // The library counts in 16 bits and would go on from zero: programs would find some of the files, and say nothing.
    if (++entries > mostEntries)
      throw new Error(
        `There are more than ${mostEntries.toLocaleString('en')} files and folders in it, and this zip holds no more. Download its folders one by one.`,
      );
    if (file.kind === 'link') {
      links.push(file);
      continue;
    }
    const stat = await sandbox.fs.stat(file.path);
    if (file.kind === 'directory') addEntry(zip, `${file.relative}/`, stat, nothing);
    else {
      const contents = await sandbox.fs.read(file.path);
      const packed = packedAlready.test(file.path) ? undefined : await deflated(contents);
      addEntry(zip, file.relative, stat, contents, packed);
    }
    if (failure) throw failure;
    options.onProgress?.(++files);
  }
  for (const [at, { target }] of (
    await readLinks(
      sandbox,
      links.map(({ path }) => path),
    )
  ).entries()) {
    const stat = { mode: linkMode | 0o777, mtimeMs: 0 };
    addEntry(zip, links[at]!.relative, stat, new TextEncoder().encode(target));
  }
  zip.end();
  if (failure) throw failure;
  return joinBytes(chunks);
}

const nothing = new Uint8Array(0);

/** `packed`: the contents deflated; without it they go as they are. */
function addEntry(
  zip: Zip,
  filename: string,
  stat: { mode: number; mtimeMs: number },
  contents: Uint8Array,
  packed?: Uint8Array<ArrayBuffer>,
): void {
  const entry: ZipInputFile = {
    filename,
    size: contents.length,
    crc: crc32(contents),
    compression: packed ? 8 : 0,
    os: 3,
    attrs: (stat.mode & 0xffff) << 16,
  };
  // The format counts years from 1980.
  if (stat.mtimeMs > Date.UTC(1980, 0, 2)) entry.mtime = stat.mtimeMs;
  zip.add(entry);
  entry.ondata!(null, packed ?? new Uint8Array(contents), true);
}

const packedAlready = /\.(png|jpe?g|gif|webp|avif|woff2?|zip|gz|tgz|br|mp[34]|webm|wasm)$/i;
/** From here on the browser's own stream packs, beside the page; for less, asking it costs more than the work. */
const largeBytes = 128 * 1024;

async function deflated(contents: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (contents.length < largeBytes) return deflateSync(contents);
  const stream = new Blob([new Uint8Array(contents)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A file name for the download: the name with what file systems refuse replaced. */
export function zipName(name: string): string {
  return `${baseName(name).replace(/[^\p{L}\p{N}._ -]+/gu, '-')}.zip`;
}

// An archive from outside is hostile until read: names that leave the folder, floods and what says that it is a bomb are refused by its list of
// files, before anything is unpacked; what hides that it is one is damaged, and nothing is written before all is read.
import { entriesOf, type ZipEntry } from './zip-entries';
import { isLinkMode } from './zip-modes';
import { unpackInSteps } from './zip-unpack';

/** Bounds of an import. */
export interface ImportLimits {
  /** Folders are counted too. */
  maxFiles: number;
  /** Unpacked bytes of all files together. */
  maxBytes: number;
  /** Path segments. */
  maxDepth: number;
  /** UTF-8 bytes of one segment. */
  maxNameBytes: number;
}

export const importLimits: ImportLimits = {
  maxFiles: 100_000,
  maxBytes: 512 * 2 ** 20,
  maxDepth: 64,
  maxNameBytes: 255,
};

/** Why an archive was refused, in words for the person. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

export interface ImportedFile {
  /** Relative, normalized, inside the project. */
  path: string;
  /** `directory`: an empty one. `link`: a symbolic one, to what its contents say. */
  kind: 'file' | 'directory' | 'link';
  contents: Uint8Array;
  executable: boolean;
}

/**
 * The files of a zip and its empty folders. One folder that holds everything (as in GitHub's archives) is taken off. Entries of macOS (`__MACOSX`, `.DS_Store`)
 * are dropped. Yields after every few kilobytes and every file how much is read (0–1), so that the caller can say so, or stop. Throws an ImportError
 * when it is no zip, is damaged, or breaks a limit.
 */
export function* readZipInSteps(
  archive: Uint8Array,
  limits: ImportLimits = importLimits,
): Generator<number, ImportedFile[], void> {
  if (archive[0] !== 0x50 || archive[1] !== 0x4b) throw new ImportError('This file is not a zip archive.');
  const { entries, directories } = listed(archive, limits);
  const files: ImportedFile[] = [];
  // An entry costs time by itself, also when nothing is in it.
  const whole = entries.reduce((sum, { entry }) => sum + entry.packed.length + entryCost, 0);
  let done = 0;
  for (const { entry, path } of entries) {
    const contents = yield* unpacked(entry, path, done, whole);
    done += entry.packed.length + entryCost;
    const isLink = isLinkMode(entry.mode) && isTarget(contents);
    files.push({
      path,
      kind: isLink ? 'link' : 'file',
      contents,
      executable: !isLinkMode(entry.mode) && (entry.mode & 0o100) !== 0,
    });
    yield done / whole;
  }
  if (files.length === 0) throw new ImportError('The archive holds no files.');
  for (const path of directories)
    files.push({ path, kind: 'directory', contents: new Uint8Array(0), executable: false });
  checkFileAgainstFolder(files);
  return withoutOuterFolder(withoutFullFolders(files)).map(withLinkInside);
}

const entryCost = 256;

interface Listed {
  entries: { path: string; entry: ZipEntry }[];
  directories: Set<string>;
}

/** What the archive says that it holds, judged. */
function listed(archive: Uint8Array, limits: ImportLimits): Listed {
  const entries: Listed['entries'] = [];
  const seen = new Set<string>();
  const directories = new Set<string>();
  let bytes = 0;
  try {
    for (const entry of entriesOf(archive)) {
      const path = checkedPath(entry.name, limits);
      if (path === '' || isLitter(path)) continue;
      const isDirectory = /[/\\]$/.test(entry.name);
      if (isDirectory) directories.add(path);
      else if (seen.has(path)) throw new ImportError(`The archive holds ${path} twice.`);
      else seen.add(path);
      if (seen.size + directories.size > limits.maxFiles)
        throw new ImportError(
          `The archive holds more than ${limits.maxFiles.toLocaleString('en')} files and folders. Leave out node_modules, which npm install makes again.`,
        );
      if (isDirectory) continue;
      if (entry.isLocked) throw new ImportError(`${show(path)} wants a password. Pack the archive again without one.`);
      if (entry.method !== 0 && entry.method !== 8)
        throw new ImportError(
          `${show(path)} is packed by a method (${entry.method}) that is not read here. Pack the archive again as an ordinary zip.`,
        );
      bytes += entry.size;
      if (bytes > limits.maxBytes) throw tooLarge(limits);
      entries.push({ path, entry });
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`The archive is damaged: ${messageOf(error)}.`);
  }
  return { entries, directories };
}

function* unpacked(entry: ZipEntry, path: string, done: number, whole: number): Generator<number, Uint8Array, void> {
  try {
    const steps = unpackInSteps(entry);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      yield (done + step.value) / whole;
    }
  } catch (error) {
    throw new ImportError(`${show(path)} in the archive is damaged: ${messageOf(error)}.`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The name as a relative path. Throws an ImportError when it would leave the folder or breaks a limit. */
export function checkedPath(name: string, limits: ImportLimits = importLimits): string {
  const path = name.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[a-zA-Z]:\//.test(path)) throw new ImportError(`${show(name)} is an absolute path.`);
  if (path.includes('\0')) throw new ImportError(`${show(name)} contains a NUL character.`);
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) throw new ImportError(`${show(name)} leads out of the archive's folder.`);
  if (segments.length > limits.maxDepth)
    throw new ImportError(`${show(name)} lies deeper than ${limits.maxDepth} folders.`);
  const encoder = new TextEncoder();
  if (segments.some((segment) => encoder.encode(segment).length > limits.maxNameBytes))
    throw new ImportError(`A name in ${show(name)} is longer than ${limits.maxNameBytes} bytes.`);
  return segments.join('/');
}

function checkFileAgainstFolder(files: ImportedFile[]): void {
  const names = new Set(files.filter((file) => file.kind !== 'directory').map((file) => file.path));
  for (const { path, kind } of files) {
    if (kind === 'directory' && names.has(path))
      throw new ImportError(`${path} is a file and a folder in the archive.`);
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1))
      if (names.has(path.slice(0, at)))
        throw new ImportError(`${path.slice(0, at)} is a file and a folder in the archive.`);
  }
}

/** A folder that holds something is made by what it holds. */
function withoutFullFolders(files: ImportedFile[]): ImportedFile[] {
  const parents = new Set<string>();
  for (const { path } of files)
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) parents.add(path.slice(0, at));
  return files.filter(({ kind, path }) => kind !== 'directory' || !parents.has(path));
}

function withoutOuterFolder(files: ImportedFile[]): ImportedFile[] {
  const slash = files[0]!.path.indexOf('/');
  if (slash < 0) return files;
  const outer = files[0]!.path.slice(0, slash + 1);
  if (!files.every((file) => file.path.startsWith(outer))) return files;
  return files.map((file) => ({ ...file, path: file.path.slice(outer.length) }));
}

const maxTargetBytes = 4096;

/** A link that could lead out of the project is kept as the file that it is in the archive: a program that writes there would write elsewhere. */
function withLinkInside(file: ImportedFile): ImportedFile {
  const leadsOut = file.kind === 'link' && couldLeadOut(file.path, new TextDecoder().decode(file.contents));
  return leadsOut ? { ...file, kind: 'file' } : file;
}

/** A `..` after a name goes up from wherever a link of that name leads: only leading ones can be counted. */
function couldLeadOut(path: string, target: string): boolean {
  const steps = target.split('/').filter((step) => step !== '.' && step !== '');
  const ups = steps.findIndex((step) => step !== '..');
  const leading = ups < 0 ? steps.length : ups;
  return target.startsWith('/') || leading > path.split('/').length - 1 || steps.slice(leading).includes('..');
}

/** What a link may lead to; anything else under a link's mode is kept as the file that it is. */
function isTarget(contents: Uint8Array): boolean {
  return contents.length > 0 && contents.length < maxTargetBytes && !contents.includes(0);
}

function isLitter(path: string): boolean {
  return path.startsWith('__MACOSX/') || path.split('/').includes('.DS_Store');
}

function tooLarge({ maxBytes }: ImportLimits): ImportError {
  return new ImportError(`Unpacked, the archive is larger than ${Math.round(maxBytes / 2 ** 20)} MB.`);
}

function show(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}

// `fs` of the WebContainer API on the engine: a small part of fs.promises, all of it below the working directory ("/x" is there too).
// What the engine's own calls do beyond fs.promises (making parents) is refused here, as programs written for the API expect.
import { EngineError } from '../client/connection';
import type { Engine } from '../client/engine';
import type { PathChange } from '../kernel/page-protocol';
import { Reference, type RemoteFunction } from './comlink-wire';

/** Kinds of a directory entry on the wire; a link is neither. */
const ENTRY_TYPE = { file: 1, directory: 2, symlink: 3, other: 4 } as const;

const ENCODINGS = ['utf8', 'utf-8', 'latin1', 'binary', 'ascii', 'hex', 'base64', 'base64url'];

interface ReaddirOptions {
  encoding?: string | null;
  withFileTypes?: boolean;
}

/** The absolute path for one that the API was given; an EngineError (EACCES) for one that leads out. */
export function insideWorkdir(workdir: string, path: unknown): string {
  if (typeof path !== 'string') throw new EngineError('ERR_INVALID_ARG_TYPE', `A path must be a string: ${path}`);
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..' && kept.pop() === undefined)
      throw new EngineError('EACCES', `EACCES: ${path} lies outside of the working directory`, path);
    if (segment !== '' && segment !== '.' && segment !== '..') kept.push(segment);
  }
  return [workdir, ...kept].join('/');
}

/** The object that `instance.fs()` gives out. */
export function webContainerFs(engine: Engine, workdir: string): object {
  const at = (path: unknown): string => insideWorkdir(workdir, path);
  const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
  const needParent = async (path: string, call: string): Promise<void> => {
    const { kind } = await engine.stat(parentOf(path)).catch((error: EngineError) => {
      throw new EngineError(error.code, `${error.code}: no such file or directory, ${call} '${path}'`, path);
    });
    if (kind !== 'directory') throw new EngineError('ENOTDIR', `ENOTDIR: not a directory, ${call} '${path}'`, path);
  };

  return {
    async readFile(path: string, encoding?: string | null) {
      const bytes = await engine.read(at(path));
      return encoding ? decode(bytes, encoding) : bytes;
    },
    async writeFile(
      path: string,
      contents: string | Uint8Array,
      options?: string | { encoding?: string | null } | null,
    ) {
      const encoding = typeof options === 'string' ? options : options?.encoding;
      const bytes = typeof contents === 'string' ? encode(contents, encoding ?? 'utf8') : contents;
      await needParent(at(path), 'open');
      await engine.write(at(path), bytes);
    },
    async readdir(path: string, options?: string | ReaddirOptions | null) {
      const { encoding, withFileTypes = false } = typeof options === 'string' ? { encoding: options } : (options ?? {});
      const entries = await engine.list(at(path));
      const nameOf = (name: string): string | Uint8Array => {
        if (encoding === 'buffer') return new TextEncoder().encode(name);
        return encoding && !/^utf-?8$/i.test(encoding) ? decode(new TextEncoder().encode(name), encoding) : name;
      };
      if (!withFileTypes) return entries.map(({ name }) => nameOf(name));
      return entries.map(({ name, kind }) => ({ name: nameOf(name), 'Symbol(type)': ENTRY_TYPE[kind] }));
    },
    async mkdir(path: string, options?: { recursive?: boolean }) {
      const directory = at(path);
      if (!options?.recursive) {
        await needParent(directory, 'mkdir');
        if (await engine.exists(directory))
          throw new EngineError('EEXIST', `EEXIST: file already exists, mkdir '${directory}'`, directory);
        return engine.makeDirectory(directory);
      }
      let first: string | undefined;
      for (let up = directory; up !== '' && !(await engine.exists(up)); up = parentOf(up)) first = up;
      await engine.makeDirectory(directory);
      return first;
    },
    async rm(path: string, options?: { recursive?: boolean; force?: boolean }) {
      const target = at(path);
      const entries = await engine.list(parentOf(target)).catch(() => []);
      const entry = entries.find(({ name }) => name === target.slice(target.lastIndexOf('/') + 1));
      if (!entry && options?.force) return;
      if (entry?.kind === 'directory' && !options?.recursive)
        throw new EngineError(
          'ERR_FS_EISDIR',
          `Path is a directory: rm returned EISDIR (is a directory) ${target}`,
          target,
        );
      await engine.remove(target);
    },
    async rename(from: string, to: string) {
      await needParent(at(to), 'rename');
      await engine.move(at(from), at(to));
    },
    async watch(path: string, options: string | { recursive?: boolean } | null | undefined, listener?: RemoteFunction) {
      const watched = at(path);
      const isRecursive = typeof options === 'object' && options?.recursive === true;
      const { kind } = await engine.stat(watched);
      const stop = await engine.watch(watched, (changes: PathChange[]) => {
        for (const change of changes) {
          const event = change.kind === 'changed' ? 'change' : 'rename';
          const name = kind === 'directory' ? change.path.slice(watched.length + 1) : baseOf(watched);
          if (name !== '' && (isRecursive || !name.includes('/'))) void listener?.call(event, name);
        }
      });
      return new Reference({ close: stop });
    },
  };
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function checkEncoding(encoding: string): string {
  const known = encoding.toLowerCase();
  if (!ENCODINGS.includes(known)) throw new EngineError('ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
  return known;
}

function decode(bytes: Uint8Array, encoding: string): string {
  const known = checkEncoding(encoding);
  if (known.startsWith('utf')) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (known === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const mask = known === 'ascii' ? 0x7f : 0xff;
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte & mask);
  if (!known.startsWith('base64')) return binary;
  const base64 = btoa(binary);
  return known === 'base64' ? base64 : base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function encode(text: string, encoding: string): Uint8Array {
  const known = checkEncoding(encoding);
  if (known.startsWith('utf')) return new TextEncoder().encode(text);
  if (known === 'hex') {
    const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)?.[0].match(/../g) ?? [];
    return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  }
  const binary = known.startsWith('base64') ? atob(text.replaceAll('-', '+').replaceAll('_', '/')) : text;
  return Uint8Array.from(binary, (char) => char.charCodeAt(0) & 0xff);
}

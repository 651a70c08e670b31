// A project as bytes: a format of its own, because it is small, has nothing in it that could be a link, a mode or an absolute path, and is
// read with every bound checked before anything is believed.
//
// `CLO1`, then: name, number of files, and for each file path and contents. Texts and contents are a length (LEB128, unsigned) and that many
// bytes; texts are UTF-8.

import { joinBytes } from '../std/join-bytes';
import { ShareError, type ShareLimits, shareLimits } from './share-limits';

/** A file; `path` is relative to the project. */
export interface SharedFile {
  path: string;
  contents: Uint8Array;
}

export interface SharedProject {
  name: string;
  files: SharedFile[];
}

const magic = new TextEncoder().encode('CLO1');

/** The bytes of a project. Throws a ShareError for what `unpack` would refuse. */
export function pack({ name, files }: SharedProject, limits: ShareLimits = shareLimits): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [magic];
  const text = (value: string) => {
    const bytes = new TextEncoder().encode(value);
    parts.push(number(bytes.length), bytes);
  };
  text(name);
  parts.push(number(files.length));
  checkPaths(
    files.map((file) => file.path),
    limits,
  );
  for (const { path, contents } of files) {
    text(path);
    parts.push(number(contents.length), contents);
  }
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  if (total > limits.maxBytes) throw new ShareError(`The project is larger than ${megabytes(limits)} MB.`);
  return joinBytes(parts);
}

/** The project of these bytes. Throws a ShareError that names what is wrong. *Contract:* the contents are views of `bytes`. */
export function unpack(bytes: Uint8Array, limits: ShareLimits = shareLimits): SharedProject {
  if (bytes.length > limits.maxBytes)
    throw new ShareError(`The shared project is larger than ${megabytes(limits)} MB.`);
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new ShareError('The link is damaged: it ends in the middle of a file.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const size = (): number => {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const [byte] = take(1);
      value |= (byte! & 0x7f) << shift;
      if (byte! < 0x80) return value;
    }
    throw new ShareError('The link is damaged: a length in it is impossible.');
  };
  const text = (what: string, maxBytes: number): string => {
    const length = size();
    if (length > maxBytes) throw new ShareError(`${what} in the link is longer than ${maxBytes} bytes.`);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(take(length)));
    } catch (error) {
      if (error instanceof ShareError) throw error;
      throw new ShareError(`${what} in the link is not valid text.`);
    }
  };
  if (!take(Math.min(4, bytes.length)).every((byte, index) => byte === magic[index]) || bytes.length < 4)
    throw new ShareError('This link holds no Cloche project.');
  const name = text('The project’s name', limits.maxNameBytes * 4);
  const count = size();
  if (count > limits.maxFiles)
    throw new ShareError(`The link says it holds ${count} files; at most ${limits.maxFiles} can be shared.`);
  const files: SharedFile[] = [];
  for (let index = 0; index < count; index++) {
    const path = text(`The name of file ${index + 1}`, limits.maxPathBytes);
    files.push({ path, contents: take(size()) });
  }
  if (at !== bytes.length) throw new ShareError('The link is damaged: something follows its last file.');
  checkPaths(
    files.map((file) => file.path),
    limits,
  );
  return { name, files };
}

/** Throws a ShareError that names the first path which is not a plain place inside the project, or is there twice. */
export function checkPaths(paths: readonly string[], limits: ShareLimits = shareLimits): void {
  if (paths.length > limits.maxFiles)
    throw new ShareError(`The project has ${paths.length} files; at most ${limits.maxFiles} can be shared.`);
  const seen = new Set<string>();
  for (const path of paths) {
    const wrong = wrongPath(path, limits);
    if (wrong !== undefined) throw new ShareError(`${show(path)} ${wrong}.`);
    if (seen.has(path)) throw new ShareError(`${show(path)} is in the link twice.`);
    seen.add(path);
  }
  for (const path of paths)
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1))
      if (seen.has(path.slice(0, at))) throw new ShareError(`${show(path.slice(0, at))} is a file and a folder.`);
}

function wrongPath(path: string, limits: ShareLimits): string | undefined {
  if (path === '') return 'is an empty name';
  if (path.startsWith('/')) return 'is an absolute path';
  if (!path.isWellFormed()) return 'is not valid text';
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'contains control characters';
  if (new TextEncoder().encode(path).length > limits.maxPathBytes) return `is longer than ${limits.maxPathBytes} bytes`;
  const segments = path.split('/');
  if (segments.length > limits.maxDepth) return `lies deeper than ${limits.maxDepth} folders`;
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') return 'does not name a place inside the project';
    if (new TextEncoder().encode(segment).length > limits.maxNameBytes)
      return `has a name longer than ${limits.maxNameBytes} bytes`;
  }
  return undefined;
}

function number(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return Uint8Array.from(bytes);
}

function megabytes(limits: ShareLimits): number {
  return Math.round(limits.maxBytes / 2 ** 20);
}

/** A name as it may be shown: hostile ones are long, or hold what turns text around. */
function show(path: string): string {
  const plain = path.toWellFormed().replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '?');
  return plain.length > 80 ? `“${plain.slice(0, 77)}…”` : `“${plain}”`;
}

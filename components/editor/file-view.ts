// What a file is shown as: text that can be edited, a picture, or bytes. Decided by its contents; the name only says which picture.
import type { SandboxFs } from '../../lib/sandbox/sandbox';
import { byName } from '../../lib/std/by-name';
import type { TextEdit } from '../../lib/std/merge';
import { decodeText, type TextEncoding } from '../../lib/std/text-file';

/** The part of a Monaco model that documents need. Text has the buffer's own line endings, never mixed. */
export interface TextBuffer {
  getText(): string;
  /** One undoable step; edits are disjoint and in order. */
  edit(edits: TextEdit[]): void;
  onChange(listener: () => void): () => void;
  dispose(): void;
}

export type BufferFactory = (path: string, text: string) => TextBuffer;

export interface TextView {
  kind: 'text';
  buffer: TextBuffer;
  shape: { encoding: TextEncoding; bom: boolean };
  /** Why it can't be edited. */
  readOnly?: string;
}

export type FileView =
  | { kind: 'loading' }
  | TextView
  | { kind: 'image'; url: string; size: number }
  | { kind: 'binary'; size: number; head: Uint8Array; reason: string }
  | { kind: 'large'; size: number }
  | { kind: 'failed'; message: string };

/** Text above this is shown read-only; above `hugeBytes` nothing is read at all. */
export const readOnlyBytes = 5 * 2 ** 20;
export const hugeBytes = 64 * 2 ** 20;
const headBytes = 4096;

const imageTypes: Record<string, string> = byName({
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
});

/** Reads the file and decides. `base` is the text as the buffer holds it; empty for anything else. Failures are a view, not a throw. */
export async function loadFile(
  fs: SandboxFs,
  path: string,
  loadBuffers: () => Promise<BufferFactory>,
): Promise<{ view: FileView; base: string }> {
  try {
    const { size } = await fs.stat(path);
    if (size > hugeBytes) return { view: { kind: 'large', size }, base: '' };
    const bytes = await fs.read(path);
    const type = imageTypes[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
    const decoded = decodeText(bytes);
    if (decoded.kind === 'binary' && type !== undefined) {
      const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
      return { view: { kind: 'image', url, size }, base: '' };
    }
    if (decoded.kind === 'binary')
      return { view: { kind: 'binary', size, head: bytes.slice(0, headBytes), reason: decoded.reason }, base: '' };
    const text = evenLines(decoded.text);
    const createBuffer = await loadBuffers();
    const view: TextView = {
      kind: 'text',
      buffer: createBuffer(path, text),
      shape: { encoding: decoded.encoding, bom: decoded.bom },
    };
    if (size > readOnlyBytes) view.readOnly = `Read-only: it is larger than ${readOnlyBytes / 2 ** 20} MB.`;
    return { view, base: text };
  } catch (error) {
    return { view: { kind: 'failed', message: error instanceof Error ? error.message : String(error) }, base: '' };
  }
}

/** The file's text now, as the view's buffer would hold it. Throws when it is no longer text; the view's shape follows the file. */
export async function readTextFor(fs: SandboxFs, path: string, view: TextView): Promise<string> {
  const decoded = decodeText(await fs.read(path));
  if (decoded.kind === 'binary') throw new Error(decoded.reason);
  view.shape = { encoding: decoded.encoding, bom: decoded.bom };
  return evenLines(decoded.text);
}

/** One kind of line ending, the one that is more common: editors hold no mixed text. */
export function evenLines(text: string): string {
  const windows = text.split('\r\n').length - 1;
  const unix = text.split('\n').length - 1 - windows;
  if (windows === 0 || unix === 0) return text;
  return windows > unix ? text.replace(/\r?\n/g, '\r\n') : text.replace(/\r\n/g, '\n');
}

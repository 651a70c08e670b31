// Reading a file that a tool is going to change: one decoder for all of them, refusing what can't be written back byte by byte.
import { perSandbox } from '../sandbox/per-sandbox';
import type { Sandbox } from '../sandbox/sandbox';
import { type DecodedText, decodeText } from '../std/text-file';
import type { Located } from './locate';
import { nearNames } from './near-names';
import { ToolError } from './tool';

/** Decoded text, or undefined when the file does not exist. Directories and binary files are ToolErrors. */
export async function readTextTarget(sandbox: Sandbox, place: Located): Promise<DecodedText | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await sandbox.fs.read(place.path);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') throw new ToolError(`${place.shown} is a directory. Name a file in it.`);
    throw error;
  }
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary')
    throw new ToolError(
      `${place.shown} is not text that can be changed safely: ${decoded.reason}. Use a command if you must change it.`,
    );
  return decoded;
}

/** As `readTextTarget`; a missing file is a ToolError in the words of `missing`, with similar names. */
export async function existingTextTarget(
  sandbox: Sandbox,
  place: Located,
  missing: (shown: string, near: string[]) => string,
): Promise<DecodedText> {
  const file = await readTextTarget(sandbox, place);
  if (file !== undefined) return file;
  throw new ToolError(missing(place.shown, await nearNames(sandbox, place.path)));
}

const locksOf = perSandbox(() => new Map<string, Promise<unknown>>());

/** Runs `change` alone among the changes of this file, those of sub-agents included. *Contract:* never wait for a person inside. */
export async function withFileLock<T>(sandbox: Sandbox, path: string, change: () => Promise<T>): Promise<T> {
  const byPath = locksOf(sandbox);
  const before = byPath.get(path) ?? Promise.resolve();
  const turn = before.then(change, change);
  const settled = turn.catch(() => {});
  byPath.set(path, settled);
  try {
    return await turn;
  } finally {
    if (byPath.get(path) === settled) byPath.delete(path);
  }
}

// Taking recorded writes back, the last one first: where the file still is what the tool left, its old bytes; where the person went on editing,
// the inverse of the tool's change merged into theirs. What can't be merged is left alone and told, and nothing is touched that no tool wrote.
import type { Sandbox } from '../sandbox/sandbox';
import { mergeText } from '../std/merge';
import { displayPath, isInside, parentPath } from '../std/paths';
import { decodeText, encodeText, equalBytes } from '../std/text-file';
import type { Message, ToolPart } from './messages';
import type { RecordedWrite } from './recording-sandbox';
import type { SessionStore } from './session-store';

/** A file that undo left alone because somebody changed it after the tool did. */
export interface UndoConflict {
  path: string;
  reason: string;
}

/** What undo did: files put back or removed again, and what it left alone. `prompt` is the undone text, to put back into the composer. */
export interface UndoReport {
  restored: string[];
  conflicts: UndoConflict[];
  /** Commands of that turn, whose effects can't be undone. */
  commands: string[];
  prompt: string;
}

type Bytes = Uint8Array | null;

/**
 * `writes` in the order in which they were made. Paths in the answer are relative to the project. Directories that were made for files go with the last
 * of them; `all`: writes for which directories may have been made.
 */
export async function undoWrites(
  sandbox: Sandbox,
  writes: readonly RecordedWrite[],
  all: readonly RecordedWrite[] = writes,
): Promise<{ restored: string[]; conflicts: UndoConflict[] }> {
  const restored: string[] = [];
  const conflicts: UndoConflict[] = [];
  const left: { from: string; made: string }[] = [];
  for (const [path, own] of Map.groupBy(writes, (write) => write.path)) {
    const shown = displayPath(path, sandbox.workdir);
    try {
      const there = await whatIsAt(sandbox, path);
      if ('inTheWay' in there) {
        conflicts.push({ path: shown, reason: there.inTheWay });
        continue;
      }
      const now = there.bytes;
      const wanted = withoutWrites(now, own);
      if ('conflict' in wanted) conflicts.push({ path: shown, reason: wanted.conflict });
      else if (!sameBytes(now, wanted.bytes)) {
        if (wanted.bytes === null) {
          await sandbox.fs.remove(path);
          const from = parentPath(path);
          for (const { made } of all) if (made !== undefined && isInside(from, made)) left.push({ from, made });
        } else await sandbox.fs.write(path, wanted.bytes);
        const mode = own.find((write) => write.mode !== undefined)?.mode;
        if (now === null && mode !== undefined) await sandbox.fs.setMode(path, mode);
        restored.push(shown);
      }
    } catch (error) {
      conflicts.push({ path: shown, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  for (const { from, made } of left.sort((a, b) => b.from.length - a.from.length))
    await removeEmpty(sandbox, from, made);
  return { restored, conflicts };
}

/** `from` and the directories around it up to `made`, as long as nothing is in them. What can't be removed stays. */
async function removeEmpty({ fs }: Sandbox, from: string, made: string): Promise<void> {
  for (let at = from; isInside(at, made); at = parentPath(at)) {
    const entries = await fs
      .list(at)
      .catch((error: { code?: unknown }) => (error.code === 'ENOENT' ? undefined : [at]));
    if (entries === undefined) continue;
    if (entries.length > 0) return;
    await fs.remove(at).catch(() => {});
  }
}

/** What the file would be had these writes not been made. */
function withoutWrites(now: Bytes, writes: readonly RecordedWrite[]): { bytes: Bytes } | { conflict: string } {
  let bytes = now;
  for (const { before, after } of writes.toReversed()) {
    if (sameBytes(bytes, after)) bytes = before;
    else if (!sameBytes(bytes, before)) {
      if (bytes === null) return { conflict: 'it was deleted since' };
      const merged = withoutChange(bytes, before, after);
      if (merged === undefined) return { conflict: 'it was changed since' };
      bytes = merged;
    }
  }
  return { bytes };
}

/** The change from `before` to `after` taken out of `now`, which goes on from `after`; undefined where both touch the same lines. */
function withoutChange(now: Uint8Array, before: Bytes, after: Bytes): Uint8Array | undefined {
  if (before === null || after === null) return undefined;
  const [mine, theirs, base] = [now, before, after].map(decodeText);
  if (mine?.kind !== 'text' || theirs?.kind !== 'text' || base?.kind !== 'text') return undefined;
  const merged = mergeText(base.text, mine.text, theirs.text);
  return merged.kind === 'merged' ? encodeText(merged.text, mine) : undefined;
}

/** The file that is there, null when nothing is; or what stands where it would be. */
export async function whatIsAt(sandbox: Sandbox, path: string): Promise<{ bytes: Bytes } | { inTheWay: string }> {
  try {
    return { bytes: await sandbox.fs.read(path) };
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') return { bytes: null };
    if (code === 'EISDIR') return { inTheWay: 'a folder of that name is there now' };
    if (code === 'ENOTDIR') return { inTheWay: 'a file is there now where its folder was' };
    throw error;
  }
}

/** Same content, or nothing on both sides? */
export function sameBytes(a: Bytes, b: Bytes): boolean {
  return a === null || b === null ? a === b : equalBytes(a, b);
}

/** Takes back what these messages (the person's first) did to files, and tells what it can't take back. `forget` gets every path involved. */
export async function undoMessages(
  sandbox: Sandbox,
  store: SessionStore,
  sessionId: string,
  undone: readonly Message[],
  forget: (path: string) => void,
): Promise<UndoReport> {
  const writes = (await Promise.all(undone.map((message) => store.loadWrites(sessionId, message.id)))).flat();
  const { restored, conflicts } = await undoWrites(sandbox, writes);
  for (const write of writes) forget(write.path);
  const commands = undone
    .flatMap((message) => message.parts)
    .filter((part): part is ToolPart => part.type === 'tool' && part.tool === 'bash' && part.startedAtMs !== undefined)
    .map((part) => part.title ?? part.inputText);
  const asked = undone[0]?.parts[0];
  return { restored, conflicts, commands, prompt: asked?.type === 'text' ? asked.text : '' };
}

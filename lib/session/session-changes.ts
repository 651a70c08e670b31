// What the agents of a conversation did to the files of the project, file by file, from the first thing that was there to the last that they wrote.
import type { Sandbox } from '../sandbox/sandbox';
import { displayPath } from '../std/paths';
import { decodeText } from '../std/text-file';
import { type FileDiff, fileDiff } from '../tools/file-diff';
import type { RecordedWrite } from './recording-sandbox';
import { sameBytes, whatIsAt } from './undo-writes';

/** One file that tools changed. Commands' effects are not in it. */
export interface SessionChange {
  path: string;
  /** Relative to the project. */
  shown: string;
  change: 'created' | 'changed' | 'deleted';
  /** Undefined for what is no text. */
  diff: FileDiff | undefined;
  /** Somebody went on editing it. */
  isEditedSince: boolean;
}

/** `writes` in their order. Files that are again what they were are left out. */
export async function sessionChanges(sandbox: Sandbox, writes: readonly RecordedWrite[]): Promise<SessionChange[]> {
  const changes: SessionChange[] = [];
  for (const [path, own] of Map.groupBy(writes, (write) => write.path)) {
    const before = own[0]!.before;
    const after = own.at(-1)!.after;
    const now = await whatIsAt(sandbox, path);
    const isNow = (bytes: Uint8Array | null) => 'bytes' in now && sameBytes(now.bytes, bytes);
    if (isNow(before) || sameBytes(before, after)) continue;
    const shown = displayPath(path, sandbox.workdir);
    changes.push({
      path,
      shown,
      change: before === null ? 'created' : after === null ? 'deleted' : 'changed',
      diff: diffOf(shown, before, after),
      isEditedSince: !isNow(after),
    });
  }
  return changes.sort((a, b) => (a.shown < b.shown ? -1 : 1));
}

function diffOf(shown: string, before: Uint8Array | null, after: Uint8Array | null): FileDiff | undefined {
  const [old, now] = [before, after].map((bytes) => (bytes === null ? undefined : decodeText(bytes)));
  if (old?.kind === 'binary' || now?.kind === 'binary') return undefined;
  const diff = fileDiff(shown, old?.text, now?.text ?? '');
  return after === null ? { ...diff, change: 'deleted' } : diff;
}

// Taking recorded writes back: only where the file still is what the tool left, and nothing that no tool wrote.
import type { Sandbox } from '../sandbox/sandbox';
import { displayPath } from '../std/paths';
import { equalBytes } from '../std/text-file';
import type { RecordedWrite } from './recording-sandbox';
import type { UndoConflict } from './types';

/** `writes` in the order in which they were made. Paths in the answer are relative to the project. */
export async function undoWrites(
  sandbox: Sandbox,
  writes: readonly RecordedWrite[],
): Promise<{ restored: string[]; paths: string[]; conflicts: UndoConflict[] }> {
  const spans = new Map<string, { before: Uint8Array | null; after: Uint8Array | null }>();
  for (const write of writes) {
    const span = spans.get(write.path);
    spans.set(write.path, { before: span === undefined ? write.before : span.before, after: write.after });
  }
  const restored: string[] = [];
  const paths: string[] = [];
  const conflicts: UndoConflict[] = [];
  for (const [path, { before, after }] of spans) {
    const shown = displayPath(path, sandbox.workdir);
    try {
      const now = await current(sandbox, path);
      if (same(now, before)) continue;
      if (!same(now, after)) {
        conflicts.push({ path: shown, reason: now === null ? 'it was deleted since' : 'it was changed since' });
        continue;
      }
      if (before === null) await sandbox.fs.remove(path);
      else await sandbox.fs.write(path, before);
      restored.push(shown);
      paths.push(path);
    } catch (error) {
      conflicts.push({ path: shown, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { restored, paths, conflicts };
}

async function current(sandbox: Sandbox, path: string): Promise<Uint8Array | null> {
  try {
    return await sandbox.fs.read(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}

function same(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : equalBytes(a, b);
}

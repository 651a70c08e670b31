// Taking recorded writes back: only where the file still is what the tool left, and nothing that no tool wrote.
import type { Sandbox } from '../sandbox/sandbox';
import { displayPath } from '../std/paths';
import { equalBytes } from '../std/text-file';
import type { RecordedWrite } from './recording-sandbox';
import type { SessionStore } from './session-store';
import type { Message, ToolPart, UndoConflict, UndoReport } from './types';

/** `writes` in the order in which they were made. Paths in the answer are relative to the project. */
export async function undoWrites(
  sandbox: Sandbox,
  writes: readonly RecordedWrite[],
): Promise<{ restored: string[]; conflicts: UndoConflict[] }> {
  const spans = new Map<string, { before: Uint8Array | null; after: Uint8Array | null }>();
  for (const write of writes) {
    const span = spans.get(write.path);
    spans.set(write.path, { before: span === undefined ? write.before : span.before, after: write.after });
  }
  const restored: string[] = [];
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
    } catch (error) {
      conflicts.push({ path: shown, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { restored, conflicts };
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

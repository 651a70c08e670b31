// The way back for a change of many files at once: each gets its old text again, also where something was written elsewhere in it since.
import type { SandboxFs } from '../../lib/sandbox/sandbox';
import type { OpenBuffers } from '../../lib/session/buffered-sandbox';
import { mergeText } from '../../lib/std/merge';
import { decodeText, encodeText } from '../../lib/std/text-file';
import { showError, showToast } from '../ui/toasts';

/** One file as it was and as it became. */
export interface Changed {
  path: string;
  before: Uint8Array;
  after: Uint8Array;
}

/** Through the buffers of open files. Resolves to the paths of those that stay as they are: the same lines were changed since, or they are gone. */
export async function putBack(
  fs: SandboxFs,
  buffers: Pick<OpenBuffers, 'write' | 'saveAll'>,
  changed: readonly Changed[],
): Promise<string[]> {
  await buffers.saveAll();
  const kept: string[] = [];
  for (const { path, before, after } of changed) {
    try {
      const now = new Uint8Array(await fs.read(path));
      const old = withoutChange(now, before, after);
      if (!(await buffers.write(path, old, now))) await fs.write(path, old);
    } catch {
      kept.push(path);
    }
  }
  return kept;
}

/** A notice of what was done, with *Undo*; `undone` is called after it. */
export function offerUndo(words: string, undo: () => Promise<string[]>, undone: () => void = () => {}): void {
  const run = async () => {
    const kept = await undo();
    undone();
    if (kept.length > 0) showToast(`Changed since and left as it is: ${namesOf(kept)}`, { tone: 'error' });
  };
  showToast(words, {
    action: { label: 'Undo', run: () => void run().catch((error: unknown) => showError('Could not undo', error)) },
  });
}

/** The first three names, and how many more. */
export function namesOf(paths: readonly string[]): string {
  const names = paths.slice(0, 3).map((path) => path.slice(path.lastIndexOf('/') + 1));
  return names.join(', ') + (paths.length > 3 ? ` and ${paths.length - 3} more` : '');
}

/** What the file would hold had the change from `before` to `after` not been made. Throws when later changes are in the same lines. */
function withoutChange(now: Uint8Array, before: Uint8Array, after: Uint8Array): Uint8Array {
  const [current, old, replaced] = [decodeText(now), decodeText(before), decodeText(after)];
  if (current.kind === 'binary' || old.kind === 'binary' || replaced.kind === 'binary') throw new Error('not text');
  const merged = mergeText(replaced.text, current.text, old.text);
  if (merged.kind === 'conflict') throw new Error('changed since');
  return encodeText(merged.text, current);
}

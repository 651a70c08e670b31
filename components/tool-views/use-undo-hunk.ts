// Taking back one hunk of a finished edit, from where it is shown.
'use client';

import { useMemo } from 'react';
import type { ToolPart } from '../../lib/session/messages';
import { resolvePath } from '../../lib/std/paths';
import { decodeText, encodeText } from '../../lib/std/text-file';
import { withoutHunk } from '../../lib/tools/without-hunk';
import type { Workbench } from '../ide/workbench';
import { useWorkbench } from '../ide/workbench-context';
import { showError, showToast } from '../ui/toasts';
import type { DiffHunk } from './diff-lines';

/** Takes a hunk of a file of this call back; undefined before the call is done. Tells about its outcome itself. */
export function useUndoHunk(part: ToolPart): ((path: string, hunk: DiffHunk) => void) | undefined {
  const workbench = useWorkbench();
  const isDone = part.state === 'done';
  return useMemo(
    () =>
      isDone
        ? (path, hunk) =>
            void undo(workbench, path, hunk).catch((error) => showError(`Could not change ${path}`, error))
        : undefined,
    [workbench, isDone],
  );
}

async function undo({ sandbox, documents }: Workbench, shown: string, hunk: DiffHunk): Promise<void> {
  const path = resolvePath(sandbox.workdir, shown);
  await documents.saveAll();
  const bytes = await sandbox.fs.read(path);
  const file = decodeText(bytes);
  if (file.kind === 'binary') throw new Error(file.reason);
  const text = withoutHunk(file.text, hunk.source);
  if (text === undefined) throw new Error('those lines are not there any more as the agent left them.');
  await sandbox.fs.write(path, encodeText(text, file));
  showToast(`Took a change back in ${shown}`, {
    action: { label: 'Undo', run: () => void sandbox.fs.write(path, new Uint8Array(bytes)).catch(() => {}) },
  });
}

// Taking back one hunk of a finished edit, from where it is shown.
'use client';

import { useMemo } from 'react';
import type { ToolPart } from '../../lib/session/messages';
import type { Session } from '../../lib/session/types';
import { resolvePath } from '../../lib/std/paths';
import { useConversations } from '../chat/chat-context';
import type { Workbench } from '../ide/workbench';
import { useWorkbench } from '../ide/workbench-context';
import { useStore } from '../ui/store';
import { showError, showToast } from '../ui/toasts';
import type { DiffHunk } from './diff-lines';

/** Takes a hunk of a file of this call back; undefined before the call is done. Tells about its outcome itself. */
export function useUndoHunk(part: ToolPart): ((path: string, hunk: DiffHunk) => void) | undefined {
  const workbench = useWorkbench();
  const session = useStore(useConversations().current);
  const isDone = part.state === 'done';
  return useMemo(
    () =>
      isDone
        ? (path, hunk) =>
            void undo(workbench, session, path, hunk).catch((error) => showError(`Could not change ${path}`, error))
        : undefined,
    [workbench, session, isDone],
  );
}

async function undo({ sandbox }: Workbench, session: Session, shown: string, hunk: DiffHunk): Promise<void> {
  const outcome = await session.revertHunk(resolvePath(sandbox.workdir, shown), hunk.source);
  if ('conflict' in outcome) throw new Error(outcome.conflict);
  showToast(`Took a change back in ${shown}`, {
    action: {
      label: 'Undo',
      run: () => void outcome.putBack().catch((error) => showError(`Could not change ${shown}`, error)),
    },
  });
}

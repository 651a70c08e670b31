// All that the agent did to files in this conversation, with a way back for each file. What the person typed since is kept or the file is left
// alone; it never goes silently.
'use client';

import { useEffect, useState } from 'react';
import type { SessionChange } from '../../lib/session/session-changes';
import { DiffView } from '../tool-views/diff-view';
import { Sheet } from '../ui/sheet';
import { showError, showToast } from '../ui/toasts';
import { useCurrent } from './chat-context';

interface SessionChangesProps {
  open: boolean;
  close: () => void;
}

/** Read when it is opened. */
export function SessionChanges({ open, close }: SessionChangesProps) {
  return (
    <Sheet title="Changes of this conversation" open={open} close={close}>
      {open && <Changes />}
    </Sheet>
  );
}

function Changes() {
  const { session, state } = useCurrent();
  const [changes, setChanges] = useState<SessionChange[]>();
  const isAtRest = state.status.kind === 'idle' || state.status.kind === 'failed';
  const look = () =>
    session.changes().then(setChanges, (error: unknown) => showError('The changes could not be read', error));
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again when a turn ends.
  useEffect(() => void look(), [session, isAtRest]);
  if (changes === undefined) return <p aria-busy="true">Reading…</p>;
  if (changes.length === 0) return <p>No file is different from what it was before this conversation.</p>;

  const revert = async ({ path, shown }: SessionChange) => {
    const { conflicts } = await session.revert(path);
    if (conflicts.length > 0) showError(`${shown} was left as it is`, new Error(conflicts[0]!.reason));
    else showToast(`${shown} is as it was before this conversation`);
    await look();
  };
  return (
    <ul className="session-changes">
      {changes.map((change) => (
        <li key={change.path}>
          <div className="form-row">
            <code>{change.shown}</code>
            <small>{change.isEditedSince ? `${change.change}, edited since` : change.change}</small>
            <button
              type="button"
              className="button"
              disabled={!isAtRest}
              onClick={() => void revert(change).catch((error) => showError('Could not take it back', error))}
            >
              Take back
            </button>
          </div>
          {change.diff ? <DiffView diff={change.diff} /> : <p className="diff-note">Not text: nothing to show.</p>}
        </li>
      ))}
    </ul>
  );
}

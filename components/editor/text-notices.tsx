// What must be known about the open file, in place above it: a conflict to decide, a failed save, read-only, deleted.
'use client';

import { useWorkbench } from '../ide/workbench-context';
import type { OpenFile } from './documents';

/** At most one line, the most urgent one. */
export function TextNotices({ file }: { file: OpenFile }) {
  const { documents } = useWorkbench();
  const { path, view } = file;
  if (file.conflict !== undefined)
    return (
      <div className="notice" role="alert" data-tone="warning">
        <span>
          Something else changed the lines that you were typing in. Your text is not saved until you choose; undo brings
          it back after that too.
        </span>
        <button type="button" className="button" onClick={() => documents.resolveConflict(path, 'mine')}>
          Keep mine
        </button>
        <button type="button" className="button" onClick={() => documents.resolveConflict(path, 'theirs')}>
          Take the file’s
        </button>
      </div>
    );
  if (file.saveError !== undefined)
    return (
      <div className="notice" role="alert" data-tone="error">
        <span>This file could not be saved: {file.saveError}</span>
        <button type="button" className="button" onClick={() => void documents.save(path)}>
          Try again
        </button>
      </div>
    );
  if (file.deleted)
    return (
      <div className="notice" role="status" data-tone="warning">
        <span>This file was deleted. Your text is still here.</span>
        {view.kind === 'text' && (
          <button type="button" className="button" onClick={() => void documents.save(path)}>
            Write it again
          </button>
        )}
      </div>
    );
  if (view.kind === 'text' && view.readOnly !== undefined)
    return (
      <div className="notice" role="status">
        <span>{view.readOnly}</span>
      </div>
    );
  return null;
}

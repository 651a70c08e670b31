// What taking a turn back did, and what it could not do: stays until it is closed or the next message goes.
'use client';

import { X } from 'lucide-react';
import type { UndoReport } from '../../lib/session/undo-writes';
import { IconButton } from '../ui/tip';

/** Named files and commands, no counts to guess from. */
export function UndoNotice({ report, close }: { report: UndoReport; close: () => void }) {
  const { restored, conflicts, commands } = report;
  return (
    <section
      className="undo-notice"
      role="status"
      aria-label="What was taken back"
      data-tone={conflicts.length > 0 ? 'warning' : undefined}
    >
      <div>
        <p>
          {restored.length === 0
            ? `The turn was taken back.${conflicts.length === 0 ? ' It had changed no file.' : ''}`
            : `The turn was taken back. Put back: ${restored.join(', ')}.`}
        </p>
        {conflicts.map(({ path, reason }) => (
          <p key={path}>{`Left alone: ${path}, because ${reason}.`}</p>
        ))}
        {commands.length > 0 && (
          <p>
            Commands can’t be taken back: <span className="mono">{[...new Set(commands)].join(' · ')}</span>
          </p>
        )}
      </div>
      <IconButton label="Close" small onClick={close}>
        <X size={14} />
      </IconButton>
    </section>
  );
}

// Says that work is not kept, why, and what to do, for as long as it is so; and once, how a damaged project came back.
'use client';

import { useState } from 'react';
import type { StorageState } from '../../lib/sandbox/sandbox';
import { useStore } from '../ui/store';
import { useCommands, useWorkbench } from './workbench-context';

/** At most one line per fact; nothing while everything is kept. */
export function StorageNotice() {
  const { sandbox, storage } = useWorkbench();
  const state = useStore(storage);
  const commands = useCommands();
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const notices = [...failureOf(state), ...(sandbox.storage?.notices ?? [])].filter((text) => !dismissed.has(text));
  return notices.map((text) => (
    <div key={text} className="storage-notice" role="alert">
      <span>{text}</span>
      <button
        type="button"
        className="button"
        onClick={() => commands.find((command) => command.id === 'project.export')?.run()}
      >
        Download as a zip
      </button>
      <button
        type="button"
        className="button"
        data-tone="quiet"
        onClick={() => setDismissed(new Set([...dismissed, text]))}
      >
        Dismiss
      </button>
    </div>
  ));
}

function failureOf(state: StorageState): string[] {
  if (state.kind !== 'failing') return [];
  return state.isFull
    ? [
        'The browser has no room left: your latest changes are not kept. Download the project, then delete projects that you no longer need or free space on this device. Saving is tried again every few seconds.',
      ]
    : [
        `Your latest changes are not kept: ${state.message}. Download the project before you close this tab. Saving is tried again every few seconds.`,
      ];
}

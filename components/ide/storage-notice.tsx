// Says that work is not kept, why, and what to do, for as long as it is so; and once, how a damaged project came back.
'use client';

import { useState, useSyncExternalStore } from 'react';
import type { StorageState } from '../../lib/sandbox/sandbox';
import { browserStorage } from '../../lib/std/browser-storage';
import { useStore } from '../ui/store';
import { useCommands, useWorkbench } from './workbench-context';

/** At most one line per fact; nothing while everything is kept. A phone has no status bar: what stands there otherwise is said here. */
export function StorageNotice({ narrow }: { narrow: boolean }) {
  const { sandbox, storage } = useWorkbench();
  const state = useStore(storage);
  const commands = useCommands();
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const unremembered = useUnremembered();
  const ofWork = [...failureOf(state), ...(sandbox.storage?.notices ?? [])];
  const notices = narrow && unremembered !== undefined ? [...ofWork, unremembered] : ofWork;
  const shown = notices.filter((text) => !dismissed.has(text));
  return shown.map((text) => (
    <div
      key={text}
      className="storage-notice"
      data-tone={text === unremembered ? 'warning' : 'error'}
      role={text === unremembered ? 'status' : 'alert'}
    >
      <span>{text}</span>
      {text !== unremembered && (
        <button
          type="button"
          className="button"
          onClick={() => commands.find((command) => command.id === 'project.export')?.run()}
        >
          Download as a zip
        </button>
      )}
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

/** That settings, tabs and drafts last only as long as this tab, why, and what to do; undefined while the browser remembers them. */
export function useUnremembered(): string | undefined {
  const trouble = useSyncExternalStore(browserStorage.trouble.subscribe, browserStorage.trouble.get, () => undefined);
  if (trouble === undefined) return undefined;
  const why =
    trouble === 'full'
      ? 'The browser has no room left for what this site remembers. Delete a long text that you have not sent, or this site’s data.'
      : 'The browser forbids this site to remember anything. Allow site data for it.';
  return `Settings, open tabs and unsent texts last as long as this tab. ${why}`;
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

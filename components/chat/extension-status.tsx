// What became of one tool's or plugin's file: what it offers, or why it is not used and a way to try again.
'use client';

import { useConversations } from './chat-context';
import { extensionLines } from './extension-words';
import { useExtensions } from './use-extensions';

/** Nothing for a file that is no program or is not trusted. */
export function ExtensionStatus({ path }: { path: string }) {
  const { programs } = useConversations().extensions;
  const state = useExtensions().find(({ file }) => file.path === path);
  if (state === undefined) return null;
  const hasFailed = state.status.kind === 'failed';
  return (
    <div className="extension-status" data-tone={hasFailed ? 'warning' : undefined}>
      {extensionLines(state).map((line) => (
        <small key={line}>{line}</small>
      ))}
      {hasFailed && (
        <button
          type="button"
          className="button"
          aria-label={`Try ${path} again`}
          onClick={() => programs.restart(path)}
        >
          Try again
        </button>
      )}
    </div>
  );
}

// Says that a tool or plugin that the person allowed is not in use, and why. Once per reason: who has closed it hears of it again when it is another.
'use client';

import { whyNotUsed } from '../../lib/extensions/extensions';
import { createStore, useStore } from '../ui/store';
import { useConversations } from './chat-context';
import { useExtensions } from './use-extensions';

/** What the person has closed, in whichever conversation. */
const closedReasons = createStore<readonly string[]>([]);

/** Nothing where everything that is allowed works. */
export function ExtensionNotice() {
  const { programs } = useConversations().extensions;
  const closed = useStore(closedReasons);
  const failed = useExtensions().filter(({ status }) => status.kind === 'failed');
  const keyOf = (state: (typeof failed)[number]) => `${state.file.path} ${whyNotUsed(state)}`;
  const shown = failed.filter((state) => !closed.includes(keyOf(state)));
  const first = shown[0];
  if (first === undefined) return null;
  return (
    <section className="undo-notice" data-tone="warning" aria-label="Programs of this project that are not in use">
      <div>
        <p>
          The {first.file.kind} <span className="mono">{first.file.path}</span> is not in use. {whyNotUsed(first)}
          {shown.length > 1 && ` (${shown.length - 1} more)`}
        </p>
        <div className="row">
          <button type="button" className="button" onClick={() => programs.restart(first.file.path)}>
            Try again
          </button>
          <button type="button" className="button" onClick={() => closedReasons.set([...closed, ...shown.map(keyOf)])}>
            Close
          </button>
        </div>
      </div>
    </section>
  );
}

// What the person said while the agent was at work and the agent has not heard yet: each line can be taken back into the composer, and sent
// when nothing runs any more.
'use client';

import { CornerDownRight, Undo2 } from 'lucide-react';
import type { QueuedPrompt } from '../../lib/session/messages';
import type { KeptFile } from '../../lib/tools/tool';
import { IconButton } from '../ui/tip';
import { useCurrent } from './chat-context';

interface InboxStripProps {
  takeBack: (text: string, files: readonly KeptFile[]) => void;
  send: (text: string, files: readonly KeptFile[]) => void;
}

/** Nothing while nothing waits. */
export function InboxStrip({ takeBack, send }: InboxStripProps) {
  const { session, state } = useCurrent();
  if (state.inbox.length === 0) return null;
  const isAtRest = state.status.kind === 'idle' || state.status.kind === 'failed';
  const take = ({ id, files = [] }: QueuedPrompt, use: InboxStripProps['send']) => {
    const text = session.takeBack(id);
    if (text !== undefined) use(text, files);
  };
  return (
    <ul className="chat-strip inbox" aria-label="Not heard yet">
      {state.inbox.map((prompt) => (
        <li key={prompt.id}>
          <CornerDownRight size={14} aria-hidden="true" />
          <span className="strip-text">
            {[prompt.text, ...(prompt.files ?? []).map((file) => file.name ?? 'an image')].filter(Boolean).join(' + ')}
          </span>
          <span className="tool-state">
            {isAtRest ? 'not sent' : prompt.delivery === 'steer' ? 'at the next step' : 'afterwards'}
          </span>
          {isAtRest && (
            <button type="button" className="button" onClick={() => take(prompt, send)}>
              Send
            </button>
          )}
          <IconButton label="Take it back" small onClick={() => take(prompt, takeBack)}>
            <Undo2 size={14} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

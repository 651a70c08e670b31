// What the person said, as plain text; the last one can be taken back.
'use client';

import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Message } from '../../lib/session/messages';
import { KeptFiles } from '../tool-views/kept-files';
import { useStore } from '../ui/store';
import { IconButton } from '../ui/tip';
import { showError } from '../ui/toasts';
import { Block } from './block';
import { useConversations } from './chat-context';
import { composerRequest } from './composer-requests';

interface UserTurnProps {
  message: Message;
  /** It began the last turn, and nothing runs. */
  canUndo: boolean;
  startsDrawn: boolean;
}

/** An article, like every turn. */
export function UserTurn({ message, canUndo, startsDrawn }: UserTurnProps) {
  const session = useStore(useConversations().current);
  const texts = message.parts.filter((part) => part.type === 'text');
  const text = texts.map((part) => (part.from === undefined ? part.text : '')).join('');
  const added = texts.filter((part) => part.from !== undefined);
  const files = message.parts.flatMap((part) => (part.type === 'file' ? [part.file] : []));
  const undo = async () => {
    try {
      composerRequest.set({ kind: 'undone', report: await session.undo() });
    } catch (error) {
      showError('Could not take the turn back', error);
    }
  };
  return (
    <article className="turn user-turn" aria-label="You">
      <Block
        parts={message.parts}
        startsDrawn={startsDrawn}
        draw={() => (
          <div className="user-said">
            <div>
              {text !== '' && <Said text={text} />}
              <KeptFiles files={files} load={session.file} />
              {added.map((part) => (
                <details key={part.id} className="said-beside">
                  <summary>
                    Added by <code>{part.from}</code>
                  </summary>
                  <pre dir="auto">{part.text}</pre>
                </details>
              ))}
            </div>
            {canUndo && (
              <IconButton label="Take this turn back, with its changes of files" small onClick={() => void undo()}>
                <Undo2 size={14} />
              </IconButton>
            )}
          </div>
        )}
      />
    </article>
  );
}

const longChars = 1200;
const longLines = 16;

/** A long text is shown with its beginning; all of it is in the page, for the page's search and for screen readers. */
function Said({ text }: { text: string }) {
  const isLong = text.length > longChars || text.split('\n', longLines + 1).length > longLines;
  const [all, setAll] = useState(false);
  return (
    <>
      <p dir="auto" data-cut={isLong && !all}>
        {text}
      </p>
      {isLong && (
        <button type="button" className="more-lines" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  );
}

// A conversation that is being read from the database: its name stands above, and what is typed is already its own.
'use client';

import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useDraft } from './draft';
import { messageField } from './message-field';

interface OpeningChatProps {
  sessionId: string;
  /** Set when it goes: was the person typing? */
  wasTyping: RefObject<boolean>;
}

/** Stands where transcript and composer will be. */
export function OpeningChat({ sessionId, wasTyping }: OpeningChatProps) {
  const [text, setText] = useDraft(sessionId);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(
    () => () => {
      wasTyping.current = document.activeElement === field.current;
    },
    [wasTyping],
  );
  return (
    <div className="chat-body" aria-busy="true">
      <div className="transcript" />
      <div className="composer">
        <div className="composer-box">
          <textarea
            ref={field}
            {...messageField}
            placeholder="Opening the conversation…"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <div className="composer-row" />
        </div>
      </div>
    </div>
  );
}

// The conversation from top to bottom. It follows what arrives only while the person is at its end.
'use client';

import { ArrowDown } from 'lucide-react';
import { memo, useEffect, useMemo } from 'react';
import type { Message, PendingAsk, PendingQuestion } from '../../lib/session/types';
import { AssistantTurn } from './assistant-turn';
import { useCurrent } from './chat-context';
import { EmptyChat } from './empty-chat';
import { useFollowEnd } from './use-follow-end';
import { UserTurn } from './user-turn';

/** The scrolling middle of the panel. */
export function Transcript() {
  const { state } = useCurrent();
  const { scroller, content, atEnd, toEnd } = useFollowEnd();
  const last = state.messages.at(-1);
  const isRunning = state.status.kind === 'running' || state.status.kind === 'retrying';
  const lastUser = useMemo(() => state.messages.findLast((message) => message.role === 'user')?.id, [state.messages]);
  // Who says something wants to see it answered, wherever they had scrolled to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new message of the person counts.
  useEffect(toEnd, [lastUser]);
  return (
    <div className="transcript">
      <div
        className="transcript-scroll"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Conversation"
      >
        <div className="transcript-content" ref={content}>
          {state.messages.length === 0 && <EmptyChat />}
          {state.messages.map((message) => (
            <Turn
              key={message.id}
              message={message}
              isLast={message === last}
              running={message === last && isRunning}
              asks={message === last ? state.asks : none}
              questions={message === last ? state.questions : none}
              canUndo={message.id === lastUser && state.canUndo}
            />
          ))}
        </div>
      </div>
      {!atEnd && (
        <button type="button" className="button to-end" onClick={toEnd}>
          <ArrowDown size={14} aria-hidden="true" />
          {state.asks.length + state.questions.length > 0 ? 'A question waits for you' : 'To the end'}
        </button>
      )}
    </div>
  );
}

const none: never[] = [];

interface TurnProps {
  message: Message;
  isLast: boolean;
  running: boolean;
  asks: PendingAsk[];
  questions: PendingQuestion[];
  canUndo: boolean;
}

/** Turns that are over are not drawn again while the last one grows. */
const Turn = memo(function Turn({ message, isLast, running, asks, questions, canUndo }: TurnProps) {
  if (message.role === 'user') return <UserTurn message={message} canUndo={canUndo} />;
  return <AssistantTurn message={message} isLast={isLast} running={running} asks={asks} questions={questions} />;
});

// The conversation from top to bottom. It follows what arrives only while the person is at its end. Far from the screen it is plain text in
// blocks of a known height (decision 17).
'use client';

import { ArrowDown, MessageCircleQuestionMark } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { Message, PendingAsk, PendingQuestion } from '../../lib/session/types';
import { AssistantTurn, drawnParts } from './assistant-turn';
import { NearBlocksContext } from './block';
import { useCurrent } from './chat-context';
import { EmptyChat } from './empty-chat';
import { createNearBlocks } from './near-blocks';
import { useFollowEnd } from './use-follow-end';
import { toFirstQuestion, useQuestionAway } from './use-question-away';
import { UserTurn } from './user-turn';

/** The scrolling middle of the panel. */
export function Transcript() {
  const { state } = useCurrent();
  const { scroller, content, atEnd, toEnd } = useFollowEnd();
  const [near] = useState(createNearBlocks);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scroller lives as long as this.
  useEffect(() => near.follow(scroller.current!), [near]);
  const last = state.messages.at(-1);
  const [below] = useState(() => partsBelow(state.messages));
  const isRunning = state.status.kind === 'running' || state.status.kind === 'retrying';
  const lastUser = useMemo(() => state.messages.findLast((message) => message.role === 'user')?.id, [state.messages]);
  // Who says something wants to see it answered, wherever they had scrolled to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new message of the person counts.
  useEffect(toEnd, [lastUser]);
  const waiting = [...state.asks, ...state.questions].map((one) => one.id).join(' ');
  const hadWaiting = useRef('');
  // So does who has answered the last question, also when the next one came with the answer.
  useEffect(() => {
    const before = hadWaiting.current.split(' ').filter(Boolean);
    if (before.length > 0 && !before.some((id) => waiting.split(' ').includes(id))) toEnd();
    hadWaiting.current = waiting;
  }, [waiting, toEnd]);
  const isQuestionAway = useQuestionAway(scroller, waiting);
  return (
    <div className="transcript" data-waiting={waiting !== ''}>
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
          <NearBlocksContext value={near}>
            {state.messages.map((message) => (
              <Turn
                key={message.id}
                message={message}
                isLast={message === last}
                running={message === last && isRunning}
                working={message === last && state.status.kind === 'running'}
                asks={message === last ? state.asks : none}
                questions={message === last ? state.questions : none}
                canUndo={message.id === lastUser && state.canUndo}
                partsBelow={below.get(message.id) ?? 0}
              />
            ))}
          </NearBlocksContext>
        </div>
      </div>
      {isQuestionAway ? (
        <button type="button" className="button to-end" onClick={() => toFirstQuestion(scroller.current)}>
          <MessageCircleQuestionMark size={14} aria-hidden="true" />A question waits for you
        </button>
      ) : (
        !atEnd && (
          <button type="button" className="button to-end" onClick={toEnd}>
            <ArrowDown size={14} aria-hidden="true" />
            To the end
          </button>
        )
      )}
    </div>
  );
}

const none: never[] = [];

/** By message: how many parts are below it. What is nearest the end comes first into the page. */
function partsBelow(messages: readonly Message[]): Map<string, number> {
  const below = new Map<string, number>();
  let parts = 0;
  for (const message of messages.toReversed()) {
    below.set(message.id, parts);
    parts += Math.max(1, message.parts.length);
  }
  return below;
}

interface TurnProps {
  message: Message;
  isLast: boolean;
  running: boolean;
  working: boolean;
  asks: PendingAsk[];
  questions: PendingQuestion[];
  canUndo: boolean;
  partsBelow: number;
}

/** Turns that are over are not drawn again while the last one grows. */
const Turn = memo(function Turn({ message, canUndo, partsBelow, ...rest }: TurnProps) {
  if (message.role === 'user')
    return <UserTurn message={message} canUndo={canUndo} startsDrawn={partsBelow < drawnParts} />;
  return <AssistantTurn message={message} partsBelow={partsBelow} {...rest} />;
});

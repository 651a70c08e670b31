// The conversation from top to bottom. It follows what arrives only while the person is at its end. Far from the screen it is plain text in
// blocks of a known height (decision 17).
'use client';

import { ArrowDown, MessageCircleQuestionMark } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { Message } from '../../lib/session/messages';
import type { PendingAsk, PendingQuestion } from '../../lib/session/types';
import { AssistantTurn, drawnParts } from './assistant-turn';
import { NearBlocksContext } from './block';
import { Chapter } from './chapter';
import { useCurrent } from './chat-context';
import { EmptyChat } from './empty-chat';
import { createNearBlocks } from './near-blocks';
import { blockCount, guessedWidthPx, type Stretch, stretchesOf, stretchHeight } from './turn-blocks';
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
  const [below] = useState(() => belowEach(state.messages));
  const before = useRef<Stretch[]>([]);
  const stretches = useMemo(() => {
    before.current = stretchesOf(state.messages, before.current);
    return before.current;
  }, [state.messages]);
  const isRunning = state.status.kind === 'running' || state.status.kind === 'retrying';
  const lastUser = useMemo(() => state.messages.findLast((message) => message.role === 'user')?.id, [state.messages]);
  // Who says something wants to see it answered, wherever they had scrolled to.
  const answered = useRef(lastUser);
  useEffect(() => {
    if (answered.current !== lastUser) toEnd();
    answered.current = lastUser;
  }, [lastUser, toEnd]);
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
            {stretches.map((turns) => {
              // Told to those whom it concerns, so that the others are not drawn again.
              const isLast = turns.at(-1) === last;
              return (
                <Turns
                  key={turns[0]!.id}
                  turns={turns}
                  below={below}
                  lastId={isLast ? last?.id : undefined}
                  running={isLast && isRunning}
                  working={isLast && state.status.kind === 'running'}
                  asks={isLast ? state.asks : none}
                  questions={isLast ? state.questions : none}
                  undoId={state.canUndo && turns.some((turn) => turn.id === lastUser) ? lastUser : undefined}
                />
              );
            })}
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

/** How much is below a turn. What is nearest the end comes first into the page. */
interface Below {
  parts: number;
  blocks: number;
}

const nothing: Below = { parts: 0, blocks: 0 };
/** A stretch with less than this below it is in the page with the first frame. */
const filledBlocks = 32;

function belowEach(messages: readonly Message[]): ReadonlyMap<string, Below> {
  const all = new Map<string, Below>();
  let { parts, blocks } = nothing;
  for (const message of messages.toReversed()) {
    all.set(message.id, { parts, blocks });
    parts += Math.max(1, message.parts.length);
    blocks += blockCount(message);
  }
  return all;
}

interface TurnsProps {
  turns: Stretch;
  below: ReadonlyMap<string, Below>;
  /** Of the last turn of all, when it is one of these; the rest is about it. */
  lastId: string | undefined;
  running: boolean;
  working: boolean;
  asks: PendingAsk[];
  questions: PendingQuestion[];
  /** The turn that can be taken back, when it is one of these. */
  undoId: string | undefined;
}

const Turns = memo(function Turns({ turns, below, lastId, running, working, asks, questions, undoId }: TurnsProps) {
  const fill = () =>
    turns.map((message) => {
      const { parts } = below.get(message.id) ?? nothing;
      const isLast = message.id === lastId;
      return message.role === 'user' ? (
        <SaidTurn key={message.id} message={message} canUndo={message.id === undoId} startsDrawn={parts < drawnParts} />
      ) : (
        <AnswerTurn
          key={message.id}
          message={message}
          isLast={isLast}
          running={isLast && running}
          working={isLast && working}
          asks={isLast ? asks : none}
          questions={isLast ? questions : none}
          partsBelow={parts}
        />
      );
    });
  return (
    <Chapter
      kind="stretch"
      startsFilled={(below.get(turns.at(-1)!.id) ?? nothing).blocks < filledBlocks}
      guessPx={() => stretchHeight(turns, guessedWidthPx)}
      fill={fill}
    />
  );
});

/** Turns that are over are not drawn again while the last one grows. */
const SaidTurn = memo(UserTurn);
const AnswerTurn = memo(AssistantTurn);

// One answer: prose, thoughts, tool calls with their questions, and how it ended.
'use client';

import { memo, useCallback, useMemo, useRef } from 'react';
import type { Message, MessagePart } from '../../lib/session/messages';
import type { PendingAsk, PendingQuestion } from '../../lib/session/types';
import { resolvePath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { Markdown } from '../markdown/markdown';
import { ToolRow } from '../tool-views/tool-row';
import { AskCard } from './ask-card';
import { Block } from './block';
import { Chapter } from './chapter';
import { ProgramCallList } from './program-calls';
import { QuestionCard } from './question-card';
import { Reasoning } from './reasoning';
import { SummaryNote } from './summary-note';
import { TaskProgress } from './task-progress';
import { blockHeight, blocksOf, chaptersOf, guessedWidthPx, type PartBlock } from './turn-blocks';
import { TurnFoot } from './turn-foot';

interface AssistantTurnProps {
  message: Message;
  /** It can be continued. */
  isLast: boolean;
  running: boolean;
  /** Something is done for it now: it does not wait for the next attempt. */
  working: boolean;
  /** Questions about its calls, those of its sub-agents included. */
  asks: PendingAsk[];
  questions: PendingQuestion[];
  /** How many parts were below its last one when the transcript was opened; 0 for a later turn. */
  partsBelow: number;
}

/** What is at the end is drawn with the first frame; a screen more would be a long task. */
export const drawnParts = 8;
/** So much above the end is in the page with the first frame. */
const filledParts = 256;

/** An article; busy while it grows. */
export function AssistantTurn({ message, isLast, running, working, asks, questions, partsBelow }: AssistantTurnProps) {
  const workbench = useWorkbench();
  const openFile = useCallback(
    (path: string) => {
      workbench.phoneView.set('editor');
      void workbench.documents.open(resolvePath(workbench.sandbox.workdir, path));
    },
    [workbench],
  );
  const before = useRef<{ blocks: PartBlock[]; chapters: (readonly PartBlock[])[] }>({ blocks: [], chapters: [] });
  const chapters = useMemo(() => {
    const blocks = blocksOf(message.parts, before.current.blocks);
    before.current = { blocks, chapters: chaptersOf(blocks, before.current.chapters) };
    return before.current.chapters;
  }, [message.parts]);
  let below = partsBelow + message.parts.length;
  return (
    <article className="turn assistant-turn" aria-label="Agent" aria-busy={running}>
      {chapters.map((blocks) => {
        below -= blocks.reduce((sum, parts) => sum + parts.length, 0);
        const own = asksOfChapter(blocks, asks);
        return (
          <PartsChapter
            key={blocks[0]![0]!.id}
            blocks={blocks}
            partsBelow={Math.min(below, filledParts)}
            isAlone={chapters.length === 1}
            openFile={openFile}
            asks={own}
            questions={asksOfChapter(blocks, questions)}
            // Told to nobody else, so that a question draws no block but its own.
            firstAsk={own === none ? undefined : asks[0]?.id}
          />
        );
      })}
      {working && asks.length + questions.length === 0 && <Working parts={message.parts} />}
      {isLast && <TurnFoot message={message} />}
    </article>
  );
}

interface PartsChapterProps extends Omit<PartProps, 'part'> {
  blocks: readonly PartBlock[];
  /** At most `filledParts`, so that a far chapter is not drawn again when a part arrives. */
  partsBelow: number;
  /** The turn has no other: the stretch that it is in waited for both. */
  isAlone: boolean;
}

const PartsChapter = memo(function PartsChapter(props: PartsChapterProps) {
  const { blocks, partsBelow, isAlone, asks, questions, ...rest } = props;
  const fill = () => {
    let below = partsBelow + blocks.reduce((sum, parts) => sum + parts.length, 0);
    return blocks.map((parts) => {
      below -= parts.length;
      const own = asksAt(parts, asks);
      return (
        <PartsBlock
          key={parts[0]!.id}
          parts={parts}
          startsDrawn={below < drawnParts}
          {...rest}
          asks={own}
          questions={asksAt(parts, questions)}
          firstAsk={own === none ? undefined : rest.firstAsk}
        />
      );
    });
  };
  return (
    <Chapter
      kind="chapter"
      startsFilled={isAlone || partsBelow < filledParts}
      isPinned={asks.length + questions.length > 0}
      // As if all were as high as the first: a thousand guesses would be a long task.
      guessPx={() => blocks.length * blockHeight(blocks[0]!, guessedWidthPx)}
      fill={fill}
    />
  );
});

interface PartsBlockProps extends Omit<PartProps, 'part'> {
  parts: PartBlock;
  startsDrawn: boolean;
}

const PartsBlock = memo(function PartsBlock({ parts, startsDrawn, asks, questions, ...rest }: PartsBlockProps) {
  return (
    <Block
      parts={parts}
      startsDrawn={startsDrawn}
      isPinned={asks.length + questions.length > 0}
      draw={() =>
        parts.map((part) => (
          <Part key={part.id} part={part} asks={asksAt([part], asks)} questions={asksAt([part], questions)} {...rest} />
        ))
      }
    />
  );
});

interface PartProps {
  part: MessagePart;
  openFile: (path: string) => void;
  asks: PendingAsk[];
  questions: PendingQuestion[];
  /** The one that takes the focus. */
  firstAsk: string | undefined;
}

const none: never[] = [];

/** What waits at these calls, or at sub-agents that they started. The same empty list every time, so that other parts are not drawn again. */
function asksAt<Waiting extends { callId: string; rootCallId?: string }>(parts: PartBlock, all: Waiting[]): Waiting[] {
  if (all.length === 0) return none;
  const own = all.filter((ask) =>
    parts.some((part) => part.type === 'tool' && part.callId === (ask.rootCallId ?? ask.callId)),
  );
  return own.length === 0 ? none : own;
}

function asksOfChapter<Waiting extends { callId: string; rootCallId?: string }>(
  blocks: readonly PartBlock[],
  all: Waiting[],
): Waiting[] {
  return all.length === 0 ? none : asksAt(blocks.flat(), all);
}

const Part = memo(function Part({ part, openFile, asks, questions, firstAsk }: PartProps) {
  switch (part.type) {
    case 'step':
      return null;
    case 'text':
      return part.text.trim() === '' ? null : <Markdown text={part.text} streaming={part.streaming} />;
    case 'reasoning':
      return part.text.trim() === '' ? null : <Reasoning part={part} />;
    case 'notice':
      return <p className="turn-notice">{part.text}</p>;
    case 'summary':
      return <SummaryNote part={part} />;
    case 'tool':
      return (
        <ToolRow part={part} openFile={openFile}>
          {(asks.length > 0 || questions.length > 0 || part.tool === 'task' || part.tool === 'execute') && (
            <>
              {part.tool === 'task' && <TaskProgress part={part} />}
              {part.tool === 'execute' && <ProgramCallList part={part} />}
              {asks.map((ask) => (
                <AskCard key={ask.id} ask={ask} takesFocus={ask.id === firstAsk} />
              ))}
              {questions.map((form) => (
                <QuestionCard key={form.id} form={form} />
              ))}
            </>
          )}
        </ToolRow>
      );
  }
});

/** Says that the model is at work while nothing else on screen does. */
function Working({ parts }: { parts: MessagePart[] }) {
  const last = parts.at(-1);
  const shows =
    (last?.type === 'text' && last.streaming) ||
    (last?.type === 'reasoning' && last.endedAtMs === undefined) ||
    (last?.type === 'tool' && last.state !== 'done' && last.state !== 'error');
  if (shows) return null;
  return (
    <p className="working" aria-hidden="true">
      <span />
      <span />
      <span />
    </p>
  );
}

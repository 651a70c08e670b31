// One answer: prose, thoughts, tool calls with their questions, and how it ended.
'use client';

import { memo, useCallback } from 'react';
import type { Message, MessagePart, PendingAsk, PendingQuestion } from '../../lib/session/types';
import { resolvePath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { Markdown } from '../markdown/markdown';
import { ToolRow } from '../tool-views/tool-row';
import { AskCard } from './ask-card';
import { ProgramCallList } from './program-calls';
import { QuestionCard } from './question-card';
import { Reasoning } from './reasoning';
import { SummaryNote } from './summary-note';
import { TaskProgress } from './task-progress';
import { TurnFoot } from './turn-foot';

interface AssistantTurnProps {
  message: Message;
  /** It can be continued. */
  isLast: boolean;
  running: boolean;
  /** Questions about its calls, those of its sub-agents included. */
  asks: PendingAsk[];
  questions: PendingQuestion[];
}

/** An article; busy while it grows. */
export function AssistantTurn({ message, isLast, running, asks, questions }: AssistantTurnProps) {
  const workbench = useWorkbench();
  const openFile = useCallback(
    (path: string) => {
      workbench.phoneView.set('editor');
      void workbench.documents.open(resolvePath(workbench.sandbox.workdir, path));
    },
    [workbench],
  );
  return (
    <article className="turn assistant-turn" data-settled={!isLast} aria-label="Agent" aria-busy={running}>
      {message.parts.map((part) => (
        <Part
          key={part.id}
          part={part}
          openFile={openFile}
          asks={asksOf(part, asks)}
          questions={asksOf(part, questions)}
          firstAsk={asks[0]?.id}
        />
      ))}
      {running && <Working parts={message.parts} />}
      {isLast && <TurnFoot message={message} />}
    </article>
  );
}

interface PartProps {
  part: MessagePart;
  openFile: (path: string) => void;
  asks: PendingAsk[];
  questions: PendingQuestion[];
  /** The one that takes the focus. */
  firstAsk: string | undefined;
}

const none: never[] = [];

/** What waits at this call, or at a sub-agent that it started. The same empty list every time, so that other parts are not drawn again. */
function asksOf<Waiting extends { callId: string; rootCallId?: string }>(part: MessagePart, all: Waiting[]): Waiting[] {
  if (part.type !== 'tool' || all.length === 0) return none;
  const own = all.filter((ask) => (ask.rootCallId ?? ask.callId) === part.callId);
  return own.length === 0 ? none : own;
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

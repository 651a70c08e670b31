// One answer: prose, thoughts, tool calls with their questions, and how it ended.
'use client';

import { memo, useCallback } from 'react';
import type { Message, MessagePart, PendingAsk } from '../../lib/session/types';
import { resolvePath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { ToolRow } from '../tool-views/tool-row';
import { AskCard } from './ask-card';
import { Markdown } from './markdown';
import { Reasoning } from './reasoning';
import { SummaryNote } from './summary-note';
import { TurnFoot } from './turn-foot';

interface AssistantTurnProps {
  message: Message;
  /** It can be continued. */
  isLast: boolean;
  running: boolean;
  /** Questions about its calls. */
  asks: PendingAsk[];
}

/** An article; busy while it grows. */
export function AssistantTurn({ message, isLast, running, asks }: AssistantTurnProps) {
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
          ask={part.type === 'tool' ? asks.find((ask) => ask.callId === part.callId) : undefined}
          isFirstAsk={part.type === 'tool' && asks[0]?.callId === part.callId}
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
  ask: PendingAsk | undefined;
  isFirstAsk: boolean;
}

const Part = memo(function Part({ part, openFile, ask, isFirstAsk }: PartProps) {
  switch (part.type) {
    case 'step':
      return null;
    case 'text':
      return part.text.trim() === '' ? null : <Markdown text={part.text} streaming={part.streaming} />;
    case 'reasoning':
      return part.text.trim() === '' ? null : <Reasoning part={part} />;
    case 'notice':
      return <p className="notice">{part.text}</p>;
    case 'summary':
      return <SummaryNote part={part} />;
    case 'tool':
      return (
        <ToolRow part={part} openFile={openFile}>
          {ask && <AskCard ask={ask} takesFocus={isFirstAsk} />}
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

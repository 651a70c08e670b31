// The agent's panel: opens the conversations, then header, transcript and composer. The transcript is the only part that scrolls.
'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { PanelHeader } from '../ide/panel-header';
import { useWorkbench } from '../ide/workbench-context';
import { Failure } from '../ui/failure';
import { useStore } from '../ui/store';
import { ConversationsContext, useConversations, useCurrent } from './chat-context';
import { ChatActions, ChatTitle } from './chat-header';
import { Composer } from './composer';
import { type Conversations, openConversations } from './conversations';
import { OpeningChat } from './opening-chat';
import { Spoken } from './spoken';
import { Transcript } from './transcript';
import { UnreadNotice } from './unread-notice';
import './chat.css';

type Opening =
  | { kind: 'opening' }
  | { kind: 'open'; conversations: Conversations }
  | { kind: 'failed'; error: unknown };

/** Fills the agent's slot of the workbench. */
export function ChatPanel() {
  const workbench = useWorkbench();
  const [attempt, setAttempt] = useState(0);
  const [opening, setOpening] = useState<Opening>({ kind: 'opening' });
  const retry = useCallback(() => setAttempt((now) => now + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is what starts another one.
  useEffect(() => {
    let gone = false;
    setOpening({ kind: 'opening' });
    // A moment later: React mounts twice in development, and the first of the two must not leave an empty conversation behind.
    const opened = Promise.resolve().then(() => (gone ? undefined : openConversations(workbench)));
    opened.then(
      (conversations) => conversations && !gone && setOpening({ kind: 'open', conversations }),
      (error: unknown) => !gone && setOpening({ kind: 'failed', error }),
    );
    return () => {
      gone = true;
      opened.then((conversations) => conversations?.dispose()).catch(() => {});
    };
  }, [workbench, attempt]);

  if (opening.kind !== 'open')
    return (
      <>
        <PanelHeader panel="agent" />
        {opening.kind === 'failed' ? (
          <Failure what="The conversations of this project can’t be opened" error={opening.error} retry={retry} />
        ) : (
          <div className="chat-body" aria-busy="true" />
        )}
      </>
    );
  return (
    <ConversationsContext value={opening.conversations}>
      <PanelHeader panel="agent" bare actions={<ChatActions />}>
        <ChatTitle />
      </PanelHeader>
      <CurrentChat />
    </ConversationsContext>
  );
}

/** Mounted anew for each conversation, so that what is open or typed belongs to it. */
function CurrentChat() {
  const { session } = useCurrent();
  const opening = useStore(useConversations().opening);
  const wasTyping = useRef(false);
  if (opening) return <OpeningChat key={opening.id} sessionId={opening.id} wasTyping={wasTyping} />;
  return (
    <div className="chat-body" key={session.id}>
      <UnreadNotice />
      <Transcript />
      <Composer wasTyping={wasTyping} />
      <Spoken />
    </div>
  );
}

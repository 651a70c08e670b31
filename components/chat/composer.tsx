// Where the person talks to the agent. Send and stop are one button in one place; the text survives a failed send.
'use client';

import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { QueuedPrompt } from '../../lib/session/messages';
import type { UndoReport } from '../../lib/session/undo-writes';
import type { KeptFile } from '../../lib/tools/tool';
import { claimFocus } from '../ide/focus-panel';
import { useStore } from '../ui/store';
import { IconButton } from '../ui/tip';
import { showError } from '../ui/toasts';
import { AgentMenu } from './agent-menu';
import { BroughtNotice } from './brought-notice';
import { useConversations, useCurrent } from './chat-context';
import { composerRequest } from './composer-requests';
import { CostEstimate } from './cost-estimate';
import { useDraft } from './draft';
import { ExtensionNotice } from './extension-notice';
import { AddFile, FileStrip } from './file-strip';
import { focusToType } from './focus-to-type';
import { InboxStrip } from './inbox-strip';
import { JobsStrip } from './jobs-strip';
import { McpPromptForm } from './mcp-prompt-form';
import { NotSent } from './mcp-spoken';
import { MentionList } from './mention-list';
import { messageField } from './message-field';
import { ModeMenu } from './mode-menu';
import { ModelMenu } from './model-menu';
import { OtherModel } from './other-model';
import { TodoStrip } from './todo-strip';
import { UndoNotice } from './undo-notice';
import { useFiles } from './use-files';
import { useMention } from './use-mention';

/** Below the transcript. `wasTyping`: while this conversation was opened; the cursor stays where it was then. */
export function Composer({ wasTyping }: { wasTyping: RefObject<boolean> }) {
  const conversations = useConversations();
  const { session, state } = useCurrent();
  const [text, setText] = useDraft(session.id);
  const files = useFiles(session);
  const [report, setReport] = useState<UndoReport>();
  const field = useRef<HTMLTextAreaElement>(null);
  const mention = useMention(field, text, setText);
  const request = useStore(composerRequest);
  const running = state.status.kind === 'running' || state.status.kind === 'retrying';
  const [stopping, setStopping] = useState(false);

  useEffect(() => {
    if (!running) setStopping(false);
  }, [running]);

  useLayoutEffect(() => {
    if (!wasTyping.current) return;
    wasTyping.current = false;
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [wasTyping]);

  useEffect(() => {
    // A page that loads with the panel open leaves the cursor in the editor.
    if (claimFocus('agent')) focusToType(field.current);
  }, []);

  const isEmpty = text.trim() === '' && files.list.length === 0;
  const send = (said: string, delivery: QueuedPrompt['delivery'] = 'steer', shown: KeptFile[] = []) => {
    if (said.trim() === '' && shown.length === 0) return;
    setReport(undefined);
    conversations.send(said, delivery, shown).catch((error) => {
      setText((now) => now || said);
      files.put(shown);
      if (!(error instanceof NotSent)) showError('Could not send', error);
    });
  };
  const sendTyped = (delivery?: QueuedPrompt['delivery']) => {
    if (isEmpty) return;
    setText('');
    send(text, delivery, files.take());
  };
  const stop = () => {
    setStopping(true);
    void session.stop();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new request counts.
  useEffect(() => {
    if (!request) return;
    composerRequest.set(undefined);
    if (request.kind === 'send') return send(request.text);
    setReport(request.report);
    setText((now) => now || request.report.prompt);
    // Taking back took its time: who types somewhere else by now goes on typing there.
    const { activeElement } = document;
    const panel = field.current?.closest('[data-panel]');
    if (activeElement === document.body || panel?.contains(activeElement)) focusToType(field.current);
  }, [request]);

  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || mention.onKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      sendTyped(event.altKey ? 'queue' : 'steer');
    } else if (event.key === 'ArrowUp' && text === '') {
      const last = state.messages.findLast((message) => message.role === 'user');
      const said = last?.parts
        .map((part) => (part.type === 'text' && part.from === undefined ? part.text : ''))
        .join('');
      if (!said) return;
      event.preventDefault();
      setText(said);
    } else if (event.key === 'Escape' && running) {
      event.preventDefault();
      stop();
    }
  };

  return (
    <div className="composer">
      <BroughtNotice />
      <ExtensionNotice />
      <McpPromptForm />
      <OtherModel />
      <JobsStrip />
      <TodoStrip />
      <InboxStrip
        takeBack={(said, shown) => {
          setText((now) => (now ? `${now}\n${said}` : said));
          files.put(shown);
        }}
        send={(said, shown) => send(said, 'steer', [...shown])}
      />
      {report && <UndoNotice report={report} close={() => setReport(undefined)} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop onto; the button does the same. */}
      <div
        className="composer-box"
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.preventDefault();
        }}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          void files.add([...event.dataTransfer.files]);
        }}
      >
        <MentionList mention={mention} />
        <FileStrip files={files} />
        <textarea
          ref={field}
          {...messageField}
          aria-autocomplete="list"
          aria-controls={mention.items.length > 0 ? mention.listId : undefined}
          aria-activedescendant={mention.activeId}
          placeholder={running ? 'Say something meanwhile' : 'Ask for a change, @ a file, / a command'}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            mention.onSelect();
          }}
          onKeyDown={onKey}
          onSelect={mention.onSelect}
          onBlur={mention.close}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files];
            if (pasted.length === 0) return;
            event.preventDefault();
            void files.add(pasted);
          }}
        />
        <div className="composer-row">
          <ModelMenu />
          <AgentMenu />
          <ModeMenu />
          <span className="tool-gap" />
          <CostEstimate text={text} />
          <AddFile files={files} />
          {running && !isEmpty && (
            <IconButton label="Say it now" keys="Enter" className="send" onClick={() => sendTyped('steer')}>
              <ArrowUp size={16} />
            </IconButton>
          )}
          {running ? (
            <IconButton label={stopping ? 'Stopping' : 'Stop'} keys="Esc" className="send stop" onClick={stop}>
              <Square size={14} fill="currentColor" />
            </IconButton>
          ) : (
            <IconButton label="Send" keys="Enter" className="send" disabled={isEmpty} onClick={() => sendTyped()}>
              <ArrowUp size={16} />
            </IconButton>
          )}
        </div>
      </div>
    </div>
  );
}

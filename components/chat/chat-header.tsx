// What stands above the transcript: which conversation this is, how full its context is, what it cost, and a way to start another.
'use client';

import {
  Activity,
  ArrowLeft,
  ChevronDown,
  Eye,
  FileDiff,
  FoldVertical,
  List,
  MessageSquare,
  Package,
  Pencil,
  Plug,
  Plus,
  Trash2,
} from 'lucide-react';
import { useRef, useState, useSyncExternalStore } from 'react';
import { Menu, type MenuEntry } from '../ui/menu';
import { showTime } from '../ui/show-size';
import { useStore } from '../ui/store';
import { IconButton, Tip } from '../ui/tip';
import { showError, showToast } from '../ui/toasts';
import { useConversations, useCurrent } from './chat-context';
import { broughtSheet, listSheet, mcpSheet, seesSheet, traceSheet } from './chat-sheets';
import { ConversationList } from './conversation-list';
import { deleteWithUndo, untitled } from './delete-conversation';
import { McpSheet } from './mcp-sheet';
import { ModelSees } from './model-sees';
import { modelChoice } from './offered-models';
import { SessionChanges } from './session-changes';
import { TraceView } from './trace-view';
import { usageLine } from './usage-line';

/** So many are in the menu; all of them are in the list. */
const nearest = 8;

/** The name of the conversation: a menu of the others, rename and delete. */
export function ChatTitle() {
  const conversations = useConversations();
  const { session, state } = useCurrent();
  const { sessions } = conversations;
  const opening = useStore(conversations.opening);
  const list = useSyncExternalStore(sessions.subscribe, sessions.list, sessions.list);
  const [renaming, setRenaming] = useState(false);
  /** The name takes the focus that the field had. */
  const isBack = useRef(false);
  const seeing = useStore(seesSheet);
  const tracing = useStore(traceSheet);
  const [changing, setChanging] = useState(false);
  const isAtRest = state.status.kind === 'idle' || state.status.kind === 'failed';
  const { parentId } = state;
  const attempt = (what: string, work: Promise<unknown>) => void work.catch((error) => showError(what, error));

  if (renaming) {
    const rename = (typed: string) => {
      setRenaming(false);
      if (typed.trim() !== '') attempt('Could not rename', sessions.rename(session.id, typed.trim()));
    };
    return (
      <input
        className="field chat-title-field"
        aria-label="Name of the conversation"
        defaultValue={state.title}
        ref={(input) => input?.select()}
        onBlur={(event) => rename(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          // The same key would press what takes the focus.
          event.preventDefault();
          isBack.current = true;
          if (event.key === 'Enter') rename(event.currentTarget.value);
          else setRenaming(false);
        }}
      />
    );
  }
  const entries: MenuEntry[] = [
    { kind: 'item', label: 'New conversation', icon: <Plus size={16} />, run: () => void conversations.start() },
    {
      kind: 'item',
      label: 'Rename',
      icon: <Pencil size={16} />,
      keys: 'F2',
      // The menu gives the focus back when it closes; the field must come after that.
      run: () => setTimeout(() => setRenaming(true), 50),
    },
    {
      kind: 'item',
      label: 'Delete',
      icon: <Trash2 size={16} />,
      danger: true,
      disabled: state.messages.length === 0 && state.title === '',
      run: () => void deleteWithUndo(conversations, session.id, state.title),
    },
    { kind: 'separator' },
    {
      kind: 'item',
      label: 'Changes of this conversation…',
      icon: <FileDiff size={16} />,
      run: () => setChanging(true),
    },
    {
      kind: 'item',
      label: 'MCP servers…',
      icon: <Plug size={16} />,
      run: () => mcpSheet.set(true),
    },
    {
      kind: 'item',
      label: 'What this project brings…',
      icon: <Package size={16} />,
      run: () => broughtSheet.set(true),
    },
    { kind: 'item', label: 'What the model sees…', icon: <Eye size={16} />, run: () => seesSheet.set(true) },
    { kind: 'item', label: 'Trace…', icon: <Activity size={16} />, run: () => traceSheet.set(true) },
    {
      kind: 'item',
      label: 'Summarise for the model',
      icon: <FoldVertical size={16} />,
      disabled: !isAtRest || state.messages.length === 0,
      run: () =>
        attempt(
          'Could not summarise',
          session.compact().then((end) => {
            if (end === 'short') showToast('Nothing to summarise yet: the conversation is short as it is.');
          }),
        ),
    },
    { kind: 'separator' },
    { kind: 'label', label: 'Conversations of this project' },
    ...list.slice(0, nearest).map(
      (one): MenuEntry => ({
        kind: 'item',
        id: one.id,
        label: one.title || untitled,
        icon: <MessageSquare size={16} />,
        keys: showTime(one.updatedAtMs),
        checked: one.id === session.id,
        run: () => attempt('Could not open the conversation', conversations.show(one.id)),
      }),
    ),
    { kind: 'item', label: 'Search all conversations…', icon: <List size={16} />, run: () => listSheet.set(true) },
  ];
  return (
    <>
      {parentId !== undefined && (
        <IconButton
          label="Back to the conversation that started it"
          small
          onClick={() => attempt('Could not open the conversation', conversations.show(parentId))}
        >
          <ArrowLeft size={16} />
        </IconButton>
      )}
      <Menu label="Conversation" entries={entries}>
        <button
          type="button"
          className="chat-title"
          aria-keyshortcuts="F2"
          ref={(button) => {
            if (isBack.current) button?.focus();
            isBack.current = false;
          }}
          onKeyDown={(event) => event.key === 'F2' && setRenaming(true)}
        >
          <span>{(opening ?? state).title || untitled}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </button>
      </Menu>
      <ConversationList />
      <McpSheet />
      <SessionChanges open={changing} close={() => setChanging(false)} />
      <ModelSees open={seeing} close={() => seesSheet.set(false)} />
      <TraceView open={tracing} close={() => traceSheet.set(false)} />
    </>
  );
}

/** Tokens, cost, and the button for a new conversation. */
export function ChatActions() {
  const conversations = useConversations();
  const { state } = useCurrent();
  const { models } = useStore(conversations.models);
  const line = usageLine(state, modelChoice(models, state.model));
  return (
    <>
      {line && (
        <Tip label={line.long}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its tooltip holds more than it says. */}
          <span className="chat-usage" tabIndex={0}>
            {line.fraction !== undefined && (
              <span className="chat-meter" aria-hidden="true">
                <span style={{ width: `${Math.min(100, Math.max(2, line.fraction * 100))}%` }} />
              </span>
            )}
            {line.short}
          </span>
        </Tip>
      )}
      <IconButton label="New conversation" small onClick={() => void conversations.start()}>
        <Plus size={16} />
      </IconButton>
    </>
  );
}

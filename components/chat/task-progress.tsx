// How far a sub-agent is, under its call: its last calls, and a way into its own conversation.
'use client';

import { memo } from 'react';
import type { ToolPart } from '../../lib/session/types';
import { showError } from '../ui/toasts';
import { useConversations } from './chat-context';

interface LastCall {
  tool: string;
  title: string;
  state: ToolPart['state'];
}

/** Nothing before the sub-agent has begun. */
export const TaskProgress = memo(function TaskProgress({ part }: { part: ToolPart }) {
  const conversations = useConversations();
  const { sessionId, agent, calls, lastCalls } = part.meta ?? {};
  if (typeof sessionId !== 'string') return null;
  const shown = part.state === 'running' ? ((lastCalls ?? []) as LastCall[]) : [];
  return (
    <div className="task-progress">
      {shown.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a window over a list that only grows.
        <p key={at} data-state={call.state}>
          <code>{call.tool}</code> {call.title}
        </p>
      ))}
      <button
        type="button"
        className="more-lines"
        onClick={() => void conversations.show(sessionId).catch((error) => showError('Could not open it', error))}
      >
        {`${String(agent)}: ${String(calls)} ${calls === 1 ? 'call' : 'calls'}. Open its conversation`}
      </button>
    </div>
  );
});

// How far a sub-agent is, under its call: its last calls, and a way into its own conversation.
'use client';

import { memo } from 'react';
import type { ToolPart } from '../../lib/session/messages';
import { showDuration } from '../tool-views/tool-line';
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
  const { sessionId, agent, calls, lastCalls, silentMs, silenceMs } = part.meta ?? {};
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
      {part.state === 'running' && typeof silentMs === 'number' && (
        <p className="task-silence">
          {`No sign of life for ${minutes(silentMs)}. It is stopped after ${minutes(Number(silenceMs))}.`}
        </p>
      )}
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

/** What is less than a minute is only seen where the limit is short. */
function minutes(ms: number): string {
  const whole = Math.floor(ms / 60_000);
  if (whole === 0) return showDuration(ms);
  return whole === 1 ? '1 minute' : `${whole} minutes`;
}

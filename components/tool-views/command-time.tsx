// How long a command may still take, and what the person can do about it: give it more time, or end the agent's wait so that it goes on alone.
'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { steadyNow } from '../../lib/std/steady';
import { jobsOf } from '../../lib/tools/jobs';
import { useWorkbench } from '../ide/workbench-context';

const moreMs = 2 * 60_000;
const quietMs = 3000;

/** Nothing when the command of this call is over. */
export function CommandTime({ callId }: { callId: string }) {
  const { sandbox } = useWorkbench();
  const jobs = jobsOf(sandbox);
  const view = () => jobs.ofCall(callId)?.view();
  const job = useSyncExternalStore(jobs.subscribe, view, view);
  const [nowMs, setNowMs] = useState(() => steadyNow());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(steadyNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (job === undefined || job.end !== undefined || job.isBackground) return null;
  // What is soon over needs no clock.
  if (nowMs - job.startedAtMs < quietMs) return null;
  const { deadlineMs, command } = job;
  return (
    <div className="row command-time">
      {deadlineMs !== undefined && (
        <>
          <span className="tool-time" role="timer" aria-label={`Time left for ${command}`}>
            {`Ends in ${clock(deadlineMs - nowMs)}`}
          </span>
          <button
            type="button"
            className="more-lines"
            onClick={() => jobs.ofCall(callId)?.endAt(Math.max(steadyNow(), deadlineMs) + moreMs)}
          >
            2 minutes more
          </button>
        </>
      )}
      <button type="button" className="more-lines" onClick={() => jobs.ofCall(callId)?.detach()}>
        Let it go on in the background
      </button>
    </div>
  );
}

/** `1:05`. */
function clock(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

// What the agents left running: one line each, with its port and a way to end it. Nobody should have to ask the model what runs on their machine.
'use client';

import { Square, SquareTerminal } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { jobsOf } from '../../lib/tools/jobs';
import { useWorkbench } from '../ide/workbench-context';
import { RunningTime } from '../tool-views/running-time';
import { IconButton } from '../ui/tip';

const graceMs = 3000;

/** Nothing while nothing runs. */
export function JobsStrip() {
  const { sandbox } = useWorkbench();
  const jobs = jobsOf(sandbox);
  const running = useSyncExternalStore(jobs.subscribe, jobs.list, jobs.list).filter((job) => job.end === undefined);
  if (running.length === 0) return null;
  return (
    <ul className="chat-strip inbox" aria-label="Running in the background">
      {running.map((job) => (
        <li key={job.id}>
          <SquareTerminal size={14} aria-hidden="true" />
          <code className="strip-text">{job.command}</code>
          {job.ports.length > 0 && <span className="tool-state">{`:${job.ports.join(', :')}`}</span>}
          <span className="tool-time">
            <RunningTime startedAtMs={job.startedAtMs} />
          </span>
          <IconButton label={`End ${job.command}`} small onClick={() => void jobs.get(job.id)?.stop(graceMs)}>
            <Square size={12} fill="currentColor" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

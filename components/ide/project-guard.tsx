// Shows the project only while this tab has it.
'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { Mark } from '../ui/mark';
import { BootWait } from './boot-wait';
import { type LockState, lockProject } from './project-lock';

/** Offers to take the project over when another tab has it. */
export function ProjectGuard({ projectId, name, children }: { projectId: string; name: string; children: ReactNode }) {
  const [state, setState] = useState<LockState>('asking');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    // React mounts twice in development, and a lock is let go a moment later: ask after that.
    let letGo = () => {};
    const timer = setTimeout(() => {
      letGo = lockProject(projectId, attempt > 0, setState);
    }, 0);
    return () => {
      clearTimeout(timer);
      letGo();
    };
  }, [projectId, attempt]);

  if (state === 'held') return children;
  if (state === 'asking') return <BootWait title={name} />;
  return (
    <main className="boot">
      <div className="boot-card" role="status">
        <Mark size={32} />
        <h1>{state === 'lost' ? `${name} went on in another tab` : `${name} is open in another tab`}</h1>
        <p>A project has one computer, so it runs in one tab at a time. What you typed is kept.</p>
        <div className="row">
          <button type="button" className="button" data-tone="primary" onClick={() => setAttempt((now) => now + 1)}>
            Use it here
          </button>
          <a className="button" href="/">
            All projects
          </a>
        </div>
      </div>
    </main>
  );
}

// What is seen until the computer runs: nothing for the first moment, then what is being done and how far it is.
'use client';

import { Progress } from 'radix-ui';
import { useEffect, useState } from 'react';
import { steadyNow } from '../../lib/std/steady';
import { FailurePage } from '../ui/failure';
import { Mark } from '../ui/mark';
import { BootFailure, type BootProgress, type Instead } from './boot';

interface BootScreenProps {
  projectName: string;
  /** Undefined when it failed. */
  progress?: BootProgress;
  error?: unknown;
  retry: () => void;
}

/** Progress, or the failure with *try again*. After five seconds it also offers a way out. */
export function BootScreen({ projectName, progress, error, retry }: BootScreenProps) {
  const [waitedMs, setWaitedMs] = useState(0);
  useEffect(() => {
    const startedAt = steadyNow();
    const timer = setInterval(() => setWaitedMs(steadyNow() - startedAt), 300);
    return () => clearInterval(timer);
  }, []);

  if (!progress) {
    const failure = error instanceof BootFailure ? error : undefined;
    return (
      <FailurePage
        what={`The computer of ${projectName} did not start`}
        error={error}
        hint="Your files are kept in this browser and were not touched. If trying again does not help, the network or an extension of the browser may be in the way."
        retry={failure?.needsReload ? () => location.reload() : retry}
      >
        <InsteadButton instead={failure?.instead} retry={retry} />
      </FailurePage>
    );
  }
  // Nothing done yet looks like nothing happening: then the bar only moves.
  const percent = progress.fraction ? Math.round(progress.fraction * 100) : null;
  return (
    <main className="boot" aria-busy="true">
      <div className="boot-card" data-visible={waitedMs >= 300}>
        <Mark size={32} />
        <h1>{projectName}</h1>
        <Progress.Root className="progress" value={percent} aria-label={progress.step}>
          <Progress.Indicator className="progress-bar" style={{ width: `${percent ?? 30}%` }} />
        </Progress.Root>
        <p aria-live="polite">
          {progress.step}
          {percent !== null && ` ${percent} %`}
        </p>
        {progress.instead && waitedMs <= 5000 && (
          <div className="row">
            <InsteadButton instead={progress.instead} retry={retry} />
          </div>
        )}
        {waitedMs > 5000 && (
          <div className="row">
            <InsteadButton instead={progress.instead} retry={retry} />
            <button type="button" className="button" onClick={retry}>
              Start over
            </button>
            <a className="button" data-tone="quiet" href="/">
              All projects
            </a>
          </div>
        )}
      </div>
    </main>
  );
}

function InsteadButton({ instead, retry }: { instead: Instead | undefined; retry: () => void }) {
  if (!instead) return null;
  const choose = () => {
    instead.choose();
    retry();
  };
  return (
    <button type="button" className="button" onClick={choose}>
      {instead.label}
    </button>
  );
}

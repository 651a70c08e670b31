// A start as it is seen: the page's cover shows how far it is; a failure is a page of its own.
'use client';

import { useMemo } from 'react';
import { FailurePage } from '../ui/failure';
import { BootFailure, type BootProgress, type Instead } from './boot';
import { BootWait } from './boot-wait';

interface BootScreenProps {
  projectName: string;
  /** Undefined when it failed. */
  progress?: BootProgress;
  error?: unknown;
  retry: () => void;
}

/** Progress, or the failure with *try again*. */
export function BootScreen({ projectName, progress, error, retry }: BootScreenProps) {
  const way = progress?.instead;
  const instead = useMemo(() => way && { label: way.label, run: () => choose(way, retry) }, [way, retry]);
  if (progress)
    return (
      <BootWait
        title={projectName}
        step={progress.step}
        fraction={progress.fraction}
        instead={instead}
        startOver={retry}
      />
    );
  const failure = error instanceof BootFailure ? error : undefined;
  return (
    <FailurePage
      what={`The computer of ${projectName} did not start`}
      error={error}
      hint="Your files are kept in this browser and were not touched. If trying again does not help, the network or an extension of the browser may be in the way."
      retry={failure?.needsReload ? () => location.reload() : retry}
    >
      {failure?.instead && (
        <button type="button" className="button" onClick={() => choose(failure.instead!, retry)}>
          {failure.instead.label}
        </button>
      )}
    </FailurePage>
  );
}

function choose(instead: Instead, retry: () => void): void {
  instead.choose();
  retry();
}

// The seconds of something that runs; silent for screen readers.
'use client';

import { useEffect, useState } from 'react';
import { steadyNow } from '../../lib/std/steady';
import { showDuration } from './tool-line';

/** Counts from `startedAtMs`, once a second; nothing in the first one. */
export function RunningTime({ startedAtMs }: { startedAtMs: number }) {
  const [nowMs, setNowMs] = useState(() => steadyNow());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(steadyNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  const ms = Math.floor((nowMs - startedAtMs) / 1000) * 1000;
  return <span aria-hidden="true">{ms >= 1000 ? showDuration(ms).replace('.0', '') : ''}</span>;
}

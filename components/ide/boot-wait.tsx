// A view that has nothing to show yet.
'use client';

import { useLayoutEffect } from 'react';
import { type BootWaiting, waitFor } from './boot-waits';

/** Draws nothing: the page's cover shows what is waited for while this is mounted. */
export function BootWait({ title, step, fraction, instead, startOver }: BootWaiting) {
  useLayoutEffect(
    () => waitFor({ title, step, fraction, instead, startOver }),
    [title, step, fraction, instead, startOver],
  );
  return null;
}

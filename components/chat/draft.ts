// What was typed and not sent, per conversation: it is still there after switching away or loading the page again.

import { type Dispatch, type SetStateAction, useCallback, useState } from 'react';
import { browserStorage } from '../../lib/std/browser-storage';

const keyOf = (sessionId: string) => `cloche:draft:${sessionId}`;

/** A text and its setter, kept in this browser: it outlives the tab. *Contract:* mounted anew for another conversation. */
export function useDraft(sessionId: string): [string, Dispatch<SetStateAction<string>>] {
  const [text, setText] = useState(() => browserStorage.getItem(keyOf(sessionId)) ?? '');
  const set: typeof setText = useCallback(
    (next) =>
      setText((now) => {
        const value = typeof next === 'function' ? next(now) : next;
        if (value === '') browserStorage.removeItem(keyOf(sessionId));
        else browserStorage.setItem(keyOf(sessionId), value);
        return value;
      }),
    [sessionId],
  );
  return [text, set];
}

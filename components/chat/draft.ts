// What was typed and not sent, per conversation: it is still there after switching away or loading the page again.
import { type Dispatch, type SetStateAction, useCallback, useState } from 'react';

const keyOf = (sessionId: string) => `cloche:draft:${sessionId}`;

/** A text and its setter, kept in this browser: it outlives the tab. *Contract:* mounted anew for another conversation. */
export function useDraft(sessionId: string): [string, Dispatch<SetStateAction<string>>] {
  const [text, setText] = useState(() => localStorage.getItem(keyOf(sessionId)) ?? '');
  const set: typeof setText = useCallback(
    (next) =>
      setText((now) => {
        const value = typeof next === 'function' ? next(now) : next;
        try {
          if (value === '') localStorage.removeItem(keyOf(sessionId));
          else localStorage.setItem(keyOf(sessionId), value);
        } catch {
          // A full storage must not keep anybody from typing.
        }
        return value;
      }),
    [sessionId],
  );
  return [text, set];
}

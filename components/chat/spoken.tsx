// What a screen reader hears: the answer when it is complete, each question when it is asked; never the words as they stream.
'use client';

import { useEffect, useRef, useState } from 'react';
import { useCurrent } from './chat-context';
import { type Heard, spokenChange } from './spoken-change';

/** A polite live region that nobody sees. */
export function Spoken() {
  const { state } = useCurrent();
  const [text, setText] = useState('');
  const heard = useRef<Heard>(undefined);
  useEffect(() => {
    const { say, now } = spokenChange(heard.current, state);
    heard.current = now;
    if (say !== undefined) setText(say);
  }, [state]);
  return (
    <div className="visually-hidden" role="status">
      {text}
    </div>
  );
}

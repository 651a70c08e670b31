// The window of a sign-in, before it goes to the other site and after it came back. What it came back with is handed to the page that waits, and
// taken out of the address at once.
'use client';

import { useEffect, useState } from 'react';
import { Mark } from '../ui/mark';
import { type SignInWord, signInChannel } from './sign-in-channel';

type Moment = 'looking' | 'handing' | 'done' | 'nobody';

const answerTimeoutMs = 5000;

/** Closes itself when it is done, where the browser lets it. */
export function SignedIn() {
  const [moment, setMoment] = useState<Moment>();
  useEffect(() => {
    const query = location.search;
    const state = new URLSearchParams(query).get('state');
    if (state === null) {
      setMoment('looking');
      return;
    }
    history.replaceState(null, '', location.pathname);
    setMoment('handing');
    const channel = signInChannel();
    const timer = setTimeout(() => setMoment('nobody'), answerTimeoutMs);
    channel.onmessage = ({ data }: MessageEvent<SignInWord>) => {
      if (data.kind !== 'taken' || data.state !== state) return;
      clearTimeout(timer);
      setMoment('done');
      window.close();
    };
    channel.postMessage({ kind: 'back', query } satisfies SignInWord);
    return () => {
      clearTimeout(timer);
      channel.close();
    };
  }, []);
  const [title, text] = moment === undefined ? ['', ''] : words[moment];
  return (
    <main className="boot">
      <div className="boot-card" role="status" data-visible={moment !== undefined}>
        <Mark size={32} />
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
    </main>
  );
}

const words: Record<Moment, [title: string, text: string]> = {
  looking: ['One moment', 'Cloche is asking the server where to sign in. This window goes there by itself.'],
  handing: ['One moment', 'Handing this over to the page where you began.'],
  done: ['That is all here', 'You can close this window and go on where you began.'],
  nobody: [
    'Nobody waits for this sign-in',
    'The page where you began is closed, or you stopped it there. Close this window and sign in again from the list of MCP servers.',
  ],
};

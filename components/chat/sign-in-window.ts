// The window in which the person signs in. It is opened by the click itself, because later a browser would block it; where one is blocked all the
// same, a link is shown. What it is doing is a state for views.
import type { SignInWay } from '../../lib/registry/mcp/sign-in';
import { clientDocumentUrl, SIGNED_IN_PATH } from '../../lib/std/mcp-client';
import { createStore, type Store } from '../ui/store';
import { type SignInWord, signInChannel } from './sign-in-channel';

/** How it is with one sign-in. */
export type SignInProgress =
  | { kind: 'looking' }
  /** `shown`: the window went there; otherwise the person has to press the link. */
  | { kind: 'waiting'; page: string; host: string; shown: boolean }
  | { kind: 'finishing' }
  | { kind: 'failed'; why: string };

export interface SignInWindow {
  /** By the server's name; nothing for one that is done or was stopped. */
  progress: Store<ReadonlyMap<string, SignInProgress>>;
  /** *Contract:* called by a click. Never rejects. */
  begin(name: string, signIn: (way: SignInWay, signal: AbortSignal) => Promise<void>): Promise<void>;
  stop(name: string): void;
  /** All of them: the project is closed. */
  dispose(): void;
}

/** Where an authorization server must send people back to. */
export function redirectUri(): string {
  return location.origin + SIGNED_IN_PATH;
}

/** One for the project that is open. */
export function createSignInWindow(): SignInWindow {
  const progress = createStore<ReadonlyMap<string, SignInProgress>>(new Map());
  const stops = new Map<string, AbortController>();
  const show = (name: string, now: SignInProgress | undefined) =>
    progress.set((all) => {
      const next = new Map(all);
      if (now === undefined) next.delete(name);
      else next.set(name, now);
      return next;
    });

  return {
    progress,
    async begin(name, signIn) {
      stops.get(name)?.abort(new Error('Begun anew.'));
      const stop = new AbortController();
      stops.set(name, stop);
      const opened = window.open(SIGNED_IN_PATH, '_blank', 'popup,width=540,height=760');
      show(name, { kind: 'looking' });
      const way: SignInWay = {
        redirectUri: redirectUri(),
        clientUrl: clientDocumentUrl(location.origin),
        ask(page, state, signal) {
          const shown = opened !== null && !opened.closed;
          if (shown) opened.location.replace(page.href);
          show(name, { kind: 'waiting', page: page.href, host: page.host, shown });
          return comingBack(state, signal);
        },
        finishing: () => show(name, { kind: 'finishing' }),
      };
      try {
        await signIn(way, stop.signal);
        if (stops.get(name) === stop) show(name, undefined);
      } catch (error) {
        opened?.close();
        if (stops.get(name) !== stop) return;
        show(name, stop.signal.aborted ? undefined : { kind: 'failed', why: (error as Error).message });
      } finally {
        if (stops.get(name) === stop) stops.delete(name);
      }
    },
    stop(name) {
      stops.get(name)?.abort(new Error('You stopped it.'));
      show(name, undefined);
    },
    dispose() {
      for (const stop of stops.values()) stop.abort(new Error('The project was closed.'));
    },
  };
}

/** What a window came back with under this state. Rejects with the signal's reason. */
function comingBack(state: string, signal: AbortSignal): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    const channel = signInChannel();
    const stop = () => {
      channel.close();
      reject(signal.reason as Error);
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    channel.onmessage = ({ data }: MessageEvent<SignInWord>) => {
      if (data.kind !== 'back') return;
      const back = new URLSearchParams(data.query);
      if (back.get('state') !== state) return;
      channel.postMessage({ kind: 'taken', state } satisfies SignInWord);
      signal.removeEventListener('abort', stop);
      channel.close();
      resolve(back);
    };
  });
}

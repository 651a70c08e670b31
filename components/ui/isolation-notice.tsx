// What is shown instead of the IDE when the page is not cross-origin isolated: the engine shares one memory between workers, and browsers allow
// that only on isolated pages. One page that says what is missing and what to do.
'use client';

import { type ReactNode, useSyncExternalStore } from 'react';
import { BootWait } from '../ide/boot-wait';
import { Mark } from './mark';

/** What keeps this page from running the engine; undefined when nothing does. `scope` is the window. */
export type IsolationProblem = 'insecure' | 'headers' | 'browser';

/** Call in the browser. `insecure`: plain http on a name that is not loopback; `headers`: COOP or COEP did not arrive; `browser`: no support. */
export function isolationProblem(
  scope: Pick<typeof globalThis, 'isSecureContext' | 'crossOriginIsolated'> & { SharedArrayBuffer?: unknown },
): IsolationProblem | undefined {
  if (!scope.isSecureContext) return 'insecure';
  if (scope.crossOriginIsolated === undefined) return 'browser';
  if (!scope.crossOriginIsolated) return 'headers';
  return scope.SharedArrayBuffer === undefined ? 'browser' : undefined;
}

const texts: Record<IsolationProblem, { missing: string; steps: string[] }> = {
  insecure: {
    missing:
      'This page came over plain http from a name that is not this computer’s, so the browser does not let its workers share memory.',
    steps: [
      'Open the address with https://.',
      'On your own computer, open http://cloche.localhost with the port of the server.',
      'If this is your server: put a certificate in front of it, for its name and for all names below it.',
    ],
  },
  headers: {
    missing:
      'The browser got this page without the headers that isolate it (Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp).',
    steps: [
      'Load the page again without the cache.',
      'If it is shown inside another site’s frame, open it in a tab of its own.',
      'If this is your server: let the proxy in front of it pass these headers on unchanged.',
    ],
  },
  browser: {
    missing: 'This browser has no shared memory for workers (SharedArrayBuffer and crossOriginIsolated).',
    steps: [
      'Use a current Chromium, Firefox or Safari.',
      'If this is an embedded browser of an app, open the address in the real one.',
    ],
  },
};

/** The page's whole content; needs nothing but the problem. */
export function IsolationNotice({ problem }: { problem: IsolationProblem }) {
  const { missing, steps } = texts[problem];
  return (
    <main className="boot">
      <div className="boot-card" role="alert">
        <Mark size={32} />
        <h1>This page cannot run a computer here</h1>
        <p>{missing}</p>
        <ul>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
        <div className="row">
          <button type="button" className="button" data-tone="primary" onClick={() => location.reload()}>
            Load again
          </button>
          <a className="button" href="/">
            All projects
          </a>
        </div>
      </div>
    </main>
  );
}

const never = () => () => {};

/** Shows its children where the engine can run, else the notice. Nothing before the browser has said which: the server cannot know. */
export function IsolatedOnly({ children }: { children: ReactNode }) {
  const problem = useSyncExternalStore(
    never,
    () => isolationProblem(globalThis),
    () => 'unknown' as const,
  );
  if (problem === 'unknown') return <BootWait />;
  return problem === undefined ? children : <IsolationNotice problem={problem} />;
}

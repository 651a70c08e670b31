// What a project's page shows until the project is there. It is in the HTML and covers the page from the first paint on: first the script beside it says
// how much of the page's code has come (watch-boot.ts), later the views say what they wait for (boot-waits.ts).
'use client';

import { useEffect, useState } from 'react';
import { Mark } from '../ui/mark';
import { useStore } from '../ui/store';
import { bootWaits } from './boot-waits';
import { PAGE_SHARE } from './watch-boot';

/** In the page's HTML, before what it covers. `title`: what is opened, as far as the server knows. */
export function BootCover({ title }: { title: string }) {
  const waits = useStore(bootWaits);
  if (waits?.length === 0) return null;
  return <Cover title={title} />;
}

function Cover({ title: named }: { title: string }) {
  const waits = useStore(bootWaits) ?? [];
  const title = waits.findLast((one) => one.title !== undefined)?.title ?? named;
  const { step, fraction, instead, startOver } = waits.findLast((one) => one.step !== undefined) ?? {};
  const [least, setLeast] = useState(0);
  const isTold = step !== undefined;
  // From here on the views tell; before, the cover is drawn as it came, and what the script wrote into it stays.
  useEffect(() => {
    if (isTold) setLeast(window.clocheBootWatch?.stop() ?? 0);
  }, [isTold]);
  const reached = Math.max(least, PAGE_SHARE + (1 - PAGE_SHARE) * (fraction ?? 0));
  const percent = isTold ? Math.round(reached * 100) : 0;
  return (
    <main id="boot-cover" className="boot boot-cover" aria-busy="true" suppressHydrationWarning>
      <div className="boot-card">
        <Mark size={32} />
        <h1>{title}</h1>
        <div
          className="progress"
          role="progressbar"
          aria-label={step ?? 'Loading'}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={fraction !== undefined ? percent : undefined}
        >
          <div
            className="progress-bar"
            data-state={isTold && fraction === undefined ? 'indeterminate' : undefined}
            style={{ width: `${percent}%` }}
            suppressHydrationWarning
          />
        </div>
        <p data-boot-step suppressHydrationWarning>
          {isTold ? [step, fraction !== undefined && `${percent} %`].filter(Boolean).join(' ') : 'Loading'}
        </p>
        {instead && (
          <div className="row">
            <button type="button" className="button" onClick={instead.run}>
              {instead.label}
            </button>
          </div>
        )}
        <div className="row boot-late">
          {startOver && (
            <button type="button" className="button" onClick={startOver}>
              Start over
            </button>
          )}
          <a className="button" href="/">
            All projects
          </a>
        </div>
        <div className="boot-broken" role="alert">
          <p>A part of this page did not come. The network may be gone, or Cloche was just updated.</p>
          <div className="row">
            <button type="button" className="button" data-tone="primary" data-boot-reload>
              Load again
            </button>
          </div>
        </div>
      </div>
    </main>
  );
}

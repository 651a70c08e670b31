// The preview in a browser tab of its own.
'use client';

import { useCallback, useEffect, useState } from 'react';
import { askForPreview } from './preview-channel';
import { PreviewFrame } from './preview-frame';
import { previewUrl } from './preview-state';
import './preview.css';

/** What the address says. Not properties from the server: without it one kept page serves all ports. */
interface Address {
  port: number;
  path: string;
}

function addressOf({ pathname, search }: Location): Address {
  return { port: Number(pathname.split('/').at(-1)), path: new URLSearchParams(search).get('path') ?? '/' };
}

/** Fills the window; says what is missing when the project is not running in another tab. */
export function PreviewPage({ projectId }: { projectId: string }) {
  const [address, setAddress] = useState<Address>();
  const [state, setState] = useState<{ url: string } | 'asking' | 'silent' | 'closed'>('asking');
  const ask = useCallback(() => {
    const now = addressOf(location);
    setAddress(now);
    setState('asking');
    document.title = `:${now.port}${now.path} – Cloche`;
    void askForPreview(projectId, now.port).then(setState);
  }, [projectId]);
  useEffect(ask, [ask]);

  if (state === 'asking' || !address) return <main className="preview-page" aria-busy="true" />;
  const { port, path } = address;
  if (typeof state === 'object')
    return (
      <main className="preview-page">
        <PreviewFrame url={previewUrl({ port, url: state.url }, path)} name={`Preview of port ${port}`} />
      </main>
    );
  return (
    <main className="preview-page">
      <div className="empty">
        <p>
          {state === 'silent'
            ? 'This project is not running. Keep it open in another tab: its computer lives there.'
            : `Nothing is listening on port ${port}. Run the project in its tab.`}
        </p>
        <div className="row">
          <a className="button" data-tone="primary" href={`/p/${projectId}`}>
            Open the project
          </a>
          <button type="button" className="button" onClick={ask}>
            Try again
          </button>
        </div>
      </div>
    </main>
  );
}

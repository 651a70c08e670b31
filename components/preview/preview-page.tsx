// The preview in a browser tab of its own.
'use client';

import { useCallback, useEffect, useState } from 'react';
import { askForPreview } from './preview-channel';
import { PreviewFrame } from './preview-frame';
import { previewUrl } from './preview-state';
import './preview.css';

/** Fills the window; says what is missing when the project is not running in another tab. */
export function PreviewPage({ projectId, port, path }: { projectId: string; port: number; path: string }) {
  const [state, setState] = useState<{ url: string } | 'asking' | 'silent' | 'closed'>('asking');
  const ask = useCallback(() => {
    setState('asking');
    void askForPreview(projectId, port).then(setState);
  }, [projectId, port]);
  useEffect(() => {
    document.title = `:${port}${path} – Cloche`;
    ask();
  }, [ask, port, path]);

  if (state === 'asking') return <main className="preview-page" aria-busy="true" />;
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
          <a className="button" href={`/p/${projectId}`}>
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

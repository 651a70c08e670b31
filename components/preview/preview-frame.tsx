// The frame of a guest's page. Another origin, sandboxed; what it may do is exactly what a page of its own would need.
'use client';

import { type CSSProperties, useEffect, useState } from 'react';

/** Tells when the page takes long to come. A new `style` does not load it again. */
export function PreviewFrame({ url, name, style }: { url: string; name: string; style?: CSSProperties | undefined }) {
  const [state, setState] = useState<'loading' | 'slow' | 'loaded'>('loading');
  useEffect(() => {
    const timer = setTimeout(() => setState((now) => (now === 'loading' ? 'slow' : now)), 1000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {state === 'slow' && (
        <p className="preview-wait" role="status">
          Waiting for {new URL(url).pathname}…
        </p>
      )}
      <iframe
        className="preview-frame"
        title={name}
        src={url}
        style={style}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads"
        allow="cross-origin-isolated"
        onLoad={() => setState('loaded')}
      />
    </>
  );
}

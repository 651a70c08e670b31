// One word in the status bar: whether the server is there, and whether it is needed.
'use client';

import { useEffect } from 'react';
import { useStore } from '../ui/store';
import { keeping, keepOffline } from './keep-offline';
import { serverReached, watchServer } from './server-reach';

/** Keeps things for offline work as soon as, and whenever, there is a server. */
export function OfflineStatus() {
  const reached = useStore(serverReached);
  const kept = useStore(keeping);
  useEffect(watchServer, []);
  useEffect(() => {
    if (reached === true) void keepOffline();
  }, [reached]);
  if (reached === false)
    return (
      <span
        role="status"
        data-tone="warning"
        title="Everything here goes on working; npm install and real models need the network."
      >
        offline
      </span>
    );
  switch (kept.kind) {
    case 'off':
    case 'keeping':
      return null;
    case 'kept':
      return <span title="All that this page needs is kept in this browser.">works offline</span>;
    case 'failed':
      return <span title={kept.why}>needs the network</span>;
  }
}

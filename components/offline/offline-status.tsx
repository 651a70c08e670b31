// Whether the server is there and whether it is needed: one word, and what makes it true.
'use client';

import { useEffect } from 'react';
import { useStore } from '../ui/store';
import { keeping, keepOffline } from './keep-offline';
import { serverReached, watchServer } from './server-reach';

/** Shows nothing: keeps things for offline work as soon as, and whenever, there is a server. Once per page. */
export function KeepOffline() {
  const reached = useStore(serverReached);
  useEffect(watchServer, []);
  useEffect(() => {
    if (reached === true) void keepOffline();
  }, [reached]);
  return null;
}

/** For the status bar; `onlyTrouble`: nothing but that the server is away. */
export function OfflineStatus({ onlyTrouble = false }: { onlyTrouble?: boolean }) {
  const reached = useStore(serverReached);
  const kept = useStore(keeping);
  if (reached === false)
    return (
      <span
        role="status"
        className="offline-status"
        data-tone="warning"
        title="Everything here goes on working; npm install and real models need the network."
      >
        offline
      </span>
    );
  if (onlyTrouble) return null;
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

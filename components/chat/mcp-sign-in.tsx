// Signing in to one server of the web, in the list of servers: begin, go on in the other window, stop, sign out.
'use client';

import type { RemoteServer } from '../../lib/registry/mcp/server-config';
import type { McpServerState } from '../../lib/registry/mcp/server-state';
import { useStore } from '../ui/store';
import { showError } from '../ui/toasts';
import { useConversations } from './chat-context';
import { redirectUri } from './sign-in-window';

interface McpSignInProps {
  config: RemoteServer;
  state: McpServerState;
}

/** Nothing where there is nothing to sign in to. */
export function McpSignIn({ config, state }: McpSignInProps) {
  const { mcp } = useConversations();
  const { name } = config;
  const progress = useStore(mcp.signInWindow.progress).get(name);
  const at = mcp.servers.signedInAt(name);
  const begin = () => void mcp.signInWindow.begin(name, (way, signal) => mcp.servers.signIn(name, way, signal));
  const stop = (
    <button type="button" className="button" onClick={() => mcp.signInWindow.stop(name)}>
      Cancel
    </button>
  );
  if (config.oauth === false) return null;
  switch (progress?.kind) {
    case 'looking':
      return (
        <div className="mcp-sign-in" role="status">
          <p>Asking the server where to sign in…</p>
          <div className="row">{stop}</div>
        </div>
      );
    case 'waiting':
      return (
        <div className="mcp-sign-in" role="status">
          <p>
            {progress.shown
              ? 'Sign in in the other window. It belongs to '
              : 'Your browser did not open a window. Sign in on the page of '}
            <strong>{progress.host}</strong>. Look at its address before you type a password.
          </p>
          <div className="row">
            <a
              className="button"
              data-tone={progress.shown ? undefined : 'primary'}
              href={progress.page}
              target="_blank"
              rel="noopener noreferrer"
            >
              {progress.shown ? 'Open it again' : `Open ${progress.host}`}
            </a>
            {stop}
          </div>
        </div>
      );
    case 'finishing':
      return (
        <p className="mcp-sign-in" role="status">
          Fetching the key…
        </p>
      );
    case 'failed':
    case undefined:
  }
  const wantsSignIn = state.status.kind === 'needs-auth';
  if (!wantsSignIn && at === undefined && progress === undefined) return null;
  return (
    <div className="mcp-sign-in">
      {progress !== undefined && <p role="alert">{`Not signed in: ${progress.why}`}</p>}
      {at !== undefined && <p>Signed in at {at}. The key is kept in this browser.</p>}
      {wantsSignIn && config.oauth.clientId !== undefined && (
        <p>
          The redirect address of your client must be <code className="mono">{redirectUri()}</code>.
        </p>
      )}
      <div className="row">
        {wantsSignIn && (
          <button type="button" className="button" data-tone="primary" onClick={begin}>
            Sign in…
          </button>
        )}
        {at !== undefined && (
          <button
            type="button"
            className="button"
            onClick={() => mcp.servers.signOut(name).catch((error) => showError('Signed out here only', error))}
          >
            Sign out
          </button>
        )}
      </div>
    </div>
  );
}

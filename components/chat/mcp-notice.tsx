// Says once per server that the project wants to start something, and what: nothing of it has run by then.
'use client';

import { useEffect } from 'react';
import { useStore } from '../ui/store';
import { useConversations, useCurrent } from './chat-context';
import { serverLine } from './mcp-words';

/** Nothing where the person has decided about all of them. */
export function McpNotice() {
  const { mcp, mcpSheet } = useConversations();
  const { state } = useCurrent();
  const { listed } = useStore(mcp.list);
  const { kind } = state.status;
  const open = listed.filter((one) => one.decision === undefined && one.config.enabled);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn may have changed the files.
  useEffect(() => void mcp.look().catch(() => {}), [mcp, kind]);

  const first = open[0];
  if (first === undefined) return null;
  return (
    <section className="undo-notice" aria-label="MCP servers of this project">
      <div>
        <p>
          <span className="mono">{first.file}</span> of this project brings the MCP server{' '}
          <strong>{first.config.name}</strong>: <code className="mono">{serverLine(first.config)}</code>. Start it, if
          you trust who wrote it.
          {open.length > 1 && ` (${open.length - 1} more)`}
        </p>
        <div className="row">
          <button type="button" className="button" onClick={() => mcp.decide(first, 'start')}>
            Start
          </button>
          <button type="button" className="button" onClick={() => mcp.decide(first, 'ignore')}>
            Ignore
          </button>
          <button type="button" className="button" onClick={() => mcpSheet.set(true)}>
            Look…
          </button>
        </div>
      </div>
    </section>
  );
}

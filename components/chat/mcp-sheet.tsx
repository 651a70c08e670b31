// The MCP servers of this project and of the person: what they are, how it is with them, what they offer and what they said.
'use client';

import { type FormEvent, useId, useState, useSyncExternalStore } from 'react';
import type { McpServerState } from '../../lib/registry/mcp/server-state';
import { Sheet } from '../ui/sheet';
import { useStore } from '../ui/store';
import { useConversations } from './chat-context';
import { mcpSheet } from './chat-sheets';
import type { ListedServer } from './mcp-project';
import { CodemodeField, LogLevelField } from './mcp-server-fields';
import { McpSignIn } from './mcp-sign-in';
import { entryOf, serverLine, statusLine } from './mcp-words';
import { redirectUri } from './sign-in-window';

/** Opened by the conversation's menu, the settings and the palette. */
export function McpSheet() {
  const open = useStore(mcpSheet);
  return (
    <Sheet title="MCP servers" open={open} close={() => mcpSheet.set(false)}>
      {open && <Servers />}
    </Sheet>
  );
}

function Servers() {
  const { mcp } = useConversations();
  const { listed, problems } = useStore(mcp.list);
  const states = useSyncExternalStore(mcp.servers.subscribe, mcp.servers.states, mcp.servers.states);
  return (
    <div className="mcp">
      <p>
        Servers of the Model Context Protocol give the agent more tools. Programs run inside the sandbox; addresses of
        the web are reached through this site’s server. Every call asks you first.
      </p>
      {listed.map((one) => {
        const state = states.find(({ config }) => config.name === one.config.name);
        return state && <Server key={one.config.name} listed={one} state={state} />;
      })}
      {problems.map((problem) => (
        <p key={problem} role="alert">
          {problem}
        </p>
      ))}
      <AddServer />
    </div>
  );
}

function Server({ listed, state }: { listed: ListedServer; state: McpServerState }) {
  const { mcp } = useConversations();
  const { config } = listed;
  const { name } = config;
  const isOn = (listed.kind === 'own' || listed.use === true) && config.enabled;
  return (
    <section className="mcp-server" aria-label={name} data-status={state.status.kind}>
      <h3>
        {name} <small>{placeOf(listed)}</small>
      </h3>
      <code className="mono">{serverLine(config)}</code>
      <p className="mcp-status" role="status">
        {listed.kind === 'brought' && listed.use === false ? 'ignored' : statusLine(state)}
        {state.label !== '' && ` (${state.label})`}
      </p>
      {isOn && config.kind === 'remote' && <McpSignIn config={config} state={state} />}
      <div className="row">
        {isOn && (
          <button type="button" className="button" onClick={() => void mcp.servers.connect(name).catch(() => {})}>
            Connect again
          </button>
        )}
        {listed.kind === 'own' && listed.place === 'sheet' && (
          <>
            <button type="button" className="button" onClick={() => mcp.setEnabled(name, !config.enabled)}>
              {config.enabled ? 'Turn off' : 'Turn on'}
            </button>
            <button type="button" className="button" onClick={() => mcp.remove(name)}>
              Remove
            </button>
          </>
        )}
        {listed.kind === 'brought' && (
          <button
            type="button"
            className="button"
            onClick={() => mcp.decide([{ server: listed, use: listed.use !== true }])}
          >
            {listed.use === true ? 'Stop and ignore' : 'Trust and start'}
          </button>
        )}
      </div>
      {listed.kind === 'own' && listed.place === 'sheet' && <CodemodeField config={config} />}
      {state.tools.length > 0 && (
        <details>
          <summary>Tools</summary>
          <ul>
            {state.tools.map((tool, at) => {
              const { name: toolName, description } = (tool ?? {}) as { name?: unknown; description?: unknown };
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: names may come twice.
                <li key={at}>
                  <code>{String(toolName)}</code> {typeof description === 'string' ? description.split('\n')[0] : ''}
                </li>
              );
            })}
          </ul>
        </details>
      )}
      {state.log.length > 0 && (
        <details>
          <summary>What it said</summary>
          <pre>{state.log.join('\n')}</pre>
          {state.logs && <LogLevelField name={name} />}
        </details>
      )}
    </section>
  );
}

function placeOf(listed: ListedServer): string {
  if (listed.kind === 'brought') return `from ${listed.file}`;
  return listed.place === 'sheet' ? 'yours, in every project' : 'from your opencode.json in the settings';
}

function AddServer() {
  const { mcp } = useConversations();
  const [name, setName] = useState('');
  const [typed, setTyped] = useState('');
  const [header, setHeader] = useState('');
  const [clientId, setClientId] = useState('');
  const [error, setError] = useState<string>();
  const id = useId();
  const isUrl = /^https?:/i.test(typed.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      if (name.trim() === '') throw new Error('Give it a name.');
      mcp.add(name.trim(), entryOf(typed, { header, clientId }));
      setName('');
      setTyped('');
      setHeader('');
      setClientId('');
      setError(undefined);
    } catch (problem) {
      setError((problem as Error).message);
    }
  };
  return (
    <form className="mcp-add" onSubmit={submit} aria-label="Add a server">
      <h3>Add a server</h3>
      <label htmlFor={`${id}-name`}>Name</label>
      <input
        id={`${id}-name`}
        className="field"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <label htmlFor={`${id}-what`}>Command or URL</label>
      <input
        id={`${id}-what`}
        className="field mono"
        spellCheck={false}
        placeholder="npx -y @modelcontextprotocol/server-filesystem ."
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {isUrl && (
        <>
          <label htmlFor={`${id}-header`}>A header to send, such as a key (kept in this browser)</label>
          <input
            id={`${id}-header`}
            className="field mono"
            type="password"
            autoComplete="off"
            placeholder="Authorization: Bearer …"
            value={header}
            onChange={(event) => setHeader(event.currentTarget.value)}
          />
          <label htmlFor={`${id}-client`}>
            Client id, only for servers where programs can’t register themselves
            <small>Register Cloche there with the redirect address {redirectUri()}.</small>
          </label>
          <input
            id={`${id}-client`}
            className="field mono"
            autoComplete="off"
            spellCheck={false}
            value={clientId}
            onChange={(event) => setClientId(event.currentTarget.value)}
          />
        </>
      )}
      {error && <p role="alert">{error}</p>}
      <div className="row">
        <button type="submit" className="button" data-tone="primary">
          Add
        </button>
      </div>
    </form>
  );
}

// What a person chooses for one MCP server.
'use client';

import { useId } from 'react';
import type { LogLevel } from '../../lib/registry/mcp/protocol-client';
import type { McpServerConfig } from '../../lib/registry/mcp/server-config';
import { manyTools } from '../../lib/registry/registry';
import { settings } from '../ide/settings';
import { useStore } from '../ui/store';
import { showError } from '../ui/toasts';
import { useConversations } from './chat-context';

/** Whether its tools are for programs alone (`codemode` of its entry). */
export function CodemodeField({ config: { name, codemode } }: { config: McpServerConfig }) {
  const { mcp } = useConversations();
  const { programs } = useStore(settings);
  const id = useId();
  return (
    <p className="mcp-choice">
      <label htmlFor={id}>
        Its tools
        {codemode === true && !programs && <small>For that, turn on Programs over tools in the settings.</small>}
      </label>
      <select
        id={id}
        className="field"
        value={codemode === undefined ? '' : String(codemode)}
        onChange={({ currentTarget: { value } }) => mcp.setCodemode(name, value === '' ? undefined : value === 'true')}
      >
        <option value="">one by one, or in programs when it has more than {manyTools}</option>
        <option value="false">one by one</option>
        <option value="true">only in programs</option>
      </select>
    </p>
  );
}

const logLevels: [LogLevel, string][] = [
  ['debug', 'everything'],
  ['info', 'what it does'],
  ['warning', 'warnings and errors'],
  ['error', 'errors'],
];

/** How much a server writes into its log, while the page lives. */
export function LogLevelField({ name }: { name: string }) {
  const { mcp } = useConversations();
  const id = useId();
  return (
    <p className="mcp-choice">
      <label htmlFor={id}>Let it write</label>
      <select
        id={id}
        className="field"
        defaultValue=""
        onChange={(event) => {
          const level = event.currentTarget.value as LogLevel;
          mcp.servers.setLogLevel(name, level).catch((error) => showError(`${name} did not take it`, error));
        }}
      >
        <option value="" disabled>
          as much as it likes
        </option>
        {logLevels.map(([level, words]) => (
          <option key={level} value={level}>
            {words}
          </option>
        ))}
      </select>
    </p>
  );
}

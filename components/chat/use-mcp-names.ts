// What of MCP servers can be typed: their prompts after a slash, their resources after an @.
import { useMemo, useSyncExternalStore } from 'react';
import { promptsOf } from '../../lib/registry/mcp/prompts';
import { useConversations } from './chat-context';
import { mentionableResources, promptCommand } from './mcp-spoken';

interface Named {
  name: string;
  description: string;
}

/** By what is typed, without the sign. */
export function useMcpNames(): { prompts: Named[]; resources: Named[] } {
  const { mcp } = useConversations();
  const states = useSyncExternalStore(mcp.servers.subscribe, mcp.servers.states, mcp.servers.states);
  return useMemo(
    () => ({
      prompts: states.flatMap(promptsOf).map((prompt) => ({
        name: promptCommand(prompt),
        description: [prompt.description, ...prompt.arguments.map((one) => (one.required ? one.name : `[${one.name}]`))]
          .filter((word) => word !== '')
          .join(' · '),
      })),
      resources: mentionableResources(states).map(({ server, uri, description }) => ({
        name: `${server}:${uri}`,
        description: description || 'resource',
      })),
    }),
    [states],
  );
}

// Which resources a conversation has read and a server says have changed since: told to the model once, with the next result of that server.
import type { Tool, ToolResult } from '../../tools/tool';
import type { McpConnection } from './connection';
import { resourcePrompts } from './resource-tools.prompt';

/** Of one conversation. */
export interface ResourceNews {
  /** It is read now. */
  reads(connection: McpConnection, uri: string): void;
  /** The same tool; its results tell what changed at that server. */
  telling(tool: Tool, server: (input: unknown) => string | undefined): Tool;
}

/** Nothing was read yet. */
export function createResourceNews(): ResourceNews {
  const read = new Map<string, { server: string; uri: string; updates: number; connection: McpConnection }>();

  function changedAt(server: string | undefined): string[] {
    const changed = [...read.values()].filter(
      (one) => one.server === server && one.connection.updatesOf(one.uri) > one.updates,
    );
    for (const one of changed) one.updates = one.connection.updatesOf(one.uri);
    return changed.map(({ uri }) => uri);
  }

  function told(result: ToolResult, changed: readonly string[]): ToolResult {
    if (changed.length === 0) return result;
    return { ...result, output: `${result.output}\n\n${resourcePrompts.changed(changed)}` };
  }

  return {
    reads(connection, uri) {
      const server = connection.state().config.name;
      read.set(`${server} ${uri}`, { server, uri, updates: connection.updatesOf(uri), connection });
    },
    telling: (tool, server) => ({
      ...tool,
      execute: async (input, context) => told(await tool.execute(input, context), changedAt(server(input))),
    }),
  };
}

// Reading what servers hold: two tools for all servers, there when one of them has resources. Which resource is asked for tells the server
// something, so it asks like a call does.
import { z } from 'zod';
import { type Tool, ToolError } from '../../tools/tool';
import { resourceResult } from './call-result';
import type { McpConnection } from './connection';
import type { ResourceNews } from './resource-news';
import { resourcePrompts } from './resource-tools.prompt';
import { reasonOf } from './server-state';

const resource = z.looseObject({ uri: z.string(), name: z.string().optional(), description: z.string().optional() });
const template = z.looseObject({
  uriTemplate: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
});
const maxListed = 500;

/** Empty when no connected server has resources. */
export function resourceTools(connections: readonly McpConnection[], news: ResourceNews): Tool[] {
  const holding = connections.filter((one) => {
    const { status, resources, resourceTemplates } = one.state();
    return status.kind === 'connected' && resources.length + resourceTemplates.length > 0;
  });
  if (holding.length === 0) return [];
  const names = holding.map((one) => one.state().config.name);
  const listInput = z.object({ server: z.string().optional().describe('Only those of this server') });
  const readInput = z.object({
    server: z.string().min(1).describe('The server that has it'),
    uri: z.string().min(1).describe('Its uri, as listed or filled in from a template'),
  });
  const list: Tool<z.infer<typeof listInput>> = {
    name: 'list_mcp_resources',
    kind: 'read',
    permission: 'mcp_resource',
    description: resourcePrompts.list(names),
    input: listInput,
    example: { server: names[0]! },
    async execute({ server }) {
      const shown = server === undefined ? holding : [found(holding, server)];
      const lines = shown.flatMap((one) => linesOf(one));
      const left = lines.length - maxListed;
      return {
        title: server ?? 'all servers',
        output: lines.slice(0, maxListed).join('\n') + (left > 0 ? `\n[… ${left} more are left out here …]` : ''),
        meta: { resources: lines.length },
      };
    },
  };
  const read: Tool<z.infer<typeof readInput>> = {
    name: 'read_mcp_resource',
    kind: 'read',
    permission: 'mcp_resource',
    description: resourcePrompts.read(names),
    input: readInput,
    example: { server: names[0]!, uri: 'file:///README.md' },
    async execute({ server, uri }, context) {
      const connection = found(holding, server);
      context.update({ title: uri });
      await context.ask({
        permission: 'mcp_resource',
        patterns: [`${server}:${uri}`],
        always: [`${server}:*`],
        title: `Read ${uri} from the MCP server ${server}`,
        meta: { mcp: server },
      });
      const answer = await connection.readResource(uri, context.signal).catch((error: unknown) => {
        if (context.signal.aborted) throw error;
        throw new ToolError(`The MCP server ${server}: ${reasonOf(error)}`);
      });
      news.reads(connection, uri);
      return resourceResult(server, uri, answer);
    },
  };
  const asked = (value: unknown) => (value as { server?: string }).server;
  return [news.telling(list, asked), news.telling(read, asked)];
}

function found(holding: readonly McpConnection[], name: string): McpConnection {
  const connection = holding.find((one) => one.state().config.name === name);
  if (connection !== undefined) return connection;
  const names = holding.map((one) => one.state().config.name).join(', ');
  throw new ToolError(`No MCP server ${name} has resources. Those that have: ${names}.`);
}

function linesOf(connection: McpConnection): string[] {
  const { config, resources, resourceTemplates } = connection.state();
  const line = (uri: string, name: string | undefined, description: string | undefined) =>
    [`${config.name}: ${uri}`, name, description?.split('\n')[0]?.slice(0, 200)].filter(Boolean).join(' – ');
  return [
    ...resources.flatMap((entry) => {
      const { success, data } = resource.safeParse(entry);
      return success ? [line(data.uri, data.name, data.description)] : [];
    }),
    ...resourceTemplates.flatMap((entry) => {
      const { success, data } = template.safeParse(entry);
      return success ? [line(data.uriTemplate, data.name, data.description)] : [];
    }),
  ];
}

// What servers ask of us and tell us in between, on the official SDK: the project's folder, forms and visits, answers of the model, log lines,
// changes. Whatever else they ask for is refused by name.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { SampleRefused } from '../../tools/sample';
import type { ServerAsks } from './server-asks';

/** Who hears what a server asks and tells. */
export interface ServerListener {
  onLog(line: string): void;
  onListChanged(what: 'tools' | 'resources' | 'prompts'): void;
  onResourceUpdated(uri: string): void;
  /** The visit of that id is over. */
  onVisited(id: string): void;
  asks: ServerAsks;
}

/** What Cloche says that it can do for servers. */
export const clientCapabilities = { roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } };

/** What the protocol's own example uses for a person who says no. */
const refusedCode = -1;

/** To be called before the client connects. */
export function answerServer(client: Client, workdir: string, listener: ServerListener): void {
  const { onLog, onListChanged, onResourceUpdated, onVisited, asks } = listener;
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: [{ uri: `file://${workdir.split('/').map(encodeURIComponent).join('/')}`, name: 'project' }],
  }));
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    if (params.mode !== 'url') return asks.elicit({ message: params.message, schema: params.requestedSchema }, signal);
    const { elicitationId: id, message, url } = params;
    return asks.visit({ id, message, url }, signal).catch((error: Error) => {
      if (signal.aborted) throw error;
      onLog(`It wanted the person to visit ${url.slice(0, 300)}, which was not shown: ${error.message}`);
      throw new McpError(ErrorCode.InvalidParams, error.message);
    });
  });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) =>
    asks.sample(params, signal).catch((error: Error) => {
      if (signal.aborted) throw error;
      onLog(`It asked the model for an answer and did not get one: ${error.message}`);
      throw new McpError(error instanceof SampleRefused ? refusedCode : ErrorCode.InternalError, error.message);
    }),
  );
  client.fallbackRequestHandler = async ({ method }) => {
    onLog(`It asked for ${method}, which Cloche does not do for servers.`);
    throw new McpError(ErrorCode.MethodNotFound, `Cloche does not do ${method} for servers.`);
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => onListChanged('tools'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => onListChanged('resources'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => onListChanged('prompts'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => onResourceUpdated(params.uri));
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => onVisited(params.elicitationId));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params: { level, logger, data } }) => {
    const words = typeof data === 'string' ? data : JSON.stringify(data);
    onLog(`${level}${logger === undefined ? '' : ` (${logger})`}: ${words}`);
  });
  client.onerror = (error) => onLog(error.message);
}

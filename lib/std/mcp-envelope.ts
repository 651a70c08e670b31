// How the IDE asks its server to speak to an MCP server of the web: one JSON POST for every request, so that the guard of the route holds for
// all of them. The answer's status and headers travel beside the body: it is never a page of our origin.

/** Where the route is. */
export const MCP_PATH = '/api/mcp';

/** Header of the answer: the status of the MCP server's answer. Missing where our own server refused. */
export const MCP_STATUS_HEADER = 'x-mcp-status';

/** Header of the answer: those of the MCP server that are passed on, as percent-encoded JSON. */
export const MCP_HEADERS_HEADER = 'x-mcp-headers';

/** One request to be sent on. */
export interface McpEnvelope {
  url: string;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
}

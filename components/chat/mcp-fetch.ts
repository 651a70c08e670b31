// `fetch` for MCP servers of the web: through our own server, because they do not allow other origins and a browser would not let us read them.
import { MCP_HEADERS_HEADER, MCP_PATH, MCP_STATUS_HEADER, type McpEnvelope } from '../../lib/std/mcp-envelope';

/** As `fetch`; rejects with our server's words when it may not or can't reach the other one. */
export async function mcpFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const { body } = init;
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof URLSearchParams))
    throw new TypeError('Only text can be sent to an MCP server.');
  const headers: Record<string, string> = {};
  new Headers(init.headers).forEach((value, name) => {
    headers[name] = value;
  });
  if (body instanceof URLSearchParams) headers['content-type'] ??= 'application/x-www-form-urlencoded';
  const envelope: McpEnvelope = {
    url: String(url),
    method: (init.method ?? 'GET').toUpperCase() as McpEnvelope['method'],
    headers,
    ...(body === undefined || body === null ? {} : { body: String(body) }),
  };
  const answer = await fetch(MCP_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(envelope),
    ...(init.signal ? { signal: init.signal } : {}),
  });
  const status = answer.headers.get(MCP_STATUS_HEADER);
  if (status === null) {
    const told = (await answer.json().catch(() => undefined)) as { message?: unknown } | undefined;
    throw new Error(
      typeof told?.message === 'string' ? told.message : `The server of this site answered ${answer.status}.`,
    );
  }
  const sent = JSON.parse(decodeURIComponent(answer.headers.get(MCP_HEADERS_HEADER) ?? '%7B%7D')) as Record<
    string,
    string
  >;
  const hasBody = ![204, 205, 304].includes(Number(status));
  return new Response(hasBody ? answer.body : null, { status: Number(status), headers: sent });
}

// The way to MCP servers of the web. All of it is in lib/server/mcp-proxy.ts.
import { readMcpEnvironment } from '@/lib/server/mcp-environment';
import { createMcpRoute } from '@/lib/server/mcp-proxy';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

let route: ReturnType<typeof createMcpRoute> | undefined;

export function POST(request: Request): Promise<Response> {
  route ??= createMcpRoute(readMcpEnvironment(process.env));
  return route(request);
}

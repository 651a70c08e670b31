// Who this installation is, for those who give keys for MCP servers: they read it by its URL, which is its client id.
import { originsOf, protocolOf, readHostConfig } from '@/lib/server/hosts';
import { clientDocument } from '@/lib/std/mcp-client';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

export function GET(request: Request): Response {
  const protocol = protocolOf(request.headers.get('x-forwarded-proto'), new URL(request.url).protocol);
  const { ide } = originsOf(request.headers.get('host') ?? '', protocol, readHostConfig(process.env));
  return Response.json(clientDocument(ide), { headers: { 'cache-control': 'public, max-age=3600' } });
}

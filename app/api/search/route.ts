// Search of the web and of code. All of it is in lib/server/search.ts.
import { createSearchRoute, offeredSearch, readSearchEnvironment } from '@/lib/server/search';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

let route: ReturnType<typeof createSearchRoute> | undefined;

export function GET(): Response {
  return Response.json(offeredSearch(readSearchEnvironment(process.env)), { headers: { 'cache-control': 'no-store' } });
}

export function POST(request: Request): Promise<Response> {
  route ??= createSearchRoute(readSearchEnvironment(process.env));
  return route(request);
}

// One page of the web for an agent. All of it is in lib/server/fetch-page.ts.
import { readFetchEnvironment } from '@/lib/server/fetch-environment';
import { createFetchRoute } from '@/lib/server/fetch-page';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
export const maxDuration = 130;

let route: ReturnType<typeof createFetchRoute> | undefined;

export function POST(request: Request): Promise<Response> {
  route ??= createFetchRoute(readFetchEnvironment(process.env));
  return route(request);
}

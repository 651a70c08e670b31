// The registry for guests, on the sandbox's origin and on the IDE's. All of it is in lib/server/npm-proxy.ts.
import { readNpmEnvironment } from '@/lib/server/npm-environment';
import { createNpmRoute } from '@/lib/server/npm-proxy';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

let route: ReturnType<typeof createNpmRoute> | undefined;

function answer(request: Request): Promise<Response> {
  route ??= createNpmRoute(readNpmEnvironment(process.env));
  return route(request);
}

export { answer as GET, answer as HEAD, answer as POST };

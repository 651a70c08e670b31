// The list of what the IDE's service worker keeps, as the script that it imports.
import { offlineFiles } from '@/lib/server/offline-files';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

export function GET(): Response {
  return new Response(`self.clocheIde=${JSON.stringify(offlineFiles('.next'))};\n`, {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  });
}

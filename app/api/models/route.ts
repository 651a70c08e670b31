// The models that may be chosen here, without secrets.
import { readChatEnvironment } from '@/lib/server/chat-environment';
import { offeredModels } from '@/lib/server/offered-models';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(offeredModels(readChatEnvironment(process.env)), { headers: { 'cache-control': 'no-store' } });
}

// One model step, streamed. All of it is in lib/server/chat.ts.
import { createChatRoute } from '@/lib/server/chat';
import { readChatEnvironment } from '@/lib/server/chat-environment';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
export const maxDuration = 300;

let route: ReturnType<typeof createChatRoute> | undefined;

export function POST(request: Request): Promise<Response> {
  route ??= createChatRoute(readChatEnvironment(process.env));
  return route(request);
}

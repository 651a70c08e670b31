// `fetch` for messages to a server of the web: a request that was cancelled does not stay open until the server answers at last. The protocol tells
// the server with a message of its own; here the waiting request ends with it.
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { parseJson } from '../../std/json';

/** As `fetch`. An answer that is a stream of events is left to the server: the client would only try to resume it. */
export function cancellingFetch(fetch: FetchLike): FetchLike {
  const waiting = new Map<unknown, AbortController>();
  return async (url, init = {}) => {
    const message = messageOf(init);
    if (message?.method === 'notifications/cancelled') {
      const told = fetch(url, init);
      const request = waiting.get(message.params?.requestId);
      void told.catch(() => {}).finally(() => request?.abort(new Error('The request was cancelled.')));
      return told;
    }
    if (message?.id === undefined || message.method === undefined) return fetch(url, init);
    const stop = new AbortController();
    waiting.set(message.id, stop);
    const own = init.signal ? [init.signal] : [];
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.any([stop.signal, ...own]) });
      if ((answer.headers.get('content-type') ?? '').includes('text/event-stream') || answer.body === null)
        return answer;
      return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers });
    } finally {
      if (waiting.get(message.id) === stop) waiting.delete(message.id);
    }
  };
}

interface Sent {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown };
}

function messageOf({ method, body }: RequestInit): Sent | undefined {
  if (method !== 'POST' || typeof body !== 'string') return undefined;
  const json = parseJson(body);
  return json.ok && typeof json.value === 'object' && json.value !== null ? (json.value as Sent) : undefined;
}

// Asks this site's server to search; the person's own key goes along with the request and nowhere else.
import { z } from 'zod';
import { isAbortError } from '../std/signals';
import { ToolError } from './tool';

export type SearchRequest = { kind: 'web' | 'code'; query: string } & Record<string, string | number | undefined>;

/** The provider's text, empty when it found nothing. Rejects with a ToolError that says why there is none, or with an AbortError. */
export type SearchWeb = (request: SearchRequest, signal: AbortSignal) => Promise<string>;

const found = z.object({ text: z.string() });
const refused = z.object({ message: z.string() });

/** By `POST /api/search`. `key` is read anew for each search; undefined uses the host's. */
export function serverSearch(
  key: () => string | undefined,
  endpoint = '/api/search',
  fetchFn: typeof fetch = (...args) => fetch(...args),
): SearchWeb {
  return async (request, signal) => {
    const own = key();
    let answer: Response;
    let json: unknown;
    try {
      answer = await fetchFn(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(own ? { 'x-search-key': own } : {}) },
        body: JSON.stringify(request),
        signal,
      });
      json = await answer.json().catch(() => undefined);
    } catch (error) {
      if (signal.aborted || isAbortError(error)) throw error;
      throw new ToolError(
        'Cloche’s server can’t be reached, and searches go through it. Go on without, or tell the person.',
      );
    }
    const result = found.safeParse(json);
    if (answer.ok && result.success) return result.data.text;
    const refusal = refused.safeParse(json);
    throw new ToolError(
      refusal.success ? refusal.data.message : `The search failed (the server said ${answer.status}).`,
    );
  };
}

// Asks this site's server for a page of the web. The browser may not read other sites, and the server checks where it goes.
import { z } from 'zod';
import { isAbortError } from '../std/signals';
import { ToolError } from './tool';

/** What a site answered; a redirect to another host is not followed. */
export type FetchedPage =
  | {
      kind: 'page';
      url: string;
      status: number /** Content-type, as the site says. */;
      type: string;
      bytes: Uint8Array<ArrayBuffer>;
    }
  | { kind: 'redirect'; to: string };

export interface PageRequest {
  url: string;
  accept: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Rejects with a ToolError that says why there is no page, or with an AbortError. */
export type FetchPage = (request: PageRequest) => Promise<FetchedPage>;

const redirected = z.object({ redirect: z.string() });
const refused = z.object({ message: z.string() });

/** By `POST /api/fetch` of this origin. */
export function serverFetch(endpoint = '/api/fetch', fetchFn: typeof fetch = (...args) => fetch(...args)): FetchPage {
  return async ({ signal, ...asked }) => {
    // The server keeps the time; this only ends the wait for a server that does not answer.
    const late = AbortSignal.timeout(asked.timeoutMs + 10_000);
    let answer: Response;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      answer = await fetchFn(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(asked),
        signal: AbortSignal.any([signal, late]),
      });
      bytes = new Uint8Array(await answer.arrayBuffer());
    } catch (error) {
      if (signal.aborted) throw error;
      if (late.aborted || isAbortError(error)) throw new ToolError('Cloche’s server did not answer in time.');
      throw new ToolError(
        'Cloche’s server can’t be reached, and pages are fetched through it. Go on without, or tell the person.',
      );
    }
    const { headers, status } = answer;
    if (answer.ok && headers.get('content-type') === 'application/octet-stream')
      return {
        kind: 'page',
        url: headers.get('x-fetched-url') ?? asked.url,
        status: Number(headers.get('x-fetched-status')),
        type: headers.get('x-fetched-type') ?? '',
        bytes,
      };
    const json = parsed(bytes);
    const redirect = redirected.safeParse(json);
    if (answer.ok && redirect.success) return { kind: 'redirect', to: redirect.data.redirect };
    const refusal = refused.safeParse(json);
    throw new ToolError(
      refusal.success ? refusal.data.message : `The page could not be fetched (the server said ${status}).`,
    );
  };
}

function parsed(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

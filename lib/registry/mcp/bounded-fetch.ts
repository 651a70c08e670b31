// `fetch` for small answers of servers that nobody trusts: descriptions and keys. Whole or not at all, and not for ever.
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { readWhole } from '../../std/read-whole';

const maxBytes = 256 * 1024;
const timeoutMs = 30_000;

/** As `fetch`; the body is read within the limits before the answer is given. */
export function boundedFetch(fetch: FetchLike, signal: AbortSignal): FetchLike {
  return async (url, init = {}) => {
    const own = init.signal ? [init.signal] : [];
    const limit = AbortSignal.timeout(timeoutMs);
    const { host } = new URL(url);
    const answer = await fetch(url, { ...init, signal: AbortSignal.any([signal, limit, ...own]) }).catch(
      (error: unknown) => {
        if (limit.aborted) throw new Error(`${host} did not answer within ${timeoutMs / 1000} s.`);
        throw error;
      },
    );
    const body = answer.body === null ? null : await readWhole(answer.body, maxBytes);
    if (body === undefined) throw new Error(`${host} answered with more than ${maxBytes} bytes.`);
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
}

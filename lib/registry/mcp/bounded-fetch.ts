// `fetch` for small answers of servers that nobody trusts: descriptions and keys. Whole or not at all, and not for ever.
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { joinBytes } from '../../std/join-bytes';

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
    const body = answer.body === null ? null : await whole(answer.body, host);
    return new Response(body as Uint8Array<ArrayBuffer> | null, { status: answer.status, headers: answer.headers });
  };
}

async function whole(body: ReadableStream<Uint8Array>, host: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw new Error(`${host} answered with more than ${maxBytes} bytes.`);
    }
    pieces.push(value);
  }
  return joinBytes(pieces);
}

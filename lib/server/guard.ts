// The one place that decides whether a state-changing or paid request came from our own page: a preview or another site can make a
// browser post to us, and must get nothing for it.
import { readWhole } from '../std/read-whole';
import { jsonTrouble } from './json-shape';

/** A refusal as JSON: what every route answers when something is wrong. `more.status`: the provider's own, for the body. */
export function refusal(
  status: number,
  message: string,
  more: { retryable?: boolean; kind?: string; retryAfterMs?: number; status?: number } = {},
): Response {
  const { retryAfterMs, ...rest } = more;
  return Response.json(
    { message, retryable: false, kind: 'bug', status, ...rest },
    {
      status,
      headers: {
        'cache-control': 'no-store',
        ...(retryAfterMs === undefined
          ? {}
          : {
              'retry-after': String(Math.ceil(retryAfterMs / 1000)),
              'retry-after-ms': String(Math.ceil(retryAfterMs)),
            }),
      },
    },
  );
}

/**
 * Undefined when the request may go on. It must come from our own origin (Sec-Fetch-Site, or a matching Origin where a browser is too old
 * to send that) and carry JSON, which no form and no simple cross-site request can.
 */
export function guardRequest(request: Request): Response | undefined {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (!sameOrigin(request)) return refusal(403, 'This request did not come from this site.');
  if (type !== 'application/json') return refusal(415, 'Send JSON.');
  return undefined;
}

function sameOrigin(request: Request): boolean {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  if (origin === null) return site === 'same-origin';
  try {
    return new URL(origin).host === (request.headers.get('host') ?? new URL(request.url).host);
  } catch {
    return false;
  }
}

/** The body as JSON, read no further than `maxBytes`; a Response (413 or 400) when it is too long, too deep, of too many values, or no JSON. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<{ value: unknown } | Response> {
  const tooLong = () =>
    refusal(413, `This request is longer than ${maxBytes} bytes. Start a new conversation, or shorten it.`, {
      kind: 'limit',
    });
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return tooLong();
  const bytes = request.body === null ? new Uint8Array() : await readWhole(request.body, maxBytes);
  if (bytes === undefined) return tooLong();
  const trouble = jsonTrouble(bytes);
  if (trouble !== undefined)
    return refusal(
      413,
      trouble === 'deep' ? 'This request is nested too deeply.' : 'This request has too many values.',
      { kind: 'limit' },
    );
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return refusal(400, 'The body is not JSON.');
  }
}

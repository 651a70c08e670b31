// One page of the web for an agent. The server goes only where the page's own host leads: a redirect to another host is handed back,
// so that the person is asked about that one too. What comes back is bytes, never a page of this origin.
import { z } from 'zod';
import { isListedHost } from './environment';
import type { FetchEnvironment } from './fetch-environment';
import { guardRequest, readJsonBody, refusal } from './guard';
import { createOpenRequests } from './open-requests';
import { type HopTrust, OutgoingError, type OutgoingRequest, sendFollowing } from './outgoing';
import { BodyTooLong, readOutgoingBody } from './outgoing-body';
import { visitorAddress } from './peer-address';
import { createRateLimit } from './rate-limit';
import { robotsAllow } from './robots';

const asked = z.strictObject({
  url: z.string().max(4000),
  accept: z
    .string()
    .max(200)
    .regex(/^[\x20-\x7e]*$/)
    .default('*/*'),
  timeoutMs: z.number().int().positive().optional(),
});

const robotsToken = 'cloche-user';
const robotsKeptMs = 3_600_000;
const robotsMaxBytes = 512 * 1024;
const robotsMaxKept = 1000;

/**
 * The answering function of `POST /api/fetch`: `{url, accept?, timeoutMs?}`. 200 as octets with `x-fetched-url`, `x-fetched-status` and
 * `x-fetched-type` (the site's words); 200 as JSON `{redirect}` when the site leads to another host; otherwise a refusal.
 * `trusted`: hosts of tests, whose address and scheme are not checked.
 */
export function createFetchRoute(
  environment: FetchEnvironment,
  trusted: (url: URL) => boolean = () => false,
): (request: Request) => Promise<Response> {
  const { limits } = environment;
  const rate = createRateLimit(limits.requestsPerMinute, 60_000);
  const robots = new Map<string, { text: string; atMs: number }>();
  const open = createOpenRequests(limits.maxConcurrent);

  const trust = (url: URL): HopTrust => {
    if (!isListedHost(url.hostname, environment.hosts) || url.username || url.password) return 'refused';
    return trusted(url) ? 'trusted' : 'public';
  };
  const upgraded = (url: URL): URL => {
    if (url.protocol !== 'http:' || trusted(url) || environment.http !== 'upgrade') return url;
    const secure = new URL(url);
    secure.protocol = 'https:';
    return secure;
  };

  async function send(url: URL, accept: string, signal: AbortSignal, follow: OutgoingRequest['follow']) {
    const headers = {
      'user-agent': environment.userAgent,
      accept,
      'accept-language': 'en,*;q=0.5',
      'accept-encoding': 'gzip, br',
      // So many hosts: no connection is worth keeping.
      connection: 'close',
    };
    return sendFollowing({ url, method: 'GET', headers, trust, follow, idleTimeoutMs: limits.idleTimeoutMs, signal });
  }

  async function robotsOf(origin: string, signal: AbortSignal): Promise<string> {
    const known = robots.get(origin);
    if (known !== undefined && performance.now() - known.atMs < robotsKeptMs) return known.text;
    const { answer } = await send(new URL('/robots.txt', origin), 'text/plain', signal, (_from, to) => upgraded(to));
    const status = answer.statusCode ?? 500;
    let text = '';
    if (status >= 200 && status < 300)
      text = new TextDecoder().decode(
        await readOutgoingBody(answer, {
          maxBytes: robotsMaxBytes,
          what: `${origin}/robots.txt`,
          signal,
        }),
      );
    else answer.destroy();
    // RFC 9309: what can't be read because the site is ill forbids, what does not exist allows.
    if (status >= 500) text = 'user-agent: *\ndisallow: /';
    robots.delete(origin);
    robots.set(origin, { text, atMs: performance.now() });
    if (robots.size > robotsMaxKept) robots.delete(robots.keys().next().value!);
    return text;
  }

  async function isForbidden(url: URL, signal: AbortSignal): Promise<boolean> {
    if (environment.robots === 'ignore') return false;
    return !robotsAllow(await robotsOf(url.origin, signal), robotsToken, url.pathname + url.search);
  }

  async function fetchPage(start: URL, accept: string, signal: AbortSignal): Promise<Response> {
    if (await isForbidden(start, signal))
      return refusal(403, `${start.host} asks programs not to fetch ${start.pathname} (robots.txt).`, {
        kind: 'robots',
      });
    const { url, answer, redirect } = await send(start, accept, signal, (from, to) =>
      from.host === to.host ? upgraded(to) : undefined,
    );
    if (redirect !== undefined) return Response.json({ redirect: redirect.href }, { headers: answerHeaders });
    if (url.href !== start.href && (await isForbidden(url, signal))) {
      answer.destroy();
      return refusal(403, `${url.host} asks programs not to fetch ${url.pathname} (robots.txt).`, { kind: 'robots' });
    }
    const body = await readOutgoingBody(answer, { what: url.host + url.pathname, signal, maxBytes: limits.maxBytes });
    return new Response(body as Uint8Array<ArrayBuffer>, {
      headers: {
        ...answerHeaders,
        'content-type': 'application/octet-stream',
        'x-fetched-url': url.href,
        'x-fetched-status': String(answer.statusCode),
        'x-fetched-type': (answer.headers['content-type'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 200),
      },
    });
  }

  return async (request) => {
    const refused = guardRequest(request);
    if (refused) return refused;
    if (!environment.isOn) return refusal(403, 'This server does not fetch pages (CLOCHE_FETCH=off).', { kind: 'off' });
    const body = await readJsonBody(request, 16_384);
    if (body instanceof Response) return body;
    const parsed = asked.safeParse(body.value);
    if (!parsed.success) return refusal(400, 'Send {"url": "https://…"}.');
    const { url: address, accept, timeoutMs = limits.totalTimeoutMs } = parsed.data;
    const url = URL.parse(address);
    if (url === null || !/^https?:$/.test(url.protocol))
      return refusal(400, 'Only http and https URLs can be fetched.');
    if (url.username || url.password) return refusal(400, 'The URL has a name or password in it; none is ever sent.');
    url.hash = '';
    if (!isListedHost(url.hostname, environment.hosts))
      return refusal(403, `${url.hostname} is not on this server's list of hosts (CLOCHE_FETCH_HOSTS).`, {
        kind: 'off',
      });
    if (upgraded(url).protocol === 'http:' && !trusted(url))
      return refusal(403, `${url.host} may not be asked: it is not https, and this server does not upgrade.`, {
        kind: 'off',
      });
    const visitor = visitorAddress(request, environment.trustedProxies);
    const taken = rate.take(visitor);
    const busy = { retryable: true, kind: 'limit' };
    if (!taken.allowed)
      return refusal(429, 'You fetched too many pages.', { ...busy, retryAfterMs: taken.retryAfterMs });
    const place = open.enter(visitor);
    if (place.kind !== 'in') {
      const why = place.kind === 'full' ? 'This server fetches' : 'Your address is fetching';
      return refusal(429, `${why} many pages right now.`, { ...busy, retryAfterMs: 1000 });
    }
    const deadline = AbortSignal.timeout(Math.min(timeoutMs, limits.totalTimeoutMs));
    try {
      return await fetchPage(upgraded(url), accept, AbortSignal.any([request.signal, deadline]));
    } catch (error) {
      if (error instanceof BodyTooLong) return refusal(413, error.message, { kind: 'limit' });
      if (!(error instanceof OutgoingError)) throw error;
      if (error.kind === 'refused') return refusal(403, error.message, { kind: 'refused' });
      return refusal(error.kind === 'timeout' ? 504 : 502, error.message, { kind: error.kind, retryable: true });
    } finally {
      place.leave();
    }
  };
}

const answerHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-disposition': 'attachment',
};

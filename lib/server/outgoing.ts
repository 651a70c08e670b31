// A request that our server sends on behalf of somebody: every hop is asked about first, and for hops that are not trusted the address is
// checked inside the connection's own name look-up, so a name cannot change its address between check and use.
import { lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses';

/** `trusted`: configured by the operator, any address; `public`: https to a public address; `refused`: not at all. */
export type HopTrust = 'trusted' | 'public' | 'refused';

export interface OutgoingRequest {
  url: URL;
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: Uint8Array;
  /** Asked for the first URL and for every redirect's. */
  trust(url: URL): HopTrust;
  /** Default 5; a POST is never redirected. */
  maxRedirects?: number;
  /** Where a redirect goes on: by default to `to`; undefined hands the redirect itself back, unread. */
  follow?(from: URL, to: URL): URL | undefined;
  /** Silence after which the connection is given up. */
  idleTimeoutMs: number;
  signal?: AbortSignal;
}

/** Why there is no answer: `refused` (by our rules), `timeout` or `network`. The message is fit to show. */
export class OutgoingError extends Error {
  readonly kind: 'refused' | 'timeout' | 'network';
  constructor(kind: 'refused' | 'timeout' | 'network', message: string) {
    super(message);
    this.name = 'OutgoingError';
    this.kind = kind;
  }
}

const options = { keepAlive: true, maxSockets: 64, maxFreeSockets: 16 };
// Connections whose address was not checked must never be reused for a hop that needs the check.
const agents = {
  trusted: { http: new HttpAgent(options), https: new HttpsAgent(options) },
  public: { http: new HttpAgent(options), https: new HttpsAgent(options) },
};

/** The final answer, its body unread. The caller must read or destroy it. Rejects with an OutgoingError. */
export async function sendOutgoing(outgoing: OutgoingRequest): Promise<IncomingMessage> {
  return (await sendFollowing(outgoing)).answer;
}

/** As `sendOutgoing`, with the URL that answered, and where its redirect leads when `follow` handed it back. */
export async function sendFollowing(
  outgoing: OutgoingRequest,
): Promise<{ url: URL; answer: IncomingMessage; redirect?: URL }> {
  let { url, headers } = outgoing;
  for (let left = outgoing.maxRedirects ?? 5; ; left--) {
    const answer = await sendHop(url, { ...outgoing, headers });
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) || location === undefined) return { url, answer };
    answer.destroy();
    if (outgoing.method === 'POST' || outgoing.method === 'DELETE')
      throw new OutgoingError('refused', `${url.host} answered a ${outgoing.method} with a redirect.`);
    if (!URL.canParse(location, url)) throw new OutgoingError('refused', `${url.host} redirects to no URL.`);
    const to = new URL(location, url);
    const next = outgoing.follow === undefined ? to : outgoing.follow(url, to);
    if (next === undefined) return { url, answer, redirect: to };
    if (left <= 0) throw new OutgoingError('refused', `${outgoing.url.host} redirects too often.`);
    // Keys are for whom they were given to.
    if (next.origin !== url.origin) headers = harmlessHeaders(headers);
    url = next;
  }
}

function harmlessHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      /^(?:accept|accept-.*|if-.*|user-agent|connection|npm-command)$/i.test(name),
    ),
  );
}

function sendHop(url: URL, { method, headers, body, trust, idleTimeoutMs, signal }: OutgoingRequest) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const trusted = trust(url);
    const scheme = url.protocol === 'https:' ? 'https' : url.protocol === 'http:' ? 'http' : undefined;
    const refuse = (why: string) => reject(new OutgoingError('refused', `${url.host} may not be asked: ${why}`));
    if (trusted === 'refused') return refuse('it is not on the list.');
    if (scheme === undefined || (trusted === 'public' && scheme === 'http')) return refuse('it is not https.');
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    // For an address there is no look-up that could check it.
    if (trusted === 'public' && isIP(literal) && !isPublicAddress(literal)) return refuse('its address is not public.');
    const send = scheme === 'https' ? httpsRequest : httpRequest;
    const request = send(url, {
      method,
      headers: body ? { ...headers, 'content-length': String(body.length) } : headers,
      agent: agents[trusted][scheme],
      lookup: trusted === 'public' ? publicLookup : undefined,
      signal,
    });
    request.setTimeout(idleTimeoutMs, () => {
      const silent = new OutgoingError('timeout', `${url.host} was silent for ${idleTimeoutMs / 1000} s.`);
      // Whoever reads the body learns why it ends; the request alone would only say that the connection broke.
      answer?.destroy(silent);
      request.destroy(silent);
    });
    let answer: IncomingMessage | undefined;
    request.on('response', (response) => {
      answer = response;
      resolve(response);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof OutgoingError) reject(error);
      else if (signal?.aborted)
        reject(new OutgoingError('timeout', `${url.host} took too long, or nobody waits any more.`));
      else reject(new OutgoingError('network', `${url.host} could not be reached: ${error.code ?? error.message}.`));
    });
    request.end(body);
  });
}

/** `dns.lookup` that fails when a name has any address that is not public. */
const publicLookup: NonNullable<RequestOptions['lookup']> = (hostname, lookupOptions, callback) => {
  lookup(hostname, { ...lookupOptions, all: true }, (error, found) => {
    if (error) return callback(error, '', 0);
    const bad = found.find(({ address }) => !isPublicAddress(address));
    if (bad || found.length === 0)
      return callback(new OutgoingError('refused', `${hostname} has an address that is not public.`), '', 0);
    if (lookupOptions.all) callback(null, found);
    else callback(null, found[0].address, found[0].family);
  });
};

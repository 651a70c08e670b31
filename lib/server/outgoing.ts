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
  method: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body?: Uint8Array;
  /** Asked for the first URL and for every redirect's. */
  trust(url: URL): HopTrust;
  /** Default 5; a POST is never redirected. */
  maxRedirects?: number;
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
  let url = outgoing.url;
  for (let left = outgoing.maxRedirects ?? 5; ; left--) {
    const response = await sendHop(url, outgoing);
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || location === undefined) return response;
    response.destroy();
    if (outgoing.method === 'POST') throw new OutgoingError('refused', `${url.host} answered a POST with a redirect.`);
    if (left <= 0) throw new OutgoingError('refused', `${outgoing.url.host} redirects too often.`);
    if (!URL.canParse(location, url)) throw new OutgoingError('refused', `${url.host} redirects to no URL.`);
    url = new URL(location, url);
  }
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
    request.setTimeout(idleTimeoutMs, () =>
      request.destroy(new OutgoingError('timeout', `${url.host} was silent for ${idleTimeoutMs / 1000} s.`)),
    );
    request.on('response', resolve);
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

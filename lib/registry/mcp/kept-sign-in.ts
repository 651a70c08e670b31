// A sign-in that is kept: its keys for a connection, renewed when they are old, and the way to give them back. Nothing here begins one.
import { extractWWWAuthenticateParams, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { boundedFetch } from './bounded-fetch';
import { hostOf } from './server-config';
import type { SignIn, SignInStore } from './sign-in-store';

/**
 * For a connection: gives the kept keys, and keeps renewed ones. Undefined when nobody is signed in: then nothing is registered or asked for, and
 * 401 is an answer like another.
 */
export function keptSignIn(url: string, store: SignInStore): OAuthClientProvider | undefined {
  if (store.load(url) === undefined) return undefined;
  let used: OAuthTokens | undefined;
  const change = (patch: Partial<SignIn>) => {
    const now = store.load(url);
    if (now !== undefined) store.save(url, { ...now, ...patch });
  };
  return {
    // Never used: who is not signed in any more is told so.
    redirectUrl: 'https://cloche.invalid/',
    clientMetadata: { redirect_uris: [] },
    clientInformation() {
      const client = store.load(url)?.client;
      if (client === undefined) throw new SignedOutError();
      return client;
    },
    tokens() {
      used = store.load(url)?.tokens;
      return used;
    },
    saveTokens: (tokens) => change({ tokens }),
    redirectToAuthorization() {
      throw new SignedOutError();
    },
    saveCodeVerifier() {},
    codeVerifier() {
      throw new SignedOutError();
    },
    discoveryState: () => store.load(url)?.discovery,
    invalidateCredentials(what) {
      if (what === 'verifier' || what === 'discovery') return;
      // Another tab may have renewed them meanwhile: its keys are good.
      if (store.load(url)?.tokens.refresh_token === used?.refresh_token) store.forget(url);
    },
  };
}

/** As `fetch`; which rights the server wants beyond those that were given is kept for the next sign-in. */
export function hearingRights(url: string, store: SignInStore, fetch: FetchLike): FetchLike {
  return async (...asked) => {
    const answer = await fetch(...asked);
    if (answer.status !== 403) return answer;
    const { error, scope } = extractWWWAuthenticateParams(answer);
    const kept = store.load(url);
    if (error === 'insufficient_scope' && scope !== undefined && kept !== undefined) {
      const wanted = new Set(`${kept.wantedScope ?? ''} ${scope}`.trim().split(/\s+/));
      store.save(url, { ...kept, wantedScope: [...wanted].join(' ') });
    }
    return answer;
  };
}

/** The keys were good once. */
export class SignedOutError extends Error {
  constructor() {
    super('You were signed out there.');
    this.name = 'SignedOutError';
  }
}

/** Gives the keys back where that is possible (RFC 7009), and forgets them in any case. */
export async function signOut(url: string, store: SignInStore, fetch: FetchLike): Promise<void> {
  const kept = store.load(url);
  store.forget(url);
  const metadata = kept?.discovery.authorizationServerMetadata as { revocation_endpoint?: unknown } | undefined;
  const endpoint = metadata?.revocation_endpoint;
  if (kept === undefined || typeof endpoint !== 'string' || !URL.canParse(endpoint)) return;
  const fetchFn = boundedFetch(fetch, AbortSignal.timeout(30_000));
  const { client_id, client_secret } = kept.client;
  for (const [hint, token] of [
    ['refresh_token', kept.tokens.refresh_token],
    ['access_token', kept.tokens.access_token],
  ] as const) {
    if (token === undefined) continue;
    const body = new URLSearchParams({ token, token_type_hint: hint, client_id });
    if (client_secret !== undefined) body.set('client_secret', client_secret);
    const answer = await fetchFn(endpoint, { method: 'POST', body });
    if (!answer.ok)
      throw new Error(`${hostOf(endpoint)} did not take the key back (${answer.status}). It is forgotten here.`);
  }
}

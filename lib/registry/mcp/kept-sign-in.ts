// A sign-in that is kept: its keys for a connection, renewed when they are old, and the way to give them back. Nothing here begins one.
import {
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { boundedFetch } from './bounded-fetch';
import { hostOf, type RemoteServer } from './server-config';
import type { SignIn, SignInStore } from './sign-in-store';

/**
 * For a connection: gives the kept keys, and keeps renewed ones. Undefined when nobody is signed in: then nothing is registered or asked for, and
 * 401 is an answer like another.
 */
export function keptSignIn(url: string, store: SignInStore): OAuthClientProvider | undefined {
  const first = store.load(url);
  if (first === undefined) return undefined;
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
    ...namingServer(first.discovery),
    invalidateCredentials(what) {
      if (what === 'verifier' || what === 'discovery') return;
      // Another tab may have renewed them meanwhile: its keys are good.
      if (store.load(url)?.tokens.refresh_token === used?.refresh_token) store.forget(url);
    },
  };
}

/**
 * As `fetch`, for who is signed in: an answer that wants more rights rejects with a RightsError. Those that it names are kept for the next sign-in.
 */
export function hearingRights({ url, oauth }: RemoteServer, store: SignInStore, fetch: FetchLike): FetchLike {
  return async (...asked) => {
    const answer = await fetch(...asked);
    if (answer.status !== 403) return answer;
    const { error, scope } = extractWWWAuthenticateParams(answer);
    const kept = store.load(url);
    if (error !== 'insufficient_scope' || kept === undefined) return answer;
    await answer.body?.cancel();
    const named = scopesOf(scope);
    const later = new Set([...scopesOf(store.wantedScope(url)), ...named]);
    if (named.length > 0) store.want(url, [...later].join(' '));
    const configured = oauth === false ? undefined : oauth.scope;
    const given = scopesOf(kept.tokens.scope ?? kept.askedScope);
    // Not the configured ones that were asked for and not given: it may be another that is missing.
    const asks = [...named, ...scopesOf(configured).filter((one) => !scopesOf(kept.askedScope).includes(one))];
    throw new RightsError(
      named,
      asks.some((one) => !given.includes(one)),
    );
  };
}

/** The words of a scope. */
export function scopesOf(scope: string | undefined): string[] {
  return [...new Set((scope ?? '').split(/\s+/))].filter((one) => one !== '');
}

/** Keys are asked for this server, also where it does not describe itself (RFC 8707): they are of no use to another. */
export function namingServer({
  resourceMetadata,
}: OAuthDiscoveryState): Pick<OAuthClientProvider, 'validateResourceURL'> {
  return resourceMetadata === undefined ? { validateResourceURL: async (server) => new URL(server) } : {};
}

/** A call wants rights that were not given. */
export class RightsError extends Error {
  /** Whether a sign-in would ask for something that was not given; otherwise it would go round in a circle. */
  readonly signInHelps: boolean;
  constructor(named: readonly string[], signInHelps: boolean) {
    const which = named.length === 0 ? 'and does not say which' : `though ${named.join(' ')} was given`;
    super(
      signInHelps
        ? 'It wants more rights than it was given.'
        : `It wants more rights than it was given, ${which}. Signing in again would ask for the same: name the rights that it wants in \`oauth.scope\` of its entry in the configuration, then sign in again.`,
    );
    this.name = 'RightsError';
    this.signInHelps = signInHelps;
  }
}

/** The keys were good once. */
export class SignedOutError extends Error {
  constructor() {
    super('You were signed out there.');
    this.name = 'SignedOutError';
  }
}

/** Gives the keys back where that is possible (RFC 7009), and forgets them, and what calls wanted, in any case. */
export async function signOut(url: string, store: SignInStore, fetch: FetchLike): Promise<void> {
  const kept = store.load(url);
  store.forget(url);
  store.want(url, undefined);
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

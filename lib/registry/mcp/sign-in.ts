// Signing in to a server of the web, as the protocol's authorization part wants it (OAuth 2.1 with PKCE), on the official SDK. It begins with the
// person's word and never by connecting; everything but the person's own page is asked through the guarded fetch, in bounds.
import {
  auth,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { boundedFetch } from './bounded-fetch';
import { namingServer, scopesOf } from './kept-sign-in';
import { hostOf, type RemoteServer, type SignInSettings } from './server-config';
import type { SignInStore } from './sign-in-store';

/** How the person is asked. */
export interface SignInWay {
  /** Where the person's browser comes back to. */
  redirectUri: string;
  /** Where this installation is described (`clientDocument`); undefined: nobody else can read it. */
  clientUrl?: string | undefined;
  /** Shows the page; resolves with what it came back with under this state. Rejects when the signal aborts. */
  ask(page: URL, state: string, signal: AbortSignal): Promise<URLSearchParams>;
  /** The person is back; the keys are being fetched. */
  finishing(): void;
}

/** How long the person may take. */
export const signInTimeoutMs = 5 * 60_000;

interface SignInOptions {
  config: RemoteServer & { oauth: SignInSettings };
  store: SignInStore;
  fetch: FetchLike;
  way: SignInWay;
  signal: AbortSignal;
}

/** Resolves when the sign-in is kept. Rejects with an Error fit to show; nothing is kept then. */
export async function signIn({ config, store, fetch, way, signal }: SignInOptions): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(signInTimeoutMs)]);
  const fetchFn = boundedFetch(fetch, limit);
  const asked = await wishOf(config, fetchFn);
  const found = await discoverOAuthServerInfo(config.url, { ...asked.where, fetchFn });
  const issuer = issuerOf(found);
  const state = randomText();
  const { clientId, clientSecret } = config.oauth;
  let client: OAuthClientInformationMixed | undefined =
    clientId === undefined
      ? undefined
      : { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
  const metadata = found.authorizationServerMetadata;
  const registers = metadata === undefined || metadata.registration_endpoint !== undefined;
  // A registration first: it works for an installation, too, that nobody outside can reach.
  const clientUrl = !registers && metadata.client_id_metadata_document_supported === true ? way.clientUrl : undefined;
  if (client === undefined && !registers && clientUrl === undefined)
    throw new Error(
      `${hostOf(issuer)} does not let programs register themselves. Register Cloche there with the redirect address ${way.redirectUri}, and give this server the client id.`,
    );
  let page: URL | undefined;
  let verifier = '';
  let tokens: OAuthTokens | undefined;
  const later = store.wantedScope(config.url);
  const given = config.oauth.scope ?? asked.scope ?? found.resourceMetadata?.scopes_supported?.join(' ');
  const scope = scopeOf([given, later].filter((one) => one !== undefined).join(' '), found);
  const discovery = {
    ...found,
    ...(asked.where.resourceMetadataUrl && { resourceMetadataUrl: String(asked.where.resourceMetadataUrl) }),
  };
  const provider: OAuthClientProvider = {
    redirectUrl: way.redirectUri,
    ...(clientUrl === undefined ? {} : { clientMetadataUrl: clientUrl }),
    ...namingServer(discovery),
    clientMetadata: {
      client_name: 'Cloche',
      redirect_uris: [way.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: authMethod(found),
    },
    state: () => state,
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information;
    },
    tokens: () => undefined,
    saveTokens(given) {
      tokens = given;
    },
    redirectToAuthorization(url) {
      page = url;
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    discoveryState: () => discovery,
  };
  const options = { serverUrl: config.url, ...(scope === undefined ? {} : { scope }), fetchFn };
  await auth(provider, options).catch((error: Error) => {
    if (error instanceof OAuthError) throw refusedBy(issuer, error);
    if (found.authorizationServerMetadata !== undefined) throw error;
    throw new Error(
      `${hostOf(config.url)} does not say where to sign in (${error.message}). It may want a key in a header instead.`,
    );
  });
  const shown = checkedPage(page, config.url);
  const back = await way.ask(shown, state, limit).catch((error: unknown) => {
    if (limit.aborted && !signal.aborted) throw new Error('You did not sign in within five minutes. Start again.');
    throw error;
  });
  // A server may want what its own sign-in does not know: the next one goes without.
  if (back.get('error') === 'invalid_scope') store.want(config.url, undefined);
  const code = codeOf(back, { state, issuer, sendsIssuer: sendsIssuer(found) });
  way.finishing();
  await auth(provider, { ...options, authorizationCode: code }).catch((error: Error) => {
    throw error instanceof OAuthError ? refusedBy(issuer, error) : error;
  });
  if (tokens === undefined || client === undefined) throw new Error(`${hostOf(issuer)} gave no key.`);
  const askedScope = scope === undefined ? {} : { askedScope: scope };
  store.save(config.url, { tokens, client, discovery, atMs: Date.now(), ...askedScope });
}

type Found = Awaited<ReturnType<typeof discoverOAuthServerInfo>>;

/** What the server says to somebody who is not signed in: where its description lies, and which rights it wants. */
async function wishOf({ url, headers }: RemoteServer, fetchFn: FetchLike) {
  const params = {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'cloche', version: '0.1.0' },
  };
  const answer = await fetchFn(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  });
  await answer.body?.cancel();
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(answer);
  return { where: resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }, scope };
}

/** Who gives the keys. *Throws* when its description is somebody else's (RFC 8414, section 3.3), also where it was only looked for at the server itself. */
function issuerOf({ authorizationServerUrl, authorizationServerMetadata }: Found): string {
  const said = authorizationServerMetadata?.issuer;
  if (said !== undefined && !isSameIssuer(said, authorizationServerUrl))
    throw new Error(
      `The server sends you to ${authorizationServerUrl} to sign in, and that says that it is ${said}. Nothing was sent there.`,
    );
  return said ?? authorizationServerUrl;
}

function isSameIssuer(one: string, other: string): boolean {
  const plain = (text: string) => (URL.canParse(text) ? new URL(text).href : text).replace(/\/$/, '');
  return plain(one) === plain(other);
}

function sendsIssuer({ authorizationServerMetadata }: Found): boolean {
  const metadata = authorizationServerMetadata as
    | { authorization_response_iss_parameter_supported?: unknown }
    | undefined;
  return metadata?.authorization_response_iss_parameter_supported === true;
}

/** A public client where that is allowed: a secret that a browser holds is none. */
function authMethod({ authorizationServerMetadata }: Found): string {
  const known = authorizationServerMetadata?.token_endpoint_auth_methods_supported;
  if (known === undefined || known.includes('none')) return 'none';
  return known.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic';
}

/** With `offline_access` where it is known there: without it some give keys that can't be renewed. */
function scopeOf(wanted: string, { authorizationServerMetadata }: Found): string | undefined {
  const scopes = scopesOf(wanted);
  const isKnown = authorizationServerMetadata?.scopes_supported?.includes('offline_access') === true;
  if (isKnown && scopes.length > 0 && !scopes.includes('offline_access')) scopes.push('offline_access');
  return scopes.length === 0 ? undefined : scopes.join(' ');
}

/** A page that a browser may be sent to. */
function checkedPage(page: URL | undefined, serverUrl: string): URL {
  if (page === undefined) throw new Error('There is no page to sign in on.');
  const isPlainAllowed = new URL(serverUrl).protocol === 'http:';
  if (page.protocol !== 'https:' && !(page.protocol === 'http:' && isPlainAllowed))
    throw new Error(`The page to sign in on is not https: ${page.origin}${page.pathname}.`);
  if (page.username || page.password) throw new Error('The page to sign in on has a name or password in its address.');
  return page;
}

function codeOf(
  back: URLSearchParams,
  { state, issuer, sendsIssuer: mustSend }: { state: string; issuer: string; sendsIssuer: boolean },
): string {
  if (back.get('state') !== state) throw new Error('What came back belongs to another sign-in. Start again.');
  const from = back.get('iss');
  // RFC 9207: another server's answer must not be taken for this one's.
  if (from === null ? mustSend : !isSameIssuer(from, issuer))
    throw new Error(
      `The answer comes from ${from ?? 'nobody that says its name'}, and not from ${issuer}. Nothing was sent there.`,
    );
  const error = back.get('error');
  if (error === 'access_denied') throw new Error('You did not allow it there.');
  if (error !== null)
    throw new Error(
      `${hostOf(issuer)} refused: ${error}${back.get('error_description') ? ` (${back.get('error_description')})` : ''}.`,
    );
  const code = back.get('code');
  if (code === null || code === '') throw new Error(`${hostOf(issuer)} sent you back without a code.`);
  return code;
}

function refusedBy(issuer: string, { errorCode, message }: OAuthError): Error {
  return new Error(`${hostOf(issuer)} refused: ${errorCode}${message === '' ? '' : ` (${message.slice(0, 300)})`}.`);
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

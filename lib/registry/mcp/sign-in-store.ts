// What is kept of signing in to servers of the web: in this browser, on the IDE's origin, by the server's URL, until the person signs out.
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { parseJson } from '../../std/json';

/** One sign-in. Tokens are the person's keys: they go to that server and to who gave them, nowhere else. */
export interface SignIn {
  tokens: OAuthTokens;
  /** How Cloche is known to who gave the tokens. */
  client: OAuthClientInformationMixed;
  discovery: OAuthDiscoveryState;
  atMs: number;
  /** The rights that were asked for; undefined: what is given without asking. */
  askedScope?: string;
}

/** By the server's URL. */
export interface SignInStore {
  load(url: string): SignIn | undefined;
  save(url: string, signIn: SignIn): void;
  /** The keys; what calls wanted is still known. */
  forget(url: string): void;
  /** Rights that calls wanted and that the server's descriptions do not name: asked for at each sign-in. */
  wantedScope(url: string): string | undefined;
  /** Undefined: none any more. */
  want(url: string, scope: string | undefined): void;
}

/** In the browser's storage. What can't be read counts as not signed in. */
export function storedSignIns(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): SignInStore {
  const placeOf = (url: string) => {
    const { origin, pathname, search } = new URL(url);
    return origin + pathname + search;
  };
  const keyOf = (url: string) => `cloche:mcp-sign-in:${placeOf(url)}`;
  const rightsKeyOf = (url: string) => `cloche:mcp-rights:${placeOf(url)}`;
  return {
    load(url) {
      const json = parseJson(storage.getItem(keyOf(url)) ?? 'null');
      const value = json.ok ? (json.value as Partial<SignIn> | null) : null;
      const isWhole =
        typeof value?.tokens?.access_token === 'string' &&
        typeof value.client?.client_id === 'string' &&
        typeof value.discovery?.authorizationServerUrl === 'string';
      return isWhole ? (value as SignIn) : undefined;
    },
    save: (url, signIn) => storage.setItem(keyOf(url), JSON.stringify(signIn)),
    forget: (url) => storage.removeItem(keyOf(url)),
    wantedScope: (url) => storage.getItem(rightsKeyOf(url)) ?? undefined,
    want(url, scope) {
      if (scope === undefined) storage.removeItem(rightsKeyOf(url));
      else storage.setItem(rightsKeyOf(url), scope);
    },
  };
}

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
  /** Rights that calls wanted and that the server's descriptions do not name: asked for at each sign-in. */
  wantedScope?: string;
}

/** By the server's URL. */
export interface SignInStore {
  load(url: string): SignIn | undefined;
  save(url: string, signIn: SignIn): void;
  forget(url: string): void;
}

/** In the browser's storage. What can't be read counts as not signed in. */
export function storedSignIns(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): SignInStore {
  const keyOf = (url: string) => {
    const { origin, pathname, search } = new URL(url);
    return `cloche:mcp-sign-in:${origin}${pathname}${search}`;
  };
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
  };
}

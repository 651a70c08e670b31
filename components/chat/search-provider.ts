// Which search provider this site offers and whether there is a key for it: the host's, or the person's own in this browser.
import type { ProviderChoice } from '../../lib/agent/model-list';
import { providerKey } from '../../lib/agent/provider-keys';
import { createStore } from '../ui/store';

/** Undefined until the server said, or where there is no server. */
export const searchProvider = createStore<ProviderChoice | undefined>(undefined);

/** Asks the server again. Does not reject: without an answer there is no search, and the registry says so. */
export async function loadSearchProvider(): Promise<void> {
  const answer = await fetch('/api/search').catch(() => undefined);
  if (!answer?.ok) return;
  const { provider } = (await answer.json()) as { provider: ProviderChoice };
  searchProvider.set(provider);
}

/** The person's own key, where this site takes one. */
export function ownSearchKey(): string | undefined {
  const provider = searchProvider.get();
  return provider?.acceptsOwnKey ? providerKey(provider.id) : undefined;
}

/** Whether a search would be sent with a key. */
export function hasSearchKey(): boolean {
  return searchProvider.get()?.hasServerKey === true || ownSearchKey() !== undefined;
}

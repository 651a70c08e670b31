// The person's own keys: in the storage of the IDE's origin, read when a step is sent, and nowhere else. The sandbox has another origin.
import { browserStorage, type SmallStorage } from '../std/browser-storage';

const prefix = 'cloche:provider-key:';

/** The key for `anthropic`, `openai` …; undefined when there is none. */
export function providerKey(provider: string, storage: SmallStorage = browserStorage): string | undefined {
  return storage.getItem(prefix + provider) ?? undefined;
}

/** Keeps the trimmed key; an empty one forgets it. */
export function setProviderKey(provider: string, key: string, storage: SmallStorage = browserStorage): void {
  if (key.trim() === '') storage.removeItem(prefix + provider);
  else storage.setItem(prefix + provider, key.trim());
}

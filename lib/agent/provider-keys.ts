// The person's own keys: in the storage of the IDE's origin, read when a step is sent, and nowhere else. The sandbox has another origin.

const prefix = 'cloche:provider-key:';

/** Synchronous key storage; `Storage` fits. */
export type KeyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The key for `anthropic`, `openai` …; undefined when there is none. */
export function providerKey(provider: string, storage: KeyStorage = localStorage): string | undefined {
  return storage.getItem(prefix + provider) ?? undefined;
}

/** Keeps the trimmed key; an empty one forgets it. */
export function setProviderKey(provider: string, key: string, storage: KeyStorage = localStorage): void {
  if (key.trim() === '') storage.removeItem(prefix + provider);
  else storage.setItem(prefix + provider, key.trim());
}

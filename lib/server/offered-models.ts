// `GET /api/models`: what a visitor may choose from. Names, prices and windows only.
import type { ChatEnvironment } from './chat-environment';

/** What the host has a key for comes first, models and providers; with own keys allowed, the usual ones of every provider. */
export function offeredModels({ providers, ownKeys, prices, contextTokens }: ChatEnvironment) {
  const isOurs = (provider: (typeof providers)[number]) => provider.open || provider.key !== undefined;
  const usable = providers
    .filter((provider) => isOurs(provider) || ownKeys)
    .sort((a, b) => Number(isOurs(b)) - Number(isOurs(a)));
  const models = usable.flatMap((provider) =>
    provider.models.map((name) => {
      const id = `${provider.id}/${name}`;
      const access: 'server' | 'own-key' = isOurs(provider) ? 'server' : 'own-key';
      return {
        id,
        name,
        provider: provider.id,
        access,
        ...(prices[id] === undefined ? {} : { price: prices[id] }),
        ...(contextTokens[id] === undefined ? {} : { contextTokens: contextTokens[id] }),
      };
    }),
  );
  return {
    models: models.sort((a, b) => Number(a.access === 'own-key') - Number(b.access === 'own-key')),
    providers: usable.map((provider) => ({
      id: provider.id,
      name: provider.name,
      acceptsOwnKey: ownKeys && provider.id !== 'compatible',
      hasServerKey: isOurs(provider),
      ...(provider.keyHint === undefined ? {} : { keyHint: provider.keyHint }),
    })),
  };
}

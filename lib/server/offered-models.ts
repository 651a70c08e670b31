// `GET /api/models`: what a visitor may choose from. Names, prices and windows only.
import type { ChatEnvironment } from './chat-environment';

/** Models of the host's keys first; with own keys allowed, the usual ones of every provider. */
export function offeredModels({ providers, ownKeys, prices, contextTokens }: ChatEnvironment) {
  const usable = providers.filter((provider) => provider.open || provider.key !== undefined || ownKeys);
  const models = usable.flatMap((provider) =>
    provider.models.map((name) => {
      const id = `${provider.id}/${name}`;
      const access: 'server' | 'own-key' = provider.open || provider.key !== undefined ? 'server' : 'own-key';
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
      hasServerKey: provider.open || provider.key !== undefined,
      ...(provider.keyHint === undefined ? {} : { keyHint: provider.keyHint }),
    })),
  };
}

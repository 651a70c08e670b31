// Provider packages, all of them and only here. A model is made per request, with the host's key or the visitor's, and forgotten.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { ChatEnvironment, ProviderConfig } from './chat-environment';
import { compatibleModel } from './compatible-model';

export type ResolvedModel =
  | {
      kind: 'found';
      model: LanguageModelV4;
      provider: ProviderConfig;
      usesHostKey: boolean;
      providerOptions: SharedV4ProviderOptions;
    }
  | { kind: 'unknown' }
  | { kind: 'needs-key'; provider: ProviderConfig };

/** `<provider>/<model>` under the host's rules. `ownKey` goes to that provider's address and nowhere else. */
export function resolveProviderModel(
  environment: ChatEnvironment,
  modelId: string,
  ownKey: string | undefined,
): ResolvedModel {
  const slash = modelId.indexOf('/');
  const provider = environment.providers.find((one) => one.id === modelId.slice(0, slash));
  const name = modelId.slice(slash + 1);
  if (provider === undefined || name === '') return { kind: 'unknown' };
  const key = environment.ownKeys && provider.id !== 'compatible' && ownKey ? ownKey : undefined;
  const listed = provider.models.includes(name);
  if (!listed && (key === undefined || provider.closed)) return { kind: 'unknown' };
  if (key === undefined && provider.key === undefined && !provider.open) return { kind: 'needs-key', provider };
  const model = createModel(provider, name, key ?? provider.key);
  return { kind: 'found', model, provider, usesHostKey: key === undefined, providerOptions: optionsOf(provider) };
}

function createModel(provider: ProviderConfig, name: string, key: string | undefined): LanguageModelV4 {
  const settings = {
    ...(key === undefined ? {} : { apiKey: key }),
    ...(provider.baseUrl === undefined ? {} : { baseURL: provider.baseUrl }),
    fetch: directFetch,
  };
  switch (provider.id) {
    case 'anthropic':
      return createAnthropic(settings)(name);
    case 'openai':
      return createOpenAI(settings).responses(name);
    case 'google':
      return createGoogle(settings)(name);
    case 'compatible':
      return compatibleModel({ ...settings, baseURL: provider.baseUrl! }, name);
  }
}

function optionsOf(provider: ProviderConfig): SharedV4ProviderOptions {
  switch (provider.id) {
    case 'openai':
      // Nothing is kept at OpenAI; reasoning travels back encrypted instead.
      return { openai: { store: false } };
    case 'google':
      return { google: { thinkingConfig: { includeThoughts: true } } };
    case 'anthropic':
    case 'compatible':
      return {};
  }
}

/** A redirect would carry the key to an address that nobody configured. */
const directFetch: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });

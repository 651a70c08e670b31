// From the id in the menu to a model: `practice` runs here, everything else is one request per step.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { httpModel } from './http-model';
import { practiceModel } from './practice-model';
import { providerKey } from './provider-keys';

/** `practice`, or `<provider>/<model>` with the person's own key for that provider when there is one. */
export function resolveModel(modelId: string): LanguageModelV4 {
  if (modelId === 'practice') return practiceModel();
  const provider = modelId.slice(0, modelId.indexOf('/'));
  return httpModel({ modelId, key: () => providerKey(provider) });
}

// Which model answers. The practice model says what it is; a model that needs a key asks for it when it is chosen.
'use client';

import { ChevronDown, KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ModelChoice, ProviderChoice } from '../../lib/agent/model-list';
import { providerKey } from '../../lib/agent/provider-keys';
import { Menu, type MenuEntry } from '../ui/menu';
import { Sheet } from '../ui/sheet';
import { useStore } from '../ui/store';
import { messageOf } from '../ui/toasts';
import { useConversations, useCurrent } from './chat-context';
import { KeyForm } from './key-form';
import { modelChoice } from './offered-models';

/** A menu button in the composer. */
export function ModelMenu() {
  const conversations = useConversations();
  const { state } = useCurrent();
  const { models, providers } = useStore(conversations.models);
  const problem = useStore(conversations.modelsError);
  const [asking, setAsking] = useState<{ provider: ProviderChoice; modelId?: string }>();
  const current = modelChoice(models, state.model);

  const choose = (model: ModelChoice) => {
    const provider = providers.find((one) => one.id === model.provider);
    if (model.access === 'own-key' && provider && providerKey(provider.id) === undefined)
      setAsking({ provider, modelId: model.id });
    else conversations.chooseModel(model.id);
  };
  const item = (model: ModelChoice): MenuEntry => ({
    kind: 'item',
    label: model.name,
    keys: accessWords(model),
    checked: model.id === state.model,
    run: () => choose(model),
  });
  const others = models.filter((model) => model.access !== 'built-in');
  const entries: MenuEntry[] = [
    ...models.filter((model) => model.access === 'built-in').map(item),
    ...providers.flatMap((provider): MenuEntry[] => {
      const own = others.filter((model) => model.provider === provider.id);
      return own.length === 0 ? [] : [{ kind: 'separator' }, { kind: 'label', label: provider.name }, ...own.map(item)];
    }),
    ...(problem === undefined
      ? []
      : ([
          { kind: 'separator' },
          { kind: 'label', label: messageOf(problem) },
          { kind: 'item', label: 'Ask for the list again', run: () => void conversations.loadModels() },
        ] satisfies MenuEntry[])),
    ...providers
      .filter((provider) => provider.acceptsOwnKey)
      .flatMap((provider, at): MenuEntry[] => [
        ...(at === 0 ? [{ kind: 'separator' } as const] : []),
        {
          kind: 'item',
          label: `${provider.name} key…`,
          icon: <KeyRound size={16} />,
          run: () => setAsking({ provider }),
        },
      ]),
  ];
  return (
    <>
      <Menu label="Model" entries={entries}>
        <button type="button" className="chip">
          <i className="visually-hidden">Model: </i>
          <span>
            {current.access === 'built-in' ? (
              <>
                Practice<span className="where-wide"> model</span>
              </>
            ) : (
              current.name
            )}
          </span>
          {current.access === 'built-in' && <em>not an AI</em>}
          <ChevronDown size={12} aria-hidden="true" />
        </button>
      </Menu>
      <Sheet
        title={asking ? `A key for ${asking.provider.name}` : ''}
        open={asking !== undefined}
        close={() => setAsking(undefined)}
      >
        {asking && (
          <KeyForm
            provider={asking.provider}
            focus
            done={(kept) => {
              setAsking(undefined);
              if (asking.modelId && kept) conversations.chooseModel(asking.modelId);
            }}
          />
        )}
      </Sheet>
    </>
  );
}

function accessWords({ access, provider }: ModelChoice): string | undefined {
  if (access !== 'own-key') return undefined;
  return providerKey(provider) === undefined ? 'needs your key' : 'your key';
}

// Which models there are, as the server told last, and the one that new conversations begin with.

import { loadModelList, type ModelChoice, type ModelList, practiceChoice } from '../../lib/agent/model-list';
import { browserStorage } from '../../lib/std/browser-storage';
import { createStore, type Store } from '../ui/store';

const modelKey = 'cloche:model';

/** The models of this site. */
export interface OfferedModels {
  list: Store<ModelList>;
  /** What went wrong when the list was asked for. */
  error: Store<unknown>;
  /** Asks for the list again. Does not reject. */
  load(): Promise<void>;
  /** Undefined: not offered (any more). */
  find(id: string): ModelChoice | undefined;
  /** The id that the person chose last. */
  chosen(): string;
  choose(id: string): void;
}

/** Holds the practice model only, until the first `load`. */
export function createOfferedModels(): OfferedModels {
  const list = createStore<ModelList>({ models: [practiceChoice], providers: [] });
  const error = createStore<unknown>(undefined);
  return {
    list,
    error,
    async load() {
      try {
        list.set(await loadModelList());
        error.set(undefined);
      } catch (reason) {
        error.set(reason);
      }
    },
    find: (id) => list.get().models.find((model) => model.id === id),
    chosen: () => browserStorage.getItem(modelKey) ?? practiceChoice.id,
    choose: (id) => browserStorage.setItem(modelKey, id),
  };
}

/** The model of that id as the menus show it; one that is not offered any more is named by its id. */
export function modelChoice(models: readonly ModelChoice[], id: string): ModelChoice {
  return (
    models.find((model) => model.id === id) ?? { id, name: id, provider: id.split('/')[0]!, access: 'own-key' as const }
  );
}

// The person's own opencode.json: in this browser, for every project.
import { withValue } from '../../lib/config/change-config';
import { personConfigKey } from '../../lib/config/person-config';
import { browserStorage } from '../../lib/std/browser-storage';
import { createStore } from '../ui/store';

/** Its text as it is in force; empty on the server and for who has none. */
export const personConfig = createStore(browserStorage.getItem(personConfigKey) ?? '');

/** What was typed in its editor and not saved, while the page lives. */
export const configDraft = createStore<string | undefined>(undefined);

let changing: Promise<void> = Promise.resolve();

/** Puts one value of it in force; undefined takes it away. A draft gets it too. Rejects with an Error fit to show. */
export function changePersonConfig(path: readonly string[], value: unknown): Promise<void> {
  return rewritePersonConfig((text) => withValue(text, path, value));
}

/** The same for any change of its text. */
export function rewritePersonConfig(change: (text: string) => Promise<string>): Promise<void> {
  // One after the other: each begins with what the one before it left.
  changing = changing
    .catch(() => {})
    .then(async () => {
      savePersonConfig(await change(personConfig.get()));
      const draft = configDraft.get();
      // One that can't be read as it is keeps its own words.
      if (draft !== undefined) configDraft.set(await change(draft).catch(() => draft));
    });
  return changing;
}

/** Puts it in force. Throws where storage is full or forbidden; then the old one stays. */
export function savePersonConfig(text: string): void {
  if (text.trim() === '') localStorage.removeItem(personConfigKey);
  else localStorage.setItem(personConfigKey, text);
  personConfig.set(text);
}

// The person's own opencode.json: in this browser, for every project.

import { personConfigKey } from '../../lib/config/person-config';
import { browserStorage } from '../../lib/std/browser-storage';
import { createStore } from '../ui/store';

/** Its text as it is in force; empty on the server and for who has none. */
export const personConfig = createStore(browserStorage.getItem(personConfigKey) ?? '');

/** Puts it in force. Throws where storage is full or forbidden; then the old one stays. */
export function savePersonConfig(text: string): void {
  if (text.trim() === '') localStorage.removeItem(personConfigKey);
  else localStorage.setItem(personConfigKey, text);
  personConfig.set(text);
}

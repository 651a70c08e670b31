// What the person chose for every project, in this browser. Read tolerantly: a setting that makes no sense is the default.
import { browserStorage } from '../../lib/std/browser-storage';
import { computerCookie } from '../../lib/std/computer-cookie';
import { createStore } from '../ui/store';

/** Whose computer runs projects: Cloche's own engine, or StackBlitz's WebContainers. */
export type ComputerChoice = 'cloche' | 'webcontainer';

export interface Settings {
  /** Applied when a project is opened next. */
  computer: ComputerChoice;
  /** Pixels, 10–24; editor and terminal. */
  fontSize: number;
  autosave: boolean;
  wordWrap: boolean;
  /** The terminal's output is also kept as text for screen readers. */
  screenReader: boolean;
  /** Commands that the agent never runs, by their first words. */
  bannedCommands: string[];
  /** The programs that the agent starts, and those that a project brings, don't see files with keys. */
  hideSecrets: boolean;
  /** What looks like a key is left out of what the agent's tools tell a model. */
  redactKeys: boolean;
  /** The agent may write programs over its tools. */
  programs: boolean;
  /** Command id → binding; null: no key. */
  keys: Record<string, string | null>;
}

const storageKey = 'cloche:settings';

/** What a new visitor has. */
export const defaultSettings: Settings = {
  computer: 'cloche',
  fontSize: 13,
  autosave: true,
  wordWrap: false,
  screenReader: false,
  bannedCommands: [],
  hideSecrets: false,
  redactKeys: false,
  programs: false,
  keys: {},
};

/** Settings from their stored text. */
export function parseSettings(json: string | null): Settings {
  let value: unknown;
  try {
    value = JSON.parse(json ?? '');
  } catch {
    return defaultSettings;
  }
  if (typeof value !== 'object' || value === null) return defaultSettings;
  const from = value as Record<string, unknown>;
  const flag = (key: 'autosave' | 'wordWrap' | 'screenReader' | 'hideSecrets' | 'redactKeys' | 'programs') =>
    typeof from[key] === 'boolean' ? from[key] : defaultSettings[key];
  const size = from.fontSize;
  const keys: Record<string, string | null> = {};
  if (typeof from.keys === 'object' && from.keys !== null)
    for (const [id, binding] of Object.entries(from.keys))
      if (binding === null || typeof binding === 'string') keys[id] = binding;
  return {
    computer: from.computer === 'webcontainer' ? 'webcontainer' : 'cloche',
    fontSize: typeof size === 'number' && size >= 10 && size <= 24 ? size : defaultSettings.fontSize,
    autosave: flag('autosave'),
    wordWrap: flag('wordWrap'),
    screenReader: flag('screenReader'),
    bannedCommands: Array.isArray(from.bannedCommands)
      ? from.bannedCommands.filter((one) => typeof one === 'string' && one.trim() !== '')
      : [],
    hideSecrets: flag('hideSecrets'),
    redactKeys: flag('redactKeys'),
    programs: flag('programs'),
    keys,
  };
}

/** The settings in force. */
export const settings = createStore<Settings>(defaultSettings);

/** Reads them from the browser; call once on the client. */
export function loadSettings(): void {
  settings.set(parseSettings(browserStorage.getItem(storageKey)));
}

/** Changes some of them and remembers. */
export function changeSettings(change: Partial<Settings>): void {
  settings.set((now) => ({ ...now, ...change }));
  browserStorage.setItem(storageKey, JSON.stringify(settings.get()));
}

/** Changes whose computer the next project is opened on. The server must know it too: by that it decides whom the next page may frame. */
export function chooseComputer(computer: ComputerChoice): void {
  changeSettings({ computer });
  const age = computer === 'cloche' ? 0 : 365 * 86_400;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and this must be set before the next page load.
  document.cookie = `${computerCookie}=${computer}; path=/; secure; max-age=${age}; samesite=lax`;
}

// What the person chose for every project, in localStorage. Read tolerantly: a setting that makes no sense is the default.
import { createStore } from '../ui/store';

export interface Settings {
  /** Pixels, 10–24; editor and terminal. */
  fontSize: number;
  autosave: boolean;
  wordWrap: boolean;
  /** The terminal's output is also kept as text for screen readers. */
  screenReader: boolean;
  /** Command id → binding; null: no key. */
  keys: Record<string, string | null>;
}

const storageKey = 'cloche:settings';

/** What a new visitor has. */
export const defaultSettings: Settings = {
  fontSize: 13,
  autosave: true,
  wordWrap: false,
  screenReader: false,
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
  const flag = (key: 'autosave' | 'wordWrap' | 'screenReader') =>
    typeof from[key] === 'boolean' ? from[key] : defaultSettings[key];
  const size = from.fontSize;
  const keys: Record<string, string | null> = {};
  if (typeof from.keys === 'object' && from.keys !== null)
    for (const [id, binding] of Object.entries(from.keys))
      if (binding === null || typeof binding === 'string') keys[id] = binding;
  return {
    fontSize: typeof size === 'number' && size >= 10 && size <= 24 ? size : defaultSettings.fontSize,
    autosave: flag('autosave'),
    wordWrap: flag('wordWrap'),
    screenReader: flag('screenReader'),
    keys,
  };
}

/** The settings in force. */
export const settings = createStore<Settings>(defaultSettings);

/** Reads them from the browser; call once on the client. */
export function loadSettings(): void {
  settings.set(parseSettings(localStorage.getItem(storageKey)));
}

/** Changes some of them and remembers. */
export function changeSettings(change: Partial<Settings>): void {
  settings.set((now) => ({ ...now, ...change }));
  localStorage.setItem(storageKey, JSON.stringify(settings.get()));
}

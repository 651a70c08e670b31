// Light, dark or what the system says. Kept in a cookie, so that the server writes it into <html> and no inline script is needed against a flash.
import { createStore } from './store';
import { themeCookie } from './theme-cookie';

export type ThemeChoice = 'system' | 'light' | 'dark';

/** The chosen theme; `loadTheme` fills it. */
export const themeChoice = createStore<ThemeChoice>('system');

/** Reads the cookie, and mends <html> where a page that was kept for offline use says what was chosen before. */
export function loadTheme(): void {
  const root = document.documentElement;
  const [, chosen] = document.cookie.match(new RegExp(`(?:^|; )${themeCookie}=(light|dark)(?:;|$)`)) ?? [];
  if (chosen === undefined) delete root.dataset.theme;
  else if (root.dataset.theme !== chosen) root.dataset.theme = chosen;
  themeChoice.set(chosen === 'light' || chosen === 'dark' ? chosen : 'system');
}

/** Applies and remembers the choice for a year. */
export function chooseTheme(choice: ThemeChoice): void {
  const root = document.documentElement;
  if (choice === 'system') delete root.dataset.theme;
  else root.dataset.theme = choice;
  const age = choice === 'system' ? 0 : 365 * 86_400;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and this must be set before the next page load.
  document.cookie = `${themeCookie}=${choice}; path=/; max-age=${age}; samesite=lax`;
  themeChoice.set(choice);
}

/** Whether dark colours are shown now. */
export function isDark(): boolean {
  const choice = themeChoice.get();
  return choice === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : choice === 'dark';
}

/** Calls the listener when the shown colours may have changed, until the returned function is called. */
export function onThemeChange(listener: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  media.addEventListener('change', listener);
  const stop = themeChoice.subscribe(listener);
  return () => {
    media.removeEventListener('change', listener);
    stop();
  };
}

/** The value of a colour token (`'accent'` reads `--accent`) as it is now, as `#rrggbb`: what minifies the CSS also writes `#fff`. */
export function token(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  return value.length === 4 ? `#${[...value.slice(1)].map((digit) => digit + digit).join('')}` : value;
}

// Which theme a page takes that was kept for offline use, and so says what was chosen when it was kept.
import { afterEach, expect, test, vi } from 'vitest';
import { loadTheme, themeChoice } from './theme';

afterEach(() => void vi.unstubAllGlobals());

function pageWith(cookie: string, theme: string | undefined): { theme?: string } {
  const dataset: { theme?: string } = theme === undefined ? {} : { theme };
  vi.stubGlobal('document', { cookie, documentElement: { dataset } });
  loadTheme();
  return dataset;
}

test('the latest choice counts, not the one that the page was kept with', () => {
  expect(pageWith('a=1; cloche-theme=dark; b=2', 'light')).toEqual({ theme: 'dark' });
  expect(themeChoice.get()).toBe('dark');
  expect(pageWith('cloche-theme=light', undefined)).toEqual({ theme: 'light' });
  expect(pageWith('b=2', 'dark')).toEqual({});
  expect(themeChoice.get()).toBe('system');
  expect(pageWith('cloche-theme=pink', 'dark')).toEqual({});
});

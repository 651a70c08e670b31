// The theme button of the start page, and its notices.
'use client';

import { Moon, Sun } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { chooseTheme, isDark, loadTheme, onThemeChange } from '../ui/theme';
import { ToastList } from '../ui/toast-list';

/** Switches between light and dark. */
export function StartTheme() {
  useEffect(loadTheme, []);
  const dark = useSyncExternalStore(onThemeChange, isDark, () => false);
  const label = dark ? 'Use light colours' : 'Use dark colours';
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={label}
        title={label}
        onClick={() => chooseTheme(dark ? 'light' : 'dark')}
      >
        {dark ? <Sun size={16} /> : <Moon size={16} />}
      </button>
      <ToastList />
    </>
  );
}

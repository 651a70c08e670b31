// The theme button of the start page, and its notices.
'use client';

import { Moon, Sun } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { chooseTheme, isDark, loadTheme, onThemeChange } from '../ui/theme';
import { TitledButton } from '../ui/titled-button';
import { ToastList } from '../ui/toast-list';

/** Switches between light and dark. */
export function StartTheme() {
  useEffect(loadTheme, []);
  const dark = useSyncExternalStore(onThemeChange, isDark, () => false);
  const label = dark ? 'Use light colours' : 'Use dark colours';
  return (
    <>
      <TitledButton icon={dark ? Sun : Moon} label={label} onClick={() => chooseTheme(dark ? 'light' : 'dark')} />
      <ToastList />
    </>
  );
}

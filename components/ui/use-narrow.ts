// Phone or not: in a small window one panel is shown at a time. Also a phone on its side, and a laptop's window at twice its size: there the panels
// side by side would be too small to work in. Style sheets can't share the query; a test holds them to it.
import { useSyncExternalStore } from 'react';

/** What every style sheet says after `@media`. */
export const narrowQuery = '(max-width: 767px), (max-width: 959px) and (max-height: 479px)';

function subscribe(listener: () => void): () => void {
  const media = matchMedia(narrowQuery);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether the window is narrow now, outside of a view. */
export function isNarrow(): boolean {
  return matchMedia(narrowQuery).matches;
}

/** True on a narrow window. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow, () => false);
}

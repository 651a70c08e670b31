// Phone or not: below this width one panel is shown at a time.
import { useSyncExternalStore } from 'react';

const query = '(max-width: 719px)';

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether the window is narrow now, outside of a view. */
export function isNarrow(): boolean {
  return matchMedia(query).matches;
}

/** True on a narrow window. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow, () => false);
}

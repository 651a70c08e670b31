// Strips of tabs: what is active is in sight.
import { type RefObject, useEffect } from 'react';

/** Scrolls what matches `selector` in the strip into view when `active` changes, and when the strip comes back or changes its width: on a phone things are opened while another panel is shown. */
export function useFollowActive(strip: RefObject<HTMLElement | null>, selector: string, active: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect is about what became active.
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const follow = () => element.querySelector(selector)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    return () => observer.disconnect();
  }, [strip, selector, active]);
}

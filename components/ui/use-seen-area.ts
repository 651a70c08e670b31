// What of the page a phone's keyboard leaves to see. Browsers differ: some make the page smaller, others lay the keyboard over it and move the
// page under it; both end here as two CSS variables, so that the composer and the terminal stand above the keyboard.
import { useEffect, useState } from 'react';

/** Less than this is a browser's own bar that comes and goes, not a keyboard. */
const keyboardPx = 140;

/** Keeps `--seen-top` and `--seen-height` of the page true while `active`; says whether a keyboard is up. */
export function useSeenArea(active: boolean): boolean {
  const [keyboard, setKeyboard] = useState(false);
  useEffect(() => {
    const seen = window.visualViewport;
    if (!active || !seen) return;
    const { style } = document.documentElement;
    /** By width, because turning the phone changes both. */
    const tallest = new Map<number, number>();
    const measure = () => {
      // Zoomed in by two fingers: the person looks at a part, nothing is covered.
      if (seen.scale > 1.02) return;
      const width = Math.round(seen.width);
      const most = Math.max(tallest.get(width) ?? 0, seen.height);
      tallest.set(width, most);
      style.setProperty('--seen-top', `${Math.round(seen.offsetTop)}px`);
      style.setProperty('--seen-height', `${Math.round(seen.height)}px`);
      setKeyboard(most - seen.height > keyboardPx);
    };
    measure();
    seen.addEventListener('resize', measure);
    seen.addEventListener('scroll', measure);
    return () => {
      seen.removeEventListener('resize', measure);
      seen.removeEventListener('scroll', measure);
      style.removeProperty('--seen-top');
      style.removeProperty('--seen-height');
      setKeyboard(false);
    };
  }, [active]);
  return keyboard;
}

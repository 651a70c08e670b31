// Which rows of a scrolled list are in sight.
import { type RefObject, useEffect, useState } from 'react';

/** First and last visible index for rows of a fixed height; follows scrolling and resizing. */
export function useWindow(scroller: RefObject<HTMLElement | null>, rowPx: number): { first: number; last: number } {
  const [range, setRange] = useState({ first: 0, last: 60 });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      const first = Math.floor(element.scrollTop / rowPx);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowPx);
      setRange((now) => (now.first === first && now.last === last ? now : { first, last }));
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [scroller, rowPx]);
  return range;
}

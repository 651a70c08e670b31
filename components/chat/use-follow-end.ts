// Staying at the end while text arrives, and staying where one is after scrolling up. What the person opens or closes never makes it jump.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const nearPx = 32;
/** What grows this soon after a click grew because of it. */
const ownMs = 250;

export interface FollowEnd {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** False when the person has scrolled away from the end. */
  atEnd: boolean;
  toEnd(): void;
}

/** Attach both refs: `content` is the only child of `scroller`. */
export function useFollowEnd(): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    following.current = true;
    setAtEnd(true);
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, []);

  useEffect(() => {
    const element = scroller.current!;
    let pressedAtMs = 0;
    let lastTop = element.scrollTop;
    const isNear = () => element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    const onScroll = () => {
      // Only the person scrolls up; content that shrinks also moves the position, but stays near the end.
      if (isNear()) following.current = true;
      else if (element.scrollTop < lastTop) following.current = false;
      lastTop = element.scrollTop;
      setAtEnd(following.current);
    };
    const onPress = (event: Event) => {
      if ((event.target as Element).closest('button, summary')) pressedAtMs = performance.now();
    };
    const observer = new ResizeObserver(() => {
      if (performance.now() - pressedAtMs < ownMs) {
        following.current = isNear();
        setAtEnd(following.current);
      } else if (following.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(content.current!);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('click', onPress, { capture: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('click', onPress, { capture: true });
    };
  }, []);

  return { scroller, content, atEnd, toEnd };
}

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

/** How far the question that has the focus lets it scroll: its keys must not allow what is not on the screen. The end of one that is too high stays. */
function heldTop(scroller: HTMLElement): number {
  const card = document.activeElement;
  if (!card?.matches('[data-ask]') || !scroller.contains(card)) return Number.POSITIVE_INFINITY;
  const { top, bottom } = card.getBoundingClientRect();
  const from = scroller.getBoundingClientRect().top - scroller.scrollTop;
  return Math.max(top - from, bottom - from - scroller.clientHeight);
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
      // An answer to a question opens nothing: what grows then is what was waited for.
      if ((event.target as Element).closest('button, summary')?.closest('.ask') === null)
        pressedAtMs = performance.now();
    };
    const observer = new ResizeObserver(() => {
      // What shrinks may leave nothing below, and no scrolling tells of it.
      if (isNear()) following.current = true;
      else if (performance.now() - pressedAtMs < ownMs) following.current = false;
      if (following.current) {
        element.scrollTop = Math.min(element.scrollHeight, heldTop(element));
        following.current = isNear();
      }
      setAtEnd(following.current);
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

// Staying at the end while text arrives, and staying where one is after scrolling up. What the person opens or closes never makes it jump.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

const nearPx = 32;
/** A question's buttons don't touch what is below. */
const gapPx = 8;
/** What grows this soon after a click grew because of it. */
const ownMs = 250;
/** A scroll this soon after the person's wheel, finger or key is theirs. */
const personMs = 400;
const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
const upKeys = new Set(['ArrowUp', 'PageUp', 'Home', 'Tab', ' ']);

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
  return Math.max(top - from, bottom - from - scroller.clientHeight + gapPx);
}

/** Attach both refs: `content` is the only child of `scroller`. It begins at the end. */
export function useFollowEnd(): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    following.current = true;
    setAtEnd(true);
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, []);

  // Before the first frame, and without a look at any size: the observer goes to the end when the browser has laid out what is there.
  useLayoutEffect(() => {
    const element = scroller.current!;
    let pressedAtMs = Number.NEGATIVE_INFINITY;
    let scrolledAtMs = Number.NEGATIVE_INFINITY;
    let scrollHeight = 0;
    let clientHeight = 0;
    const isNear = () => element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    const onScroll = () => {
      // Content that shrinks moves the position too: what has grown again before this is heard is no wish of the person.
      const isTheirs = element.scrollHeight === scrollHeight || performance.now() - scrolledAtMs < personMs;
      if (isNear()) following.current = true;
      else if (element.scrollTop < lastTop.current && isTheirs) following.current = false;
      lastTop.current = element.scrollTop;
      setAtEnd(following.current);
    };
    const onPress = (event: Event) => {
      // An answer to a question opens nothing: what grows then is what was waited for.
      if ((event.target as Element).closest('button, summary')?.closest('.ask') === null)
        pressedAtMs = performance.now();
    };
    const onInput = (event: Event) => {
      if (
        event instanceof KeyboardEvent
          ? upKeys.has(event.key)
          : event.type !== 'pointerdown' || event.target === element
      )
        scrolledAtMs = performance.now();
    };
    const observer = new ResizeObserver(() => {
      // What shrinks may leave nothing below, and no scrolling tells of it.
      if (isNear()) following.current = true;
      else if (performance.now() - pressedAtMs < ownMs) following.current = false;
      if (following.current) {
        element.scrollTop = Math.min(element.scrollHeight, heldTop(element));
        following.current = isNear();
      } else if (element.clientHeight !== clientHeight && element.querySelector('[data-ask], [data-question]')) {
        // What stands at the lower edge stays there: the buttons of a question that waits.
        element.scrollTop += clientHeight - element.clientHeight;
      }
      ({ scrollHeight, clientHeight } = element);
      lastTop.current = element.scrollTop;
      setAtEnd(following.current);
    });
    observer.observe(content.current!);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('click', onPress, { capture: true });
    for (const type of inputs) element.addEventListener(type, onInput, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('click', onPress, { capture: true });
      for (const type of inputs) element.removeEventListener(type, onInput);
    };
  }, []);

  return { scroller, content, atEnd, toEnd };
}

// Whether the agent waits for an answer to a question that is not on the screen, and the way there.
import { type RefObject, useEffect, useState } from 'react';

const question = ':is([data-ask], [data-question])';

/** `waiting`: the ids of the questions that wait, in one string. Looked at again whenever one comes or goes, or takes another's place. */
export function useQuestionAway(scroller: RefObject<HTMLElement | null>, waiting: string): boolean {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const cards = waiting === '' ? [] : [...(scroller.current?.querySelectorAll(question) ?? [])];
    const seen = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) seen[isIntersecting ? 'add' : 'delete'](target);
        setAway(seen.size === 0);
      },
      { root: scroller.current },
    );
    for (const card of cards) observer.observe(card);
    if (cards.length === 0) setAway(false);
    return () => observer.disconnect();
  }, [scroller, waiting]);
  return isAway;
}

/** Its keys work from there. */
export function toFirstQuestion(scroller: HTMLElement | null): void {
  const card = scroller?.querySelector<HTMLElement>(question);
  card?.scrollIntoView({ block: 'nearest' });
  (card?.matches('[tabindex]') ? card : card?.querySelector<HTMLElement>('input, button'))?.focus({
    preventScroll: true,
  });
}

// The conversations that a query means: by their names at once, by what was said in them as the database answers.
import { useEffect, useState } from 'react';
import { hasWords, wordsOf } from '../../lib/session/find-words';
import type { SessionSummary } from '../../lib/session/messages';
import { useConversations } from './chat-context';
import { untitled } from './delete-conversation';

/** One of them; `said`: the line that was found, when the name has not all the words. */
export interface FoundConversation {
  one: SessionSummary;
  said?: string;
}

/** So long the person is still typing. */
const pauseMs = 150;
/** What is found within this time is shown together: drawing hundreds of rows for each of hundreds that are found would block the page. */
const togetherMs = 120;

/** In the order of `list`. `searching`: what was said is still being looked through. */
export function useFindConversations(
  list: readonly SessionSummary[],
  query: string,
): { found: FoundConversation[]; searching: boolean } {
  const { sessions } = useConversations();
  const [lines, setLines] = useState<{ query: string; byId: ReadonlyMap<string, string>; done: boolean }>();
  const words = wordsOf(query);
  const wanted = words.join(' ');
  const isNamed = (one: SessionSummary) => hasWords(one.title || untitled, words);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that changes meanwhile changes nothing of what was said.
  useEffect(() => {
    if (wanted === '') return;
    const stop = new AbortController();
    const look = async () => {
      const byId = new Map<string, string>();
      let shownAtMs = performance.now();
      for (const one of list) {
        if (isNamed(one)) continue;
        const said = await sessions.find(one.id, words, stop.signal).catch(() => undefined);
        if (stop.signal.aborted) return;
        if (said === undefined) continue;
        byId.set(one.id, said);
        if (byId.size > 1 && performance.now() - shownAtMs < togetherMs) continue;
        shownAtMs = performance.now();
        setLines({ query: wanted, byId: new Map(byId), done: false });
      }
      setLines({ query: wanted, byId, done: true });
    };
    const timer = setTimeout(() => void look(), pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [sessions, wanted]);

  if (wanted === '') return { found: list.map((one) => ({ one })), searching: false };
  const known = lines?.query === wanted ? lines : undefined;
  const found = list.flatMap((one): FoundConversation[] => {
    if (isNamed(one)) return [{ one }];
    const said = known?.byId.get(one.id);
    return said === undefined ? [] : [{ one, said }];
  });
  return { found, searching: known?.done !== true };
}

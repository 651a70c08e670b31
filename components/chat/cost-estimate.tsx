// What sending would cost before the answer comes: the conversation so far, the tools and the words that are typed.
'use client';

import { useMemo } from 'react';
import { useStore } from '../ui/store';
import { useConversations, useCurrent } from './chat-context';
import { modelChoice } from './offered-models';
import { estimateLine } from './usage-line';

/** Nothing while nothing is typed, and for the practice model, which costs nothing. */
export function CostEstimate({ text }: { text: string }) {
  const { session, state } = useCurrent();
  const { models } = useConversations();
  const model = modelChoice(useStore(models).models, state.model);
  const isShown = text.trim() !== '' && model.access !== 'built-in';
  const { messages } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the offer is that of the next step, for this model and agent.
  const tools = useMemo(
    () => (isShown ? JSON.stringify(session.offer().tools.map((one) => one.definition)) : ''),
    [isShown, session, state.model, state.agent],
  );
  if (!isShown) return null;
  const line = estimateLine(messages, model, tools, text);
  return (
    <span className="estimate" title={line.long}>
      <i className="visually-hidden">{line.long}</i>
      <span aria-hidden="true">{line.short}</span>
    </span>
  );
}

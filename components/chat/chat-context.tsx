// How the parts of the panel reach the conversations.
'use client';

import { createContext, use, useSyncExternalStore } from 'react';
import type { Session, SessionState } from '../../lib/session/types';
import { useStore } from '../ui/store';
import type { Conversations } from './conversations';

/** Given by the panel once they are open. */
export const ConversationsContext = createContext<Conversations | null>(null);

/** All conversations of the project; throws outside the panel. */
export function useConversations(): Conversations {
  const conversations = use(ConversationsContext);
  if (!conversations) throw new Error('This view belongs into the agent panel.');
  return conversations;
}

/** The conversation that is shown, and its state. */
export function useCurrent(): { session: Session; state: SessionState } {
  const session = useStore(useConversations().current);
  const state = useSyncExternalStore(session.subscribe, session.state, session.state);
  return { session, state };
}

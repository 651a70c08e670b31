// What the project brings, for views.
import { useSyncExternalStore } from 'react';
import type { CustomsState } from '../../lib/config/project-customs';
import { useConversations } from './chat-context';

/** The state in force; draws again when a look found a change. */
export function useCustoms(): CustomsState {
  const { customs } = useConversations();
  return useSyncExternalStore(customs.subscribe, customs.state, customs.state);
}

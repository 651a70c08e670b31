// The project's programs, for views.
import { useSyncExternalStore } from 'react';
import type { ExtensionState } from '../../lib/extensions/extensions';
import { useConversations } from './chat-context';

/** The states in force; draws again when one changed. */
export function useExtensions(): readonly ExtensionState[] {
  const { programs } = useConversations().extensions;
  return useSyncExternalStore(programs.subscribe, programs.states, programs.states);
}

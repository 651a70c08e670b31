// What is said in place of the last conversation when it can't be read: the others are in the list, and a new one is ready below.
'use client';

import { Failure } from '../ui/failure';
import { useStore } from '../ui/store';
import { useConversations } from './chat-context';

/** Nothing while the conversation that was asked for is shown. */
export function UnreadNotice() {
  const { unread, show, start } = useConversations();
  const failed = useStore(unread);
  if (failed === undefined) return null;
  const retry = () => void show(failed.id).catch((error) => unread.set({ ...failed, error }));
  return (
    <Failure
      what={`“${failed.title || 'New conversation'}” can’t be read. Nothing of it was changed; the list above has the others`}
      error={failed.error}
      retry={retry}
    >
      <button type="button" className="button" onClick={() => void start()}>
        New conversation
      </button>
    </Failure>
  );
}

// Deleting a conversation: at once, with a way back as long as it is offered, and for good afterwards.
import { showError, showToast } from '../ui/toasts';
import type { Conversations } from './conversations';

/** What a conversation without a name is called. */
export const untitled = 'New conversation';

/** Deletes it and offers *Undo* in a notice; undone, it is on screen again. */
export async function deleteWithUndo(conversations: Conversations, id: string, title: string): Promise<void> {
  const wasShown = conversations.current.get().id === id;
  if (!(await setAside(conversations, id))) return;
  showToast(`Deleted “${title || untitled}”`, {
    action: {
      label: 'Undo',
      run: () =>
        void bringBack(conversations, id).then((isBack) => {
          if (isBack && wasShown)
            conversations.show(id).catch((error) => showError('Could not open the conversation', error));
        }),
    },
    settle: () => settle(conversations, id),
  });
}

/** Takes it off the list; false (and said so) when that failed. */
export function setAside(conversations: Conversations, id: string): Promise<boolean> {
  return said('Could not delete', conversations.remove(id));
}

/** Puts it back on the list; false (and said so) when that failed. */
export function bringBack({ sessions }: Conversations, id: string): Promise<boolean> {
  return said('Could not bring the conversation back', sessions.bringBack(id));
}

/** Nobody wants it back. */
export function settle({ sessions }: Conversations, id: string): void {
  // What fails here is found again at a later start.
  void sessions.delete(id).catch(() => {});
}

function said(what: string, work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      showError(what, error);
      return false;
    },
  );
}

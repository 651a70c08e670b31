// Saving messages and their parts as they change: at most twice a second while text streams, at once when somebody waits for it. What could not be saved
// is saved with the next ones, and everybody who waits for it hears that it was not.

import type { Message } from './messages';
import type { SessionStore } from './session-store';

const streamingSaveMs = 500;
const againMs = 5000;

export interface PartSaver {
  /** Saves these parts soon. */
  markDirty(messageId: string, indices: number[]): void;
  /** Saves what of the message is not parts, with the next parts or at the next `flush`. */
  markMessage(messageId: string): void;
  /** Resolves when everything marked so far is saved. */
  flush(): Promise<void>;
  /** Tries no more. */
  close(): void;
}

/** Reads the parts at the moment of saving, so several changes cost one write. */
export function createPartSaver(store: SessionStore, sessionId: string, messages: () => readonly Message[]): PartSaver {
  const dirty = new Map<string, Set<number>>();
  const dirtyMessages = new Set<string>();
  let saving: Promise<void> = Promise.resolve();
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function mark(messageId: string, index: number): void {
    const set = dirty.get(messageId) ?? new Set();
    dirty.set(messageId, set.add(index));
  }

  async function saveDirty(): Promise<void> {
    const batch = [...dirty];
    dirty.clear();
    for (const [at, [messageId, indices]] of batch.entries()) {
      const message = messages().findLast((one) => one.id === messageId);
      if (message === undefined) continue;
      const parts = [...indices].map((index) => ({ index, part: message.parts[index]! }));
      try {
        await store.saveParts(sessionId, messageId, parts);
      } catch (reason) {
        // They are as unsaved as before: when there is room again, no hole may stay in the conversation.
        for (const [id, left] of batch.slice(at)) for (const index of left) mark(id, index);
        throw reason;
      }
    }
    // After the parts: a tab that dies in between must not leave an answer that is over and lacks its end.
    for (const messageId of [...dirtyMessages]) {
      const message = messages().findLast((one) => one.id === messageId);
      dirtyMessages.delete(messageId);
      try {
        if (message !== undefined) await store.saveMessage(sessionId, message);
      } catch (reason) {
        dirtyMessages.add(messageId);
        throw reason;
      }
    }
  }

  function enqueue(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const saved = saving.then(saveDirty);
    saving = saved.catch(() => {
      if (!isClosed) timer ??= setTimeout(saveUnheard, againMs);
    });
    return saved;
  }

  /** Nobody waits for this one: who does hears of it, because what failed is tried again then. */
  function saveUnheard(): void {
    enqueue().catch(() => {});
  }

  return {
    markDirty(messageId, indices) {
      for (const index of indices) mark(messageId, index);
      timer ??= setTimeout(saveUnheard, streamingSaveMs);
    },
    markMessage: (messageId) => void dirtyMessages.add(messageId),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
    flush: enqueue,
  };
}

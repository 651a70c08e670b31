// Saving parts as they change: at most twice a second while text streams, at once when somebody waits for it. A write that failed is told
// to the next one who waits, never swallowed.
import type { SessionStore } from './session-store';
import type { Message } from './types';

const streamingSaveMs = 500;

export interface PartSaver {
  /** Saves them soon. */
  markDirty(messageId: string, indices: number[]): void;
  /** Resolves when everything marked so far is saved. */
  flush(): Promise<void>;
}

/** Reads the parts at the moment of saving, so several changes cost one write. */
export function createPartSaver(store: SessionStore, sessionId: string, messages: () => readonly Message[]): PartSaver {
  const dirty = new Map<string, Set<number>>();
  let saving: Promise<void> = Promise.resolve();
  let failure: { reason: unknown } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function saveDirty(): Promise<void> {
    const batch = [...dirty];
    dirty.clear();
    for (const [messageId, indices] of batch) {
      const message = messages().find((one) => one.id === messageId);
      if (message === undefined) continue;
      const parts = [...indices].map((index) => ({ index, part: message.parts[index]! }));
      await store.saveParts(sessionId, messageId, parts);
    }
  }

  function enqueue(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    saving = saving.then(saveDirty).catch((reason: unknown) => {
      failure = { reason };
    });
    return saving;
  }

  return {
    markDirty(messageId, indices) {
      const set = dirty.get(messageId) ?? new Set();
      for (const index of indices) set.add(index);
      dirty.set(messageId, set);
      timer ??= setTimeout(enqueue, streamingSaveMs);
    },
    async flush() {
      await enqueue();
      if (failure === undefined) return;
      const { reason } = failure;
      failure = undefined;
      throw reason;
    },
  };
}

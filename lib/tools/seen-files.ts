// What the model believes is in the files: the text it last read, or wrote itself. An edit is judged against this base.

/** Decoded text by absolute path; one per session. */
export interface SeenFiles {
  get(path: string): string | undefined;
  set(path: string, text: string): void;
  delete(path: string): void;
  clear(): void;
}

/** Forgets the least recently used texts beyond `maxChars` in total; a forgotten file must be read again before it is overwritten. */
export function createSeenFiles(maxChars = 32_000_000): SeenFiles {
  const texts = new Map<string, string>();
  let total = 0;
  const remove = (path: string) => {
    total -= texts.get(path)?.length ?? 0;
    texts.delete(path);
  };
  return {
    get: (path) => texts.get(path),
    set(path, text) {
      remove(path);
      texts.set(path, text);
      total += text.length;
      for (const oldest of texts.keys()) {
        if (total <= maxChars || oldest === path) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      texts.clear();
      total = 0;
    },
  };
}

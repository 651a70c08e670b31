// Collecting what a process prints: both streams in the order of arrival, bounded in memory, decoded across chunk borders.
import type { Process } from '../sandbox/sandbox';
import { sleep } from '../std/signals';
import { bashPrompt } from './bash.prompt';

const maxKeptChars = 8_000_000;

export interface CollectedOutput {
  /** All of it, or start and end when it was more than eight million characters. */
  text(): string;
  /** The last `maxChars`, for showing while it runs. */
  tail(maxChars: number): string;
  /** Resolves when both streams have ended. */
  readonly closed: Promise<void>;
  /** Stops reading. */
  cancel(): void;
}

/** Starts reading at once; `onText` after every chunk. */
export function collectOutput(child: Process, onText: () => void): CollectedOutput {
  let head = '';
  let end = '';
  let cut = false;
  const append = (text: string) => {
    if (head.length < maxKeptChars / 2) head += text;
    else end += text;
    if (end.length > maxKeptChars) {
      cut = true;
      end = end.slice(-maxKeptChars / 2);
    }
    if (text !== '') onText();
  };
  const readers = [child.output, child.stderr].map((stream) => stream.getReader());
  const closed = Promise.all(
    readers.map(async (reader) => {
      const decoder = new TextDecoder();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          // The sandbox's memory may be shared, which TextDecoder refuses.
          append(decoder.decode(value.buffer instanceof ArrayBuffer ? value : new Uint8Array(value), { stream: true }));
        }
      } catch {
        // A stream that breaks ends the output; how the process ended says why.
      }
      append(decoder.decode());
    }),
  ).then(() => {});
  return {
    text: () => (cut ? `${head}\n${bashPrompt.cutLog}\n${end}` : head + end),
    tail: (maxChars) => (end.length >= maxChars ? end : head.slice(-maxChars) + end).slice(-maxChars),
    closed,
    cancel: () => {
      for (const reader of readers) reader.cancel().catch(() => {});
    },
  };
}

/** Asks it to end, and makes it after `graceMs`. Resolves when it has ended, or `graceMs` later in any case. */
export async function endProcess(child: Process, graceMs: number): Promise<void> {
  child.kill('SIGTERM');
  const ended = child.exit.then(
    () => true,
    () => true,
  );
  if (await Promise.race([ended, sleep(graceMs).then(() => false)])) return;
  child.kill('SIGKILL');
  await Promise.race([ended, sleep(graceMs)]);
}

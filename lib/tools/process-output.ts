// Collecting what a process prints: both streams in the order of arrival, bounded in memory, decoded across chunk borders.
import type { Process } from '../sandbox/sandbox';
import { byteLength } from '../std/bound-text';
import { sleep } from '../std/signals';
import { bashPrompt } from './bash.prompt';

const maxKeptChars = 8_000_000;
const drainTurns = 10;

/** Text that nobody has any more. */
export interface Unkept {
  lines: number;
  bytes: number;
}

export interface CollectedOutput {
  /** All of it, or start and end when it was more than eight million characters. */
  text(): string;
  /** The last `maxChars`, for showing while it runs. */
  tail(maxChars: number): string;
  /** What `text` lacks in its middle, exactly, less the line that says so there. */
  unkept(): Unkept | undefined;
  /** Resolves when both streams have ended, or after `ms`: a child may hold them open for ever. What a busy page has not read by then is waited for. */
  settled(ms: number): Promise<void>;
  /** Stops reading. */
  cancel(): void;
}

/** Starts reading at once; `onText` after every chunk. */
export function collectOutput(child: Process, onText: () => void): CollectedOutput {
  let head = '';
  let end = '';
  let cut: Unkept | undefined;
  const append = (text: string) => {
    if (head.length < maxKeptChars / 2) head += text;
    else end += text;
    if (end.length > maxKeptChars) {
      const lost = end.slice(0, -maxKeptChars / 2);
      cut ??= { lines: 0, bytes: 0 };
      cut.lines += lost.split('\n').length - 1;
      cut.bytes += byteLength(lost);
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
  const remark = `\n${bashPrompt.cutLog}\n`;
  return {
    text: () => (cut ? head + remark + end : head + end),
    unkept: () => cut && { lines: cut.lines - 2, bytes: cut.bytes - byteLength(remark) },
    tail: (maxChars) => (end.length >= maxChars ? end : head.slice(-maxChars) + end).slice(-maxChars),
    async settled(ms) {
      // Each turn lets the page read what has come; a page that is late has no fewer of them.
      for (let turn = 0; turn < drainTurns; turn++)
        if (await Promise.race([closed.then(() => true), sleep(ms / drainTurns).then(() => false)])) return;
    },
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

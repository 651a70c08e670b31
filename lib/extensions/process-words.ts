// The streams of a program's process, read to their ends, and what became of it in words.
import type { ProcessEnd } from '../sandbox/sandbox';

/** As much of a message as a line may show. */
export function firstLine(text: string): string {
  return text.split('\n')[0]!.slice(0, 500);
}

/** The last line of a log in brackets, behind a blank; nothing for an empty one. */
export function lastLine(log: string): string {
  const line = log.trim().split('\n').at(-1)!;
  return line === '' ? '' : ` (${line.slice(0, 200)})`;
}

/** The name of a path or a package without what is before it. */
export function nameOf(target: string): string {
  return target.slice(target.lastIndexOf('/') + 1);
}

/** A clause that goes on from `its process`. */
export function wordsFor(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `ended with exit code ${end.code}`;
    case 'signalled':
      return `was ended by ${end.signal}`;
    case 'crashed':
      return `crashed: ${end.message}`;
  }
}

/** Feeds every piece; rejects with what `feed` throws. */
export async function pump(stream: ReadableStream<Uint8Array>, feed: (bytes: Uint8Array) => void): Promise<void> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    feed(value);
  }
}

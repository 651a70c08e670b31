// What applets read from and write to: a buffered output that is flushed before anybody waits, and an input in chunks,
// lines or as a whole.
import type { Channel } from './channel';
import { decodeText, encodeText, TextReader } from './text';

const CHUNK = 65536;
const FLUSH_AT = 16384;

/** Buffered writing. Rejects with EPIPE when nobody reads any more. */
export class Output {
  readonly channel: Channel;
  readonly #signal: AbortSignal;
  #pending: (string | Uint8Array)[] = [];
  #size = 0;

  constructor(channel: Channel, signal: AbortSignal) {
    this.channel = channel;
    this.#signal = signal;
  }

  /** Queues text (see text.ts) or bytes; waits only when much is queued. */
  write(part: string | Uint8Array): void | Promise<void> {
    this.#pending.push(part);
    this.#size += part.length;
    if (this.#size >= FLUSH_AT) return this.flush();
  }

  /** Writes everything that is queued. */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const parts = this.#pending;
    this.#pending = [];
    this.#size = 0;
    const bytes = parts.every((part) => typeof part === 'string')
      ? encodeText(parts.join(''))
      : Buffer.concat(parts.map((part) => (typeof part === 'string' ? encodeText(part) : part)));
    await this.channel.write(bytes, this.#signal);
  }

  get isTerminal(): boolean {
    return this.channel.isTerminal();
  }
}

/** Reading. Before it waits, `beforeWait` runs: applets flush their output there. */
export class Input {
  readonly channel: Channel;
  readonly #signal: AbortSignal;
  readonly #beforeWait: () => Promise<void>;
  readonly #buffer = new Uint8Array(CHUNK);

  constructor(channel: Channel, signal: AbortSignal, beforeWait: () => Promise<void> = async () => {}) {
    this.channel = channel;
    this.#signal = signal;
    this.#beforeWait = beforeWait;
  }

  /** The next bytes (a copy), undefined at the end. */
  async chunk(): Promise<Uint8Array | undefined> {
    let count = this.channel.read(this.#buffer, this.#signal);
    if (typeof count !== 'number') {
      await this.#beforeWait();
      count = await count;
    }
    return count === 0 ? undefined : this.#buffer.slice(0, count);
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.chunk(); chunk; chunk = await this.chunk()) yield chunk;
  }

  /** Everything. */
  async bytes(): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const chunk of this.chunks()) parts.push(chunk);
    return Buffer.concat(parts);
  }

  async text(): Promise<string> {
    return decodeText(await this.bytes());
  }

  /** Batches of whole lines without their ends; `ended` tells whether the last line of a batch had one. */
  async *batches(separator = '\n'): AsyncGenerator<{ lines: string[]; ended: boolean }> {
    const decoder = new TextReader();
    let rest = '';
    for await (const chunk of this.chunks()) {
      const pieces = (rest + decoder.write(chunk)).split(separator);
      rest = pieces.pop()!;
      if (pieces.length > 0) yield { lines: pieces, ended: true };
    }
    rest += decoder.end();
    if (rest !== '') yield { lines: [rest], ended: false };
  }

  /** All lines, without their ends. */
  async lines(separator = '\n'): Promise<string[]> {
    const result: string[] = [];
    for await (const batch of this.batches(separator)) for (const line of batch.lines) result.push(line);
    return result;
  }
}

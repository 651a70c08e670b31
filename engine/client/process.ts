// A process of the engine as web streams. A chunk is acknowledged when it has been read, so a stream that nobody reads stops its writer.
import type { KernelPageMessage, OutputChannel, RunEnd } from '../kernel/page-protocol';
import { WINDOW_BYTES } from '../kernel/page-protocol';
import { type Connection, EngineError } from './connection';

export interface EngineProcess {
  readonly pid: number;
  /** Standard output, or with a terminal everything that the screen gets. */
  readonly output: ReadableStream<Uint8Array>;
  /** Standard error; ends at once with a terminal. */
  readonly stderr: ReadableStream<Uint8Array>;
  /** Standard input; closing it is end of file (with a terminal: ^D). Errors with EPIPE when nobody reads any more. */
  readonly input: WritableStream<Uint8Array>;
  readonly exit: Promise<RunEnd>;
  resize(columns: number, rows: number): void;
  /** Sends a signal by name, `SIGTERM` by default. */
  kill(signal?: string): void;
}

/** The messages about one process. */
export type ProcessEvent = Extract<KernelPageMessage, { pid: number }>;

/** A process and what feeds it. */
export interface ProcessLink {
  process: EngineProcess;
  receive(event: ProcessEvent): void;
  /** The engine is gone: everything ends. */
  abandon(reason: string): void;
}

interface Output {
  stream: ReadableStream<Uint8Array>;
  push(chunk: Uint8Array): void;
  end(): void;
}

function createOutput(acknowledge: (bytes: number) => void): Output {
  const queue: Uint8Array[] = [];
  let isEnded = false;
  let isCancelled = false;
  let wake: (() => void) | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (queue.length === 0 && !isEnded) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const chunk = queue.shift();
        if (!chunk) return controller.close();
        acknowledge(chunk.length);
        controller.enqueue(chunk);
      },
      cancel() {
        isCancelled = true;
        for (const chunk of queue.splice(0)) acknowledge(chunk.length);
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    push(chunk) {
      // Nobody will read it: acknowledged at once, so that the process does not stop for ever.
      if (isCancelled) return acknowledge(chunk.length);
      queue.push(chunk);
      wake?.();
    },
    end() {
      isEnded = true;
      wake?.();
    },
  };
}

/** The page's side of process `pid`. */
export function createProcess(connection: Connection, pid: number): ProcessLink {
  const outputFor = (channel: OutputChannel): Output =>
    createOutput((bytes) => connection.send({ type: 'credit', pid, channel, bytes }));
  const outputs = { output: outputFor('output'), stderr: outputFor('stderr') };
  let settle!: (end: RunEnd) => void;
  const exit = new Promise<RunEnd>((resolve) => {
    settle = resolve;
  });
  let unacknowledged = 0;
  let inputClosed: string | undefined;
  let wakeInput: (() => void) | undefined;

  const input = new WritableStream<Uint8Array>({
    async write(chunk) {
      while (unacknowledged >= WINDOW_BYTES && inputClosed === undefined) {
        await new Promise<void>((resolve) => {
          wakeInput = resolve;
        });
      }
      if (inputClosed !== undefined) throw new EngineError('EPIPE', inputClosed);
      const copy = chunk.slice();
      unacknowledged += copy.length;
      connection.send({ type: 'input', pid, chunk: copy }, [copy.buffer]);
    },
    close: () => connection.send({ type: 'inputEnd', pid }),
    abort: () => connection.send({ type: 'inputEnd', pid }),
  });

  const closeInput = (reason: string): void => {
    inputClosed ??= reason;
    wakeInput?.();
  };

  const abandon = (reason: string): void => {
    outputs.output.end();
    outputs.stderr.end();
    closeInput(reason);
    settle({ kind: 'crashed', message: reason });
  };

  return {
    process: {
      pid,
      output: outputs.output.stream,
      stderr: outputs.stderr.stream,
      input,
      exit,
      resize: (columns, rows) => connection.send({ type: 'resize', pid, columns, rows }),
      kill: (signal = 'SIGTERM') => connection.send({ type: 'signal', pid, signal }),
    },
    receive(event) {
      switch (event.type) {
        case 'output':
          outputs[event.channel].push(event.chunk);
          return;
        case 'outputEnd':
          outputs[event.channel].end();
          return;
        case 'inputCredit':
          unacknowledged -= event.bytes;
          wakeInput?.();
          return;
        case 'inputClosed':
          closeInput('The process does not read its input any more.');
          return;
        case 'ended':
          closeInput('The process has ended.');
          settle(event.end);
          return;
      }
    },
    abandon,
  };
}

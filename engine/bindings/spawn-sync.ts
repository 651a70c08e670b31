// spawn_sync: a child that the caller waits for. The kernel starts it; this worker pumps its pipes and sleeps on the activity word.
import type { Pipe } from '../ipc/types';
import { PROCESS_STATE } from '../ipc/types';
import { EAGAIN, ETIMEDOUT } from '../memory/errno';
import type { Binding } from '../process/environment';
import { type ChildOptions, giveNull, signalName, startChild } from './child-setup';
import { viewBytes } from './strings';

/** libuv's number for "output larger than maxBuffer", which child_process turns into ERR_CHILD_PROCESS_STDIO_MAXBUFFER. */
const ENOBUFS = -105;

interface SyncStdio {
  type: 'ignore' | 'pipe' | 'inherit' | 'fd';
  readable?: boolean;
  writable?: boolean;
  input?: ArrayBufferView;
  fd?: number;
}

interface SyncOptions extends ChildOptions {
  stdio?: SyncStdio[];
  timeout?: number;
  killSignal?: number;
  maxBuffer?: number;
}

/** The parent's end of one pipe of the child. */
interface Stream {
  index: number;
  fd: number;
  pipe: Pipe;
  input: Uint8Array | undefined;
  sent: number;
  chunks: Uint8Array[];
  received: number;
  open: boolean;
}

export const spawnSync: Binding = (environment) => {
  const { descriptors, descriptions, processes } = environment;

  const openStreams = (slot: number, stdio: SyncStdio[], streams: Stream[]): number => {
    for (const [index, entry] of stdio.entries()) {
      let given: number;
      if (entry.type === 'pipe') {
        const pair = descriptors.openPair();
        if (typeof pair === 'number') return pair;
        given = descriptors.giveTo(slot, pair[1], index);
        descriptors.close(pair[1]);
        const description = descriptors.get(pair[0]);
        // The child reads its standard input from us and writes everything else to us.
        const isInput = index === 0;
        const pipe = (isInput ? descriptions.outgoing(description) : descriptions.incoming(description)) as Pipe;
        streams.push({
          index,
          fd: pair[0],
          pipe,
          input: isInput ? (entry.input ? viewBytes(entry.input) : new Uint8Array(0)) : undefined,
          sent: 0,
          chunks: [],
          received: 0,
          open: true,
        });
      } else if (entry.type === 'ignore') given = giveNull(environment, slot, index);
      else given = descriptors.giveTo(slot, entry.fd ?? index, index);
      if (given < 0) return given;
    }
    return 0;
  };

  const closeStream = (stream: Stream): void => {
    if (!stream.open) return;
    stream.open = false;
    descriptors.close(stream.fd);
  };

  /** Moves what can be moved; true when something was. */
  const pump = (stream: Stream): boolean => {
    if (!stream.open) return false;
    if (stream.input) {
      const count = stream.sent === stream.input.length ? 0 : stream.pipe.write(stream.input.subarray(stream.sent));
      if (count === EAGAIN) return false;
      if (count > 0) stream.sent += count;
      if (count < 0 || stream.sent === stream.input.length) closeStream(stream);
      return true;
    }
    const chunk = new Uint8Array(65536);
    const count = stream.pipe.read(chunk);
    if (count === EAGAIN) return false;
    if (count <= 0) closeStream(stream);
    else {
      stream.chunks.push(chunk.subarray(0, count));
      stream.received += count;
    }
    return true;
  };

  const output = ({ chunks, received }: Stream): Uint8Array => {
    const bytes: Uint8Array = (globalThis as any).Buffer.alloc(received);
    let offset = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
  };

  return {
    spawn(options: SyncOptions) {
      const stdio = options.stdio ?? [];
      const streams: Stream[] = [];
      const child = startChild(environment, options, (slot) => openStreams(slot, stdio, streams));
      if (typeof child === 'number') {
        streams.forEach(closeStream);
        return { error: child, status: null, signal: null, output: null, pid: 0 };
      }
      const deadline =
        options.timeout && options.timeout > 0
          ? environment.browser.performanceNow() + options.timeout
          : Number.POSITIVE_INFINITY;
      let error: number | undefined;
      const stop = (reason: number): void => {
        if (error !== undefined) return;
        error = reason;
        environment.post({ type: 'kill', pid: child.pid, signal: options.killSignal || 15 });
      };
      const isOver = (): boolean => processes.stateOf(child.slot) === PROCESS_STATE.zombie;
      for (;;) {
        const seen = environment.activity();
        let moved = false;
        for (const stream of streams) {
          moved = pump(stream) || moved;
          if (options.maxBuffer && options.maxBuffer > 0 && stream.received > options.maxBuffer) stop(ENOBUFS);
        }
        if (moved) continue;
        // After the end, descendants may still hold the pipes: libuv waits for them too, unless it had to kill.
        if (isOver() && (error !== undefined || streams.every((stream) => !stream.open || stream.input))) break;
        const left = deadline - environment.browser.performanceNow();
        if (left <= 0) stop(ETIMEDOUT);
        environment.waitForActivity(seen, Math.min(error === undefined ? left : 100, 1000));
      }
      streams.forEach(closeStream);
      const code = processes.exitCodeOf(child.slot);
      const signal = processes.exitSignalOf(child.slot);
      processes.reap(child.slot);
      return {
        ...(error === undefined ? {} : { error }),
        status: signal ? null : code,
        signal: signal ? signalName(environment, signal) : null,
        output: stdio.map((entry, index) => {
          const stream = streams.find((candidate) => candidate.index === index);
          return entry.type === 'pipe' && stream && !stream.input ? output(stream) : null;
        }),
        pid: child.pid,
      };
    },
  };
};

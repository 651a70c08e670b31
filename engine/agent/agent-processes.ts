// Processes that the page starts on a foreign computer: child processes with pipes, on the same credit as the kernel's (page-protocol.ts).
// A terminal is not the agent's to give: the page asks the computer itself for that.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  type KernelPageMessage,
  type OutputChannel,
  type PageMessage,
  type RunEnd,
  type RunRequest,
  WINDOW_BYTES,
} from '../kernel/page-protocol';
import { plainBytes } from './agent-files';

interface Started {
  child: ChildProcessWithoutNullStreams;
  /** Unacknowledged bytes. */
  out: Record<OutputChannel, number>;
}

export interface AgentProcesses {
  /** Resolves with the pid; rejects with Node's error (ENOENT …) when there is nothing to run. */
  run(request: RunRequest): Promise<number>;
  receive(message: PageMessage): void;
  list(): ChildProcess[];
}

/** The processes of one page. */
export function createAgentProcesses(send: (message: KernelPageMessage) => void): AgentProcesses {
  const running = new Map<number, Started>();

  const run = async ({ command, args, cwd, env }: RunRequest): Promise<number> => {
    await fs.stat(cwd);
    const child = spawn(command, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: 'pipe' });
    await once(child, 'spawn');
    const pid = child.pid as number;
    const started: Started = { child, out: { output: 0, stderr: 0 } };
    running.set(pid, started);
    child.on('error', (error) => send({ type: 'fault', message: `Process ${pid}: ${error.message}` }));
    child.on('exit', (code, signal) => send({ type: 'ended', pid, end: endOf(code, signal) }));
    child.on('close', () => running.delete(pid));
    child.stdin.on('error', () => {});
    child.stdin.on('close', () => send({ type: 'inputClosed', pid }));
    pump(pid, started, 'output', child.stdout);
    pump(pid, started, 'stderr', child.stderr);
    return pid;
  };

  const pump = (pid: number, started: Started, channel: OutputChannel, stream: Readable): void => {
    stream.on('data', (chunk: Buffer) => {
      started.out[channel] += chunk.length;
      if (started.out[channel] >= WINDOW_BYTES) stream.pause();
      send({ type: 'output', pid, channel, chunk: plainBytes(chunk) });
    });
    stream.on('close', () => send({ type: 'outputEnd', pid, channel }));
  };

  const receive = (message: PageMessage): void => {
    if (!('pid' in message)) return;
    const started = running.get(message.pid);
    if (!started) {
      if (message.type === 'input') send({ type: 'inputClosed', pid: message.pid });
      return;
    }
    const { child } = started;
    switch (message.type) {
      case 'input':
        child.stdin.write(message.chunk, (error) => {
          if (!error) send({ type: 'inputCredit', pid: message.pid, bytes: message.chunk.length });
        });
        return;
      case 'inputEnd':
        child.stdin.end();
        return;
      case 'credit':
        started.out[message.channel] -= message.bytes;
        if (started.out[message.channel] < WINDOW_BYTES)
          child[message.channel === 'output' ? 'stdout' : 'stderr'].resume();
        return;
      case 'resize':
        send({ type: 'fault', message: `Process ${message.pid} has no terminal to resize.` });
        return;
      case 'signal':
        try {
          child.kill(message.signal as NodeJS.Signals);
        } catch (error) {
          send({ type: 'fault', message: (error as Error).message });
        }
        return;
    }
  };

  return { run, receive, list: () => [...running.values()].map(({ child }) => child) };
}

function endOf(code: number | null, signal: string | null): RunEnd {
  if (signal !== null) return { kind: 'signalled', signal };
  if (code !== null) return { kind: 'exited', code };
  return { kind: 'crashed', message: 'The computer told neither an exit code nor a signal.' };
}

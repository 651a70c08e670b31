// process_wrap: child processes.
import { EINVAL, ENOTSUP, ESRCH } from '../memory/errno';
import type { Binding } from '../process/environment';
import { giveNull, signalName, startChild } from './child-setup';
import { HandleWrap } from './handle-wrap';
import type { StreamWrap } from './stream-base';

interface StdioEntry {
  type: 'ignore' | 'pipe' | 'overlapped' | 'wrap' | 'inherit' | 'fd';
  /** `peerSlot`: of a channel, where the process at its other end stands (pipe-wrap.ts). */
  handle?: StreamWrap & { peerSlot?: number };
  fd?: number;
  wrapType?: string;
}

export const processWrap: Binding = (environment) => {
  const { descriptors, processes } = environment;
  const binding = environment.dumped('process_wrap');
  const { constants } = binding;
  const children = new Map<number, (code: number, signal: number) => void>();
  environment.onKernel('childExit', ({ pid, code, signal }: { pid: number; code: number; signal: number }) => {
    const slot = processes.find(pid);
    if (slot >= 0) processes.reap(slot);
    const ended = children.get(pid);
    children.delete(pid);
    ended?.(code, signal);
  });

  /** Of a child that could not be started: lib reads the ends that it asked for, and finds nothing. */
  const openDeadPipes = (stdio: StdioEntry[]): void => {
    for (const { handle, type } of stdio) {
      if (!handle || handle.fd >= 0 || (type !== 'pipe' && type !== 'overlapped')) continue;
      const pair = descriptors.openPair();
      if (typeof pair === 'number') return;
      descriptors.close(pair[1]);
      handle.fd = pair[0];
    }
  };

  class Process extends HandleWrap {
    /** Absent until the process has been started: lib copies it to what the program sees. */
    declare pid: number;
    declare onexit: ((code: number, signal: string) => void) | undefined;
    #running = false;

    constructor() {
      super(environment, 'PROCESSWRAP');
    }

    /** 0, or a negative errno as uv_spawn gives it. */
    spawn(
      file: string,
      args: unknown[] | undefined,
      cwd: string | undefined,
      envPairs: string[] | undefined,
      stdio: StdioEntry[] | undefined,
      flags: number,
      uid: number | undefined,
      gid: number | undefined,
    ): number {
      const detached = (flags & constants.kProcessFlagDetached) !== 0;
      const options = { file, args, cwd, envPairs, detached, uid, gid };
      const child = startChild(environment, options, (slot) => this.#giveStdio(slot, stdio ?? []));
      if (typeof child === 'number') {
        openDeadPipes(stdio ?? []);
        return child;
      }
      this.pid = child.pid;
      this.#running = true;
      this.setActive(true);
      children.set(child.pid, (code, signal) =>
        this.later(() => {
          this.#running = false;
          this.setActive(false);
          this.onexit?.(signal ? 0 : code, signal ? (signalName(environment, signal) ?? '') : '');
        }),
      );
      return 0;
    }

    #giveStdio(slot: number, stdio: StdioEntry[]): number {
      for (const [index, entry] of stdio.entries()) {
        let given = 0;
        switch (entry.type) {
          case 'ignore':
            // Descriptors beyond the standard three stay closed.
            given = index > 2 ? 0 : giveNull(environment, slot, index);
            break;
          case 'pipe':
          case 'overlapped': {
            if (!entry.handle) return EINVAL;
            const pair = descriptors.openPair();
            if (typeof pair === 'number') return pair;
            given = descriptors.giveTo(slot, pair[1], index);
            descriptors.close(pair[1]);
            entry.handle.fd = pair[0];
            entry.handle.peerSlot = slot;
            break;
          }
          case 'wrap':
            given = entry.handle ? descriptors.giveTo(slot, entry.handle.fd, index) : EINVAL;
            break;
          case 'inherit':
          case 'fd':
            given = descriptors.giveTo(slot, entry.fd ?? index, index);
            break;
          default:
            return ENOTSUP;
        }
        if (given < 0) return given;
      }
      return 0;
    }

    kill(signal: number): number {
      if (!this.#running) return ESRCH;
      if (signal !== 0) environment.post({ type: 'kill', pid: this.pid, signal });
      return 0;
    }

    protected override dispose(): void {}
  }
  return { ...binding, Process };
};

// signal_wrap: process.on('SIGINT') and its like. The kernel posts signals that the slot's mask says are handled.
import { EINVAL } from '../memory/errno';
import type { Binding } from '../process/environment';
import { HandleWrap } from './handle-wrap';

const SIGKILL = 9;
const SIGSTOP = 19;

export const signalWrap: Binding = (environment) => {
  const { processes, state } = environment;
  const listeners = new Map<number, Set<Signal>>();
  environment.onSignal((signal) => {
    for (const handle of listeners.get(signal) ?? []) handle.tell(signal);
  });

  class Signal extends HandleWrap {
    declare onsignal: ((signal: number) => void) | undefined;
    #signal = 0;

    constructor() {
      super(environment, 'SIGNALWRAP');
    }

    tell(signal: number): void {
      this.later(() => this.onsignal?.(signal));
    }

    start(signal: number): number {
      if (signal === SIGKILL || signal === SIGSTOP) return EINVAL;
      this.stop();
      this.#signal = signal;
      const group = listeners.get(signal) ?? new Set();
      listeners.set(signal, group.add(this));
      processes.setHandled(state.slot, signal, true);
      this.setActive(true);
      return 0;
    }

    stop(): number {
      const group = listeners.get(this.#signal);
      if (group?.delete(this) && group.size === 0) processes.setHandled(state.slot, this.#signal, false);
      this.setActive(false);
      return 0;
    }

    protected override dispose(): void {
      this.stop();
    }
  }
  return { Signal };
};

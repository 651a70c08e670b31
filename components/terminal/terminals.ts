// All terminals of a workbench, and the one that *Run* uses again and again.
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { createStore, type Store } from '../ui/store';
import { type TerminalOptions, TerminalSession } from './terminal-session';

export interface Terminals {
  list: Store<readonly TerminalSession[]>;
  active: Store<TerminalSession | undefined>;
  /** The terminal of *Run*, while its process lives. */
  running: Store<TerminalSession | undefined>;
  /** How many of them run a program: something other than a shell at its prompt. */
  busy: Store<number>;
  /** A new shell, shown at once; `remark` stands above its first prompt. */
  openShell(name?: string, remark?: string): TerminalSession;
  /** Runs a command line in the run terminal; what ran there before is stopped. */
  run(title: string, commandLine: string): TerminalSession;
  close(session: TerminalSession): void;
  dispose(): void;
}

interface TerminalsOptions {
  sandbox: Sandbox;
  look: () => { fontSize: number; screenReader: boolean };
  isIdeKey: (event: KeyboardEvent) => boolean;
  openPort: TerminalOptions['openPort'];
  openFile: TerminalOptions['openFile'];
}

/** Terminals on a sandbox. */
export function createTerminals(options: TerminalsOptions): Terminals {
  const list = createStore<readonly TerminalSession[]>([]);
  const active = createStore<TerminalSession | undefined>(undefined);
  const running = createStore<TerminalSession | undefined>(undefined);
  const busy = createStore(0);

  function add(name: string, command: string, args: string[], remark?: string): TerminalSession {
    const { sandbox, isIdeKey, openPort, openFile, look } = options;
    const session = new TerminalSession({ sandbox, name, command, args, isIdeKey, openPort, openFile, ...look() });
    session.status.subscribe(() => {
      busy.set(list.get().filter(isBusy).length);
      if (running.get() && !isAlive(running.get()!)) running.set(undefined);
    });
    list.set((now) => [...now, session]);
    active.set(session);
    if (remark !== undefined) session.remark(remark);
    void session.start();
    return session;
  }

  function freeName(): string {
    const taken = new Set(list.get().map((session) => session.status.get().name));
    for (let number = 1; ; number++) if (!taken.has(`bash ${number}`)) return `bash ${number}`;
  }

  function close(session: TerminalSession): void {
    const at = list.get().indexOf(session);
    if (at < 0) return;
    const left = list.get().filter((other) => other !== session);
    list.set(left);
    if (active.get() === session) active.set(left[Math.min(at, left.length - 1)]);
    if (running.get() === session) running.set(undefined);
    session.dispose();
    busy.set(left.filter(isBusy).length);
  }

  return {
    list,
    active,
    running,
    busy,
    openShell: (name, remark) => add(name ?? freeName(), 'bash', [], remark),
    run(title, commandLine) {
      const before = list.get().find((session) => session.args[0] === '-c');
      if (before) close(before);
      const session = add(title, 'bash', ['-c', commandLine]);
      running.set(session);
      return session;
    },
    close,
    dispose() {
      for (const session of list.get()) session.dispose();
      list.set([]);
    },
  };
}

function isBusy(session: TerminalSession): boolean {
  return isAlive(session) && (session.args[0] === '-c' || session.status.get().title !== '');
}

function isAlive(session: TerminalSession): boolean {
  const { state } = session.status.get();
  return state === 'running' || state === 'starting';
}

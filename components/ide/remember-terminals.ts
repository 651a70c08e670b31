// The shells of a project and their names, remembered in this browser: a reload opens as many again. What ran in them is gone with the computer, which
// the terminal says: a server that is silently no more looks like a broken preview.
import { browserStorage } from '../../lib/std/browser-storage';
import type { TerminalSession } from '../terminal/terminal-session';
import type { Terminals } from '../terminal/terminals';

const keyOf = (projectId: string) => `cloche:terminals:${projectId}`;
const mostShells = 20;

/** Opens the shells that were there last time, at least one, and remembers them from now on, until the returned function is called. */
export function rememberTerminals(projectId: string, terminals: Terminals): () => void {
  const { names, active, programs, run } = remembered(projectId);
  const shown = Math.min(active, Math.max(0, names.length - 1));
  for (const [at, name] of (names.length === 0 ? [undefined] : names).entries()) {
    const cut = programs[at] || (at === shown && run);
    terminals.openShell(name, cut ? cutWords(cut, !programs[at]) : undefined);
  }
  const first = terminals.list.get()[shown];
  if (first) terminals.active.set(first);

  const followed = new Map<TerminalSession, () => void>();
  const save = () => {
    const all = terminals.list.get();
    for (const session of all) if (!followed.has(session)) followed.set(session, session.status.subscribe(save));
    const shells = all.filter(isShell);
    const at = shells.indexOf(terminals.active.get()!);
    const value: Remembered = {
      names: shells.map((session) => session.status.get().name),
      active: Math.max(0, at),
      programs: shells.map((session) => session.status.get().title),
      run: terminals.running.get()?.status.get().name ?? '',
    };
    browserStorage.setItem(keyOf(projectId), JSON.stringify(value));
  };
  const stops = [terminals.list, terminals.active, terminals.running].map((store) => store.subscribe(save));
  save();
  return () => {
    for (const stop of [...stops, ...followed.values()]) stop();
  };
}

/** Not the terminal of *Run*. */
function isShell(session: TerminalSession): boolean {
  return session.args[0] !== '-c';
}

function cutWords(program: string, byRun: boolean): string {
  const again = byRun ? ' Run starts it again.' : '';
  return `${program} ended when the page was closed or reloaded.${again}`;
}

interface Remembered {
  names: string[];
  active: number;
  /** What ran in each shell; empty at a prompt. */
  programs: string[];
  /** What *Run* ran; empty when nothing did. */
  run: string;
}

function remembered(projectId: string): Remembered {
  try {
    const value = JSON.parse(browserStorage.getItem(keyOf(projectId)) ?? '') as Partial<
      Record<keyof Remembered, unknown>
    >;
    return {
      names: textsOf(value.names).slice(0, mostShells),
      active: typeof value.active === 'number' ? value.active : 0,
      programs: textsOf(value.programs),
      run: typeof value.run === 'string' ? value.run : '',
    };
  } catch {
    return { names: [], active: 0, programs: [], run: '' };
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}

// The shells of a project and their names, remembered in this browser: a reload opens as many again. What ran in them is gone with the computer.
import { browserStorage } from '../../lib/std/browser-storage';
import type { TerminalSession } from '../terminal/terminal-session';
import type { Terminals } from '../terminal/terminals';

const keyOf = (projectId: string) => `cloche:terminals:${projectId}`;
const mostShells = 20;

/** Opens the shells that were there last time, at least one, and remembers them from now on, until the returned function is called. */
export function rememberTerminals(projectId: string, terminals: Terminals): () => void {
  const { names, active } = remembered(projectId);
  for (const name of names) terminals.openShell(name);
  if (names.length === 0) terminals.openShell();
  const shown = terminals.list.get()[active];
  if (shown) terminals.active.set(shown);

  const followed = new Map<TerminalSession, () => void>();
  const save = () => {
    const shells = terminals.list.get().filter(isShell);
    for (const session of shells) if (!followed.has(session)) followed.set(session, session.status.subscribe(save));
    const at = shells.indexOf(terminals.active.get()!);
    const value = { names: shells.map((session) => session.status.get().name), active: Math.max(0, at) };
    browserStorage.setItem(keyOf(projectId), JSON.stringify(value));
  };
  const stops = [terminals.list.subscribe(save), terminals.active.subscribe(save)];
  save();
  return () => {
    for (const stop of [...stops, ...followed.values()]) stop();
  };
}

/** Not the terminal of *Run*. */
function isShell(session: TerminalSession): boolean {
  return session.args[0] !== '-c';
}

function remembered(projectId: string): { names: string[]; active: number } {
  try {
    const value = JSON.parse(browserStorage.getItem(keyOf(projectId)) ?? '') as { names?: unknown; active?: unknown };
    const names = Array.isArray(value.names)
      ? value.names.filter((name): name is string => typeof name === 'string')
      : [];
    return { names: names.slice(0, mostShells), active: typeof value.active === 'number' ? value.active : 0 };
  } catch {
    return { names: [], active: 0 };
  }
}

// The tabs of a project, remembered in this browser: a reload shows the same files.
import type { Documents } from '../editor/documents';

const keyOf = (projectId: string) => `cloche:tabs:${projectId}`;

/** Saves tabs and the active one at every change, until the returned function is called. */
export function rememberTabs(projectId: string, documents: Documents): () => void {
  const save = () => {
    // Right after the start nothing is open yet; that must not wipe what will be restored.
    if (documents.active.get() === undefined && documents.tabs.get().length > 0) return;
    const value = { tabs: documents.tabs.get(), active: documents.active.get() };
    localStorage.setItem(keyOf(projectId), JSON.stringify(value));
  };
  const stops = [documents.tabs.subscribe(save), documents.active.subscribe(save)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** What was open; undefined when the project was never open in this browser. */
export function rememberedTabs(projectId: string): { tabs: string[]; active?: string } | undefined {
  try {
    const value = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '') as { tabs?: unknown; active?: unknown };
    if (!Array.isArray(value.tabs)) return undefined;
    const tabs = value.tabs.filter((path): path is string => typeof path === 'string').slice(0, 30);
    return { tabs, active: typeof value.active === 'string' ? value.active : undefined };
  } catch {
    return undefined;
  }
}

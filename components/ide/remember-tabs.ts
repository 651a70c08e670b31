// The tabs of a project, remembered in this browser: a reload shows the same files on the same sides.
import { browserStorage } from '../../lib/std/browser-storage';
import type { Documents } from '../editor/documents';
import { allTabs, parseSides, type Sides } from '../editor/editor-sides';

const keyOf = (projectId: string) => `cloche:tabs:${projectId}`;

/** Saves the sides of the editor at every change, until the returned function is called. */
export function rememberTabs(projectId: string, { sides }: Documents): () => void {
  return sides.subscribe(() => browserStorage.setItem(keyOf(projectId), JSON.stringify(sides.get())));
}

/** What was open, of the files that `isThere` knows; undefined when the project was never open in this browser. */
export async function rememberedTabs(
  projectId: string,
  isThere: (path: string) => Promise<boolean>,
): Promise<Sides | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(browserStorage.getItem(keyOf(projectId)) ?? '');
  } catch {
    return undefined;
  }
  const all = parseSides(value, () => true);
  if (!all) return undefined;
  const paths = allTabs(all);
  const present = await Promise.all(paths.map(isThere));
  return parseSides(value, (path) => present[paths.indexOf(path)] === true);
}

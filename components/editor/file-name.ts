// A file's name, as tabs and notices show it.

import { visibleName } from '../../lib/std/visible-text';

/** The last part of a path; characters that can't be seen by their numbers. */
export function nameOf(path: string): string {
  return visibleName(path.slice(path.lastIndexOf('/') + 1));
}

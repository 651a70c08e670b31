// Reads a folder of this machine as snapshot entries, so that a command can be run on a copy of it.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import type { SnapshotEntry } from '../../engine/tree/snapshot-entries.ts';

/** Everything below `folder`, parents first; sockets and devices are left out. */
export function* readEntries(folder: string, prefix = ''): Generator<SnapshotEntry> {
  const names = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of names) {
    const file = path.join(folder, entry.name);
    const relative = `${prefix}${entry.name}`;
    if (entry.isSymbolicLink()) yield { kind: 'symlink', path: relative, target: readlinkSync(file) };
    else if (entry.isDirectory()) {
      yield { kind: 'directory', path: relative, mode: statSync(file).mode & 0o777 };
      yield* readEntries(file, `${relative}/`);
    } else if (entry.isFile()) {
      const { mode, mtimeMs } = statSync(file);
      yield {
        kind: 'file',
        path: relative,
        mode: mode & 0o777,
        mtimeMs: Math.floor(mtimeMs),
        contents: readFileSync(file),
      };
    }
  }
}

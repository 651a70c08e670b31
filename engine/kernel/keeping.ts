// How the kernel keeps the person's files: the project file's port comes with the boot, its contents are in the tree before the first process runs,
// and what changes afterwards is recorded.
import type { FileTree } from '../tree/types';
import { HOME_DIRECTORY } from './base-files';
import type { KeptStorage } from './boot-protocol';
import type { KernelPageMessage } from './page-protocol';
import { openPersistence, type Persistence } from './persistence/persistence';
import { portStorage } from './persistence/port-storage';

/** What programs can make again from elsewhere, by the names that say so. */
const REMADE = ['.cache', '.npm/_cacache', '.npm/_logs'].map((name) => `${HOME_DIRECTORY}/${name}`);

/** Brings the kept files into the tree, tells the page how that went, and keeps them from then on. Rejects when the project file can't be read. */
export async function startKeeping(
  { port, roots }: KeptStorage,
  tree: FileTree,
  send: (message: KernelPageMessage) => void,
): Promise<Persistence> {
  const persistence = await openPersistence({
    storage: portStorage(port),
    tree,
    roots,
    exclude: (path) => REMADE.includes(path),
    onState: (state) => send({ type: 'saving', state }),
    onProgress: (fraction) => send({ type: 'progress', what: 'files', fraction }),
  });
  const { problems, keptAs, files } = await persistence.load();
  send({ type: 'restored', report: { files, problems, keptAs } });
  persistence.start();
  return persistence;
}

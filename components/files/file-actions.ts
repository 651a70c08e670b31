// What the file tree does to files. Everything can be undone: what is deleted goes to a folder outside the project until its notice is gone.
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { baseName, isInside, joinPath, parentPath } from '../../lib/std/paths';
import type { Documents } from '../editor/documents';
import { allTabs } from '../editor/editor-sides';
import { showError, showProgress, showToast } from '../ui/toasts';
import { downloadZip } from './download-zip';
import type { FileTree } from './file-tree';
import { saveBlob } from './save-blob';
import { freeName } from './tree-model';

export interface FileActions {
  /** Creates below `directory`; slashes in the name make folders. Opens a new file. */
  create(directory: string, name: string, kind: 'file' | 'directory'): Promise<void>;
  rename(path: string, name: string): Promise<void>;
  /** Moves into `directory`, under a free name. */
  moveInto(path: string, directory: string): Promise<void>;
  duplicate(path: string): Promise<void>;
  remove(paths: string[]): Promise<void>;
  /** Writes files from outside; paths are relative to `directory`. */
  receive(directory: string, files: { path: string; contents: Blob }[]): Promise<void>;
  /** A file as it is, a folder as a zip. */
  download(path: string): Promise<void>;
}

const trash = '/tmp/.cloche-trash';

/** Actions that tell about failures themselves. */
export function createFileActions(sandbox: Sandbox, tree: FileTree, documents: Documents): FileActions {
  const { fs } = sandbox;

  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      showError(what, error);
    }
  };
  const namesIn = async (directory: string) => new Set((await fs.list(directory)).map((entry) => entry.name));

  async function move(from: string, to: string): Promise<void> {
    if (from === to) return;
    if (isInside(to, from)) throw new Error('A folder can’t be moved into itself.');
    if (await fs.exists(to)) throw new Error(`${baseName(to)} is there already.`);
    await documents.saveAll();
    await fs.makeDirectory(parentPath(to));
    await fs.move(from, to);
    await documents.moved(from, to);
    await tree.reveal(to);
  }

  const actions: FileActions = {
    create: (directory, name, kind) =>
      attempt(`Could not create ${name}`, async () => {
        const path = joinPath(directory, name.trim());
        if (await fs.exists(path)) throw new Error(`${name} is there already.`);
        if (kind === 'directory') await fs.makeDirectory(path);
        else await fs.write(path, '');
        if (directory !== tree.root) await tree.expand(directory);
        await tree.reveal(path);
        if (kind === 'file') await documents.open(path);
      }),
    rename: (path, name) =>
      attempt(`Could not rename ${baseName(path)}`, async () => {
        const to = joinPath(parentPath(path), name.trim());
        await move(path, to);
        if (to !== path)
          showToast(`Renamed to ${baseName(to)}`, {
            action: { label: 'Undo', run: () => void attempt('Could not undo', () => move(to, path)) },
          });
      }),
    moveInto: (path, directory) =>
      attempt(`Could not move ${baseName(path)}`, async () => {
        if (parentPath(path) === directory) return;
        const to = joinPath(directory, freeName(baseName(path), await namesIn(directory)));
        await move(path, to);
        showToast(`Moved ${baseName(path)} to ${directory === tree.root ? 'the project' : baseName(directory)}`, {
          action: { label: 'Undo', run: () => void attempt('Could not undo', () => move(to, path)) },
        });
      }),
    duplicate: (path) =>
      attempt(`Could not duplicate ${baseName(path)}`, async () => {
        const directory = parentPath(path);
        await fs.copy(path, joinPath(directory, freeName(baseName(path), await namesIn(directory))));
      }),
    remove: (paths) =>
      attempt('Could not delete', async () => {
        await documents.saveAll();
        const kept = `${trash}/${crypto.randomUUID()}`;
        const moved: { from: string; to: string }[] = [];
        for (const from of paths) {
          const to = `${kept}/${moved.length}/${baseName(from)}`;
          await fs.makeDirectory(parentPath(to));
          await fs.move(from, to);
          moved.push({ from, to });
          for (const open of allTabs(documents.sides.get())) if (isInside(open, from)) await documents.close(open);
        }
        const restore = async () => {
          for (const { from, to } of moved) {
            await fs.makeDirectory(parentPath(from));
            await fs.move(to, from);
          }
        };
        showToast(paths.length === 1 ? `Deleted ${baseName(paths[0]!)}` : `Deleted ${paths.length} items`, {
          action: { label: 'Undo', run: () => void attempt('Could not undo', restore) },
          settle: () => void fs.remove(kept).catch(() => {}),
        });
      }),
    receive: (directory, files) =>
      attempt('Could not add the files', async () => {
        if (files.length === 0) return;
        let stopped = false;
        const progress =
          files.length > 20 ? showProgress(`Adding ${files.length} files…`, () => (stopped = true)) : undefined;
        const taken = await namesIn(directory);
        const tops = new Map<string, string>();
        let written = 0;
        let saidAtMs = performance.now();
        try {
          for (const { path, contents } of files) {
            if (stopped) break;
            const [top = path, ...rest] = path.split('/');
            // A name that is taken gets a number: nothing is overwritten.
            if (!tops.has(top)) tops.set(top, freeName(top, taken));
            const target = joinPath(directory, tops.get(top)!, ...rest);
            if (!isInside(target, directory)) throw new Error(`${path} leads out of the folder.`);
            await fs.write(target, new Uint8Array(await contents.arrayBuffer()));
            written++;
            if (performance.now() - saidAtMs < 200) continue;
            saidAtMs = performance.now();
            progress?.say(`Adding files: ${written.toLocaleString('en')} of ${files.length.toLocaleString('en')}…`);
          }
        } finally {
          progress?.done();
          if (directory !== tree.root) await tree.expand(directory);
          const added = files.length === 1 ? [...tops.values()][0] : `${written.toLocaleString('en')} files`;
          const left = files.length - written;
          if (written > 0)
            showToast(`Added ${added}${left > 0 ? `; ${left.toLocaleString('en')} were not` : ''}`, {
              action: {
                label: 'Undo',
                run: () => void actions.remove([...tops.values()].map((top) => joinPath(directory, top))),
              },
            });
        }
      }),
    download: (path) =>
      attempt(`Could not download ${baseName(path)}`, async () => {
        const { kind } = await fs.stat(path);
        if (kind === 'directory') return downloadZip(sandbox, documents, path, path);
        await documents.saveAll();
        saveBlob(baseName(path), new Uint8Array(await fs.read(path)));
      }),
  };
  return actions;
}

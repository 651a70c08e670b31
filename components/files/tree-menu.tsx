// The context menu of the file tree, by what was clicked.
import { baseName, displayPath, parentPath } from '../../lib/std/paths';
import type { Workbench } from '../ide/workbench';
import type { MenuEntry } from '../ui/menu';
import { chooseFiles } from './choose-files';
import type { Naming } from './name-field';
import type { TreeRow } from './tree-model';

/** `row` undefined: the empty room below the rows. `selected` are the paths that *Delete* means. */
export function treeMenu(
  workbench: Workbench,
  row: TreeRow | undefined,
  selected: string[],
  setNaming: (naming: Naming) => void,
): MenuEntry[] {
  const { tree, files, documents, sandbox } = workbench;
  const directory = row === undefined ? tree.root : row.kind === 'directory' ? row.path : parentPath(row.path);
  const create = (entry: 'file' | 'directory') => async () => {
    if (directory !== tree.root) await tree.expand(directory);
    setNaming({ kind: 'new', directory, entry });
  };
  const entries: MenuEntry[] = [
    { kind: 'item', label: 'New file', run: create('file') },
    { kind: 'item', label: 'New folder', run: create('directory') },
    {
      kind: 'item',
      label: 'Add files…',
      run: () => void chooseFiles().then((chosen) => files.receive(directory, chosen)),
    },
  ];
  if (row === undefined)
    return [
      ...entries,
      { kind: 'separator' },
      { kind: 'item', label: 'Read again', run: () => void tree.refresh() },
      { kind: 'item', label: 'Download as a zip', run: () => void files.download(tree.root) },
    ];
  return [
    ...(row.kind === 'directory'
      ? []
      : ([
          { kind: 'item', label: 'Open', keys: 'Enter', run: () => void documents.open(row.path) },
          { kind: 'separator' },
        ] as MenuEntry[])),
    ...entries,
    { kind: 'separator' },
    { kind: 'item', label: 'Rename', keys: 'F2', run: () => setNaming({ kind: 'rename', path: row.path }) },
    { kind: 'item', label: 'Duplicate', run: () => void files.duplicate(row.path) },
    {
      kind: 'item',
      label: row.kind === 'directory' ? 'Download as a zip' : 'Download',
      run: () => void files.download(row.path),
    },
    {
      kind: 'item',
      label: 'Copy path',
      run: () => void navigator.clipboard.writeText(displayPath(row.path, sandbox.workdir)),
    },
    { kind: 'separator' },
    {
      kind: 'item',
      label: selected.length > 1 ? `Delete ${selected.length} items` : `Delete ${baseName(row.path)}`,
      keys: 'Del',
      danger: true,
      run: () => void files.remove(selected),
    },
  ];
}

// The file tree on screen. Focus roves over the rows; of a long tree only the visible rows (and the focused one) are in the page.
'use client';

import { CopyMinus, FilePlus, FolderPlus, Upload } from 'lucide-react';
import { useState } from 'react';
import { PanelHeader } from '../ide/panel-header';
import { useWorkbench } from '../ide/workbench-context';
import { IconButton } from '../ui/tip';
import { chooseFiles } from './choose-files';
import { FileTreeView } from './file-tree-view';
import type { Naming } from './name-field';
import './files.css';

/** Header with the actions, and the tree. */
export function FilesPanel() {
  const { tree, files } = useWorkbench();
  const [naming, setNaming] = useState<Naming>();
  // New things appear beside what is selected.
  const [target, setTarget] = useState(tree.root);
  const create = (entry: 'file' | 'directory') => {
    if (target !== tree.root) void tree.expand(target);
    setNaming({ kind: 'new', directory: target, entry });
  };
  return (
    <>
      <PanelHeader
        panel="files"
        actions={
          <>
            <IconButton label="New file" small onClick={() => create('file')}>
              <FilePlus size={14} />
            </IconButton>
            <IconButton label="New folder" small onClick={() => create('directory')}>
              <FolderPlus size={14} />
            </IconButton>
            <IconButton
              label="Add files from this computer"
              small
              onClick={() => void chooseFiles().then((chosen) => files.receive(target, chosen))}
            >
              <Upload size={14} />
            </IconButton>
            <IconButton label="Fold all" small onClick={() => tree.collapseAll()}>
              <CopyMinus size={14} />
            </IconButton>
          </>
        }
      />
      <FileTreeView naming={naming} setNaming={setNaming} setTarget={setTarget} />
    </>
  );
}

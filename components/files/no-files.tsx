// The file tree of a project without files: one sentence, and the two ways to get some.
'use client';

import { FilePlus, Upload } from 'lucide-react';
import { useWorkbench } from '../ide/workbench-context';
import { chooseFiles } from './choose-files';

/** `create` asks for the name of a new file. */
export function NoFiles({ create }: { create: () => void }) {
  const { tree, files } = useWorkbench();
  return (
    <div className="empty">
      <p>
        This project has no files yet<span className="by-mouse">. Make one, or drop some here</span>.
      </p>
      <div className="row">
        <button type="button" className="button" onClick={create}>
          <FilePlus size={14} aria-hidden="true" />
          New file
        </button>
        <button
          type="button"
          className="button"
          onClick={() => void chooseFiles().then((chosen) => files.receive(tree.root, chosen))}
        >
          <Upload size={14} aria-hidden="true" />
          Add files…
        </button>
      </div>
    </div>
  );
}

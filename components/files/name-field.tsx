// The field in which a name is typed, in the row itself. What is wrong with the name is said below it while typing.
'use client';

import { useId, useRef, useState } from 'react';
import { baseName, joinPath, parentPath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { nameProblem } from './tree-model';

/** Where a name is being typed: for a new entry below `directory`, or for an entry that is there. */
export type Naming = { kind: 'new'; directory: string; entry: 'file' | 'directory' } | { kind: 'rename'; path: string };

/** Enter keeps the name, Esc leaves, going elsewhere keeps it when it is good. */
export function NameField({ naming, done }: { naming: Naming; done: (renamedTo?: string) => void }) {
  const workbench = useWorkbench();
  const { tree, files } = workbench;
  const [name, setName] = useState(naming.kind === 'rename' ? baseName(naming.path) : '');
  const id = useId();
  const finished = useRef(false);
  const directory = naming.kind === 'rename' ? parentPath(naming.path) : naming.directory;
  const own = naming.kind === 'rename' ? baseName(naming.path) : undefined;
  const siblings = (tree.state.get().children.get(directory) ?? []).map((entry) => entry.name);
  const problem = name === '' ? undefined : nameProblem(name, siblings, own);

  const finish = (keep: boolean) => {
    if (finished.current) return;
    if (keep && problem !== undefined) return;
    finished.current = true;
    const changed = keep && name.trim() !== '' && name !== own;
    done(changed && naming.kind === 'rename' ? joinPath(directory, name.trim()) : undefined);
    if (!changed) return;
    if (naming.kind === 'rename') void files.rename(naming.path, name);
    else
      void files.create(naming.directory, name, naming.entry).then(() => {
        // One creates a file to write into it.
        if (naming.entry === 'file') workbench.showPanel('editor');
      });
  };
  return (
    <span className="name-field">
      <input
        className="field"
        aria-label={
          naming.kind === 'rename'
            ? `New name of ${own}`
            : `Name of the new ${naming.entry === 'file' ? 'file' : 'folder'}`
        }
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        value={name}
        spellCheck={false}
        ref={(input) => {
          if (!input || input.dataset.started) return;
          input.dataset.started = 'yes';
          // A menu that has just closed gives the focus back first.
          setTimeout(() => {
            input.focus();
            const dot = own?.lastIndexOf('.') ?? -1;
            input.setSelectionRange(0, dot > 0 ? dot : input.value.length);
          }, 30);
        }}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => finish(problem === undefined)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') {
            event.preventDefault();
            finish(true);
          }
          if (event.key === 'Escape') finish(false);
        }}
      />
      {problem !== undefined && (
        <span id={id} className="name-problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}

// A zip from this computer becomes a project. The archive is read and judged before anything is made.
'use client';

import { FolderArchive } from 'lucide-react';
import { useState } from 'react';
import { createProject } from '../../lib/project/projects';
import { chooseFiles } from '../files/choose-files';
import { Failure } from '../ui/failure';

/** Looks like a template; takes a click or a dropped file. */
export function ImportButton() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();

  const open = async (file: File | undefined) => {
    if (!file) return;
    setError(undefined);
    setBusy(true);
    try {
      const { readZip } = await import('../../lib/project/zip-import');
      const files = readZip(new Uint8Array(await file.arrayBuffer()));
      const project = await createProject(file.name.replace(/\.zip$/i, ''), 'import', files);
      location.assign(`/p/${project.id}`);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <>
      <button
        type="button"
        className="template template-button"
        aria-busy={busy}
        disabled={busy}
        onClick={() => void chooseFiles('.zip,application/zip').then(([chosen]) => open(chosen?.contents))}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void open(event.dataTransfer.files[0]);
        }}
      >
        <FolderArchive size={18} aria-hidden="true" />
        <span>
          <strong>{busy ? 'Reading the archive…' : 'Open a zip'}</strong>
          <span>From this computer, or dropped here.</span>
        </span>
      </button>
      {error !== undefined && <Failure what="This archive can’t be opened" error={error} />}
    </>
  );
}

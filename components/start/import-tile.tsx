// The last tile of the start page: a zip or a folder of this computer becomes a project. The whole page takes what is dropped, because what misses
// a target would make the browser leave the page.
'use client';

import { FolderArchive } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { chooseFiles } from '../files/choose-files';
import { Failure } from '../ui/failure';
import { useStore } from '../ui/store';
import { isMissingCode } from '../ui/toasts';
import { importDropped, importing, importZip, leaveImport } from './import-project';

const choose = () =>
  void chooseFiles('.zip,application/zip').then(([chosen]) => chosen && void importZip(chosen.contents));

/** One or two items of the list of templates: the tile, and what went wrong. While something is read, the tile says how far and stops it. */
export function ImportTile() {
  const state = useStore(importing);
  const dropping = useDropAnywhere();
  const field = useRef<HTMLInputElement>(null);
  const take = () => {
    const chosen = field.current?.files?.[0];
    if (!chosen) return;
    field.current!.value = '';
    void importZip(chosen);
  };
  // The field works before this code does: what was chosen by then is taken now.
  useEffect(take, []);
  return (
    <>
      <li>
        {state.kind === 'reading' || state.kind === 'keeping' ? (
          <button type="button" className="template template-open" aria-busy="true" onClick={leaveImport}>
            <FolderArchive size={18} aria-hidden="true" />
            <span>
              <strong>{`${state.kind === 'reading' ? 'Reading' : 'Keeping'} ${state.name}…`}</strong>
              <span>
                {state.fraction !== undefined && `${Math.floor(state.fraction * 100)} %. `}
                Press to stop.
              </span>
            </span>
            <progress className="template-progress" max={1} value={state.fraction} aria-hidden="true" />
          </button>
        ) : (
          <label className="template template-open" data-dropping={dropping}>
            <FolderArchive size={18} aria-hidden="true" />
            <span>
              <strong>{dropping ? 'Drop it anywhere' : 'Open a zip'}</strong>
              <span>
                From this computer<span className="by-mouse">; or drop a zip or a folder on this page</span>.
              </span>
            </span>
            <input ref={field} type="file" accept=".zip,application/zip" title="" onChange={take} />
          </label>
        )}
      </li>
      {state.kind === 'failed' && (
        <li className="template-failure">
          <Failure what={`${state.name} can’t be opened`} error={state.error}>
            {/* An archive is as bad the second time; the network may be there again. */}
            {isMissingCode(state.error) && (
              <button type="button" className="button" data-tone="primary" onClick={state.again}>
                Try again
              </button>
            )}
            <button type="button" className="button" onClick={choose}>
              Choose another
            </button>
            <button type="button" className="button" data-tone="quiet" onClick={leaveImport}>
              Dismiss
            </button>
          </Failure>
        </li>
      )}
    </>
  );
}

/** Whether files are held over the page. */
function useDropAnywhere(): boolean {
  const [dropping, setDropping] = useState(false);
  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      event.dataTransfer!.dropEffect = 'copy';
      setDropping(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDropping(false);
    };
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setDropping(false);
      void importDropped(event.dataTransfer!);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  return dropping;
}

// The way out wherever a link can't hold the project.
'use client';

import { useCommands } from '../ide/workbench-context';

/** A button. */
export function ZipInstead() {
  const exportZip = useCommands().find((command) => command.id === 'project.export');
  return (
    <button type="button" className="button" onClick={() => exportZip?.run()}>
      Download as a zip
    </button>
  );
}

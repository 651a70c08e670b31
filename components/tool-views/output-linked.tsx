// Something in an output that can be opened: a page in a new tab, a server of the sandbox in the preview, a file at its line in the editor.
'use client';

import type { ReactNode } from 'react';
import { resolvePath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { showError } from '../ui/toasts';
import type { OutputLink } from './output-pieces';

/** Looks like the text around it until it is pointed at. */
export function OutputLinked({ link, children }: { link: OutputLink; children: ReactNode }) {
  const workbench = useWorkbench();
  if (link.kind === 'web')
    return (
      <a href={link.href} target="_blank" rel="noopener noreferrer nofollow" referrerPolicy="no-referrer">
        {children}
      </a>
    );
  const { preview, sandbox, documents, phoneView } = workbench;
  const open = async () => {
    if (link.kind === 'port') {
      preview.show(link.port, link.path);
      return workbench.showPanel('preview');
    }
    const path = resolvePath(sandbox.workdir, link.path);
    // A name without its folder, or one of another folder: better said than an empty tab.
    await sandbox.fs.stat(path);
    phoneView.set('editor');
    await documents.open(path, { line: link.line, column: link.column });
  };
  const where = link.kind === 'port' ? `the server on port ${link.port}` : link.path;
  return (
    <button
      type="button"
      className="file-link"
      onClick={() => void open().catch((error) => showError(`Could not open ${where}`, error))}
    >
      {children}
    </button>
  );
}

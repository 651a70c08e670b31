// The button in the top bar. What it needs to make a link is loaded with the first click.
'use client';

import { Link2 } from 'lucide-react';
import { useWorkbench } from '../ide/workbench-context';
import { Sheet } from '../ui/sheet';
import { useStore } from '../ui/store';
import { ShareForm } from './share-form';

/** Opens the sheet, as its command does; the project is read anew every time. */
export function ShareButton() {
  const { sheet } = useWorkbench();
  const open = useStore(sheet) === 'share';
  return (
    <>
      <button type="button" className="button share-button" aria-label="Share" onClick={() => sheet.set('share')}>
        <Link2 size={14} aria-hidden="true" />
        <span>Share</span>
      </button>
      <Sheet title="Share a copy" open={open} close={() => sheet.set(null)}>
        {open && <ShareForm />}
      </Sheet>
    </>
  );
}

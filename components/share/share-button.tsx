// The button in the top bar. What it needs to make a link is loaded with the first click.
'use client';

import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { Sheet } from '../ui/sheet';
import { ShareForm } from './share-form';

/** Opens the sheet; the project is read anew every time. */
export function ShareButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button share-button" aria-label="Share" onClick={() => setOpen(true)}>
        <Link2 size={14} aria-hidden="true" />
        <span>Share</span>
      </button>
      <Sheet title="Share a copy" open={open} close={() => setOpen(false)}>
        {open && <ShareForm />}
      </Sheet>
    </>
  );
}

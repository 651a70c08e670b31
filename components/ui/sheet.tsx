// A dialog with a title and a way out: Esc, the cross, or a click beside it.
'use client';

import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { giveFocusBack, rememberFocus } from './focus-back';

/** Modal; focus is kept inside and given back. */
export function Sheet(props: {
  title: string;
  open: boolean;
  close: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** For tables. */
  wide?: boolean;
}) {
  return (
    <Dialog.Root open={props.open} onOpenChange={(open) => !open && props.close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog"
          data-wide={props.wide}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            rememberFocus();
            // The dialog itself, whose title is read out; not the cross, which would be the first thing on it.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={giveFocusBack}
          onEscapeKeyDown={(event) => {
            // While a key is being recorded, Esc ends the recording, not the sheet.
            if (event.target instanceof Element && event.target.closest('[data-records-keys]')) event.preventDefault();
          }}
        >
          <header className="dialog-header">
            <Dialog.Title className="dialog-title">{props.title}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <X size={16} />
            </Dialog.Close>
          </header>
          <div className="dialog-body">{props.children}</div>
          {props.footer}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

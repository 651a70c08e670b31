// An icon with a name whose tooltip is the browser's own: for rows of a list (each has several) and for the start page, which loads no tooltip code.
'use client';

import type { LucideIcon } from 'lucide-react';

interface TitledButtonProps {
  icon: LucideIcon;
  /** For screen readers: with the name of what it is done to. */
  label: string;
  /** The tooltip; the label if there is none. */
  title?: string;
  onClick(): void;
}

/** A button that is an icon. In the IDE's bars it is `IconButton`, whose tooltip comes at once. */
export function TitledButton({ icon: Icon, label, title = label, onClick }: TitledButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={title} onClick={onClick}>
      <Icon size={16} />
    </button>
  );
}

// A button that is an icon: always with a name for screen readers, and a tooltip that also shows its key.
'use client';

import { Tooltip } from 'radix-ui';
import type { ComponentProps, ReactElement, ReactNode } from 'react';

/** Shows `label` (and keys) when the child is hovered or focused. The child must take a ref and props. */
export function Tip({ label, keys, children }: { label: string; keys?: string; children: ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tooltip" sideOffset={4} collisionPadding={8}>
          {label}
          {keys && <span className="tooltip-keys">{keys}</span>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  label: string;
  keys?: string;
  small?: boolean;
  children: ReactNode;
}

/** An icon with a name. `keys` is shown in the tooltip. */
export function IconButton({ label, keys, small, className = '', ...rest }: IconButtonProps) {
  return (
    <Tip label={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        className={`icon-button ${small ? 'small' : ''} ${className}`}
        {...rest}
      />
    </Tip>
  );
}

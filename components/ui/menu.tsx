// Menus as data: the same list of entries fills a drop-down and a context menu.
'use client';

import { Check } from 'lucide-react';
import { ContextMenu, DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

/** One line of a menu. */
export type MenuEntry =
  | {
      kind: 'item';
      /** Where two entries of a menu have the same label. */
      id?: string;
      label: string;
      run: () => void;
      icon?: ReactNode;
      keys?: string;
      danger?: boolean;
      disabled?: boolean;
      checked?: boolean;
    }
  | { kind: 'label'; label: string }
  | { kind: 'separator' };

type Kit = typeof DropdownMenu | typeof ContextMenu;

function Entry({ kit, entry }: { kit: Kit; entry: MenuEntry }) {
  if (entry.kind === 'separator') return <kit.Separator className="menu-separator" />;
  if (entry.kind === 'label') return <kit.Label className="menu-label">{entry.label}</kit.Label>;
  const inside = (
    <>
      {entry.icon}
      <span className="menu-text">{entry.label}</span>
      {entry.keys && <span className="menu-keys">{entry.keys}</span>}
      {entry.checked !== undefined && (
        <span className="menu-check" aria-hidden="true">
          {entry.checked && <Check size={16} />}
        </span>
      )}
    </>
  );
  const props = { className: 'menu-item', disabled: entry.disabled, 'data-tone': entry.danger ? 'danger' : undefined };
  if (entry.checked === undefined)
    return (
      <kit.Item {...props} onSelect={entry.run}>
        {inside}
      </kit.Item>
    );
  return (
    <kit.CheckboxItem {...props} checked={entry.checked} onSelect={entry.run}>
      {inside}
    </kit.CheckboxItem>
  );
}

function Entries({ kit, entries }: { kit: Kit; entries: MenuEntry[] }) {
  return entries.map((entry, at) => (
    <Entry key={entry.kind === 'item' ? (entry.id ?? entry.label) : at} kit={kit} entry={entry} />
  ));
}

/** A button (the child) that opens a menu. */
export function Menu(props: { entries: MenuEntry[]; label: string; align?: 'start' | 'end'; children: ReactElement }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{props.children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align={props.align ?? 'start'}
          sideOffset={4}
          collisionPadding={8}
          aria-label={props.label}
        >
          <Entries kit={DropdownMenu} entries={props.entries} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A context menu around the child; `entries` is asked when it opens. It does not take the focus back, so that an entry may move it. */
export function ContextMenuArea(props: { entries: MenuEntry[]; label: string; children: ReactElement }) {
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild>{props.children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          className="menu"
          collisionPadding={8}
          aria-label={props.label}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <Entries kit={ContextMenu} entries={props.entries} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

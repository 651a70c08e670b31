// One row of the file tree.
'use client';

import { ChevronRight } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { visibleName } from '../../lib/std/visible-text';
import { FileIcon } from './file-icon';
import type { TreeRow } from './tree-model';
import { pathDragType } from './use-tree-drop';

interface TreeRowViewProps {
  row: TreeRow;
  top: number;
  focusable: boolean;
  selected: boolean;
  /** Shown in the editor. */
  open: boolean;
  /** Something is dragged over it. */
  over: boolean;
  /** The field in which its name is being changed. */
  naming: ReactNode;
  click: (event: MouseEvent) => void;
}

/** A treeitem that can be dragged. */
export function TreeRowView({ row, top, focusable, selected, open, over, naming, click }: TreeRowViewProps) {
  const isDirectory = row.kind === 'directory';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its rows.
    <div
      role="treeitem"
      className="tree-row"
      data-path={row.path}
      data-open={open}
      data-over={over}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={isDirectory ? row.expanded : undefined}
      aria-selected={selected}
      tabIndex={focusable ? 0 : -1}
      // Dragging by touch would take the long press of the menu.
      draggable={!naming && matchMedia('(hover: hover)').matches}
      style={{ top, paddingLeft: 8 + row.depth * 14 }}
      onDragStart={(event) => {
        event.dataTransfer.setData(pathDragType, row.path);
        event.dataTransfer.setData('text/plain', row.path);
        event.dataTransfer.effectAllowed = 'copyMove';
      }}
      onClick={naming ? undefined : click}
    >
      {Array.from({ length: row.depth }, (_, level) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a level is its index.
        <span key={level} className="tree-guide" style={{ left: 15 + level * 14 }} aria-hidden="true" />
      ))}
      <ChevronRight
        size={14}
        className="tree-chevron"
        data-shown={isDirectory}
        data-down={row.expanded}
        aria-hidden="true"
      />
      <FileIcon name={row.name} kind={row.kind} expanded={row.expanded} />
      {naming ?? <span className="tree-name">{visibleName(row.name)}</span>}
      {row.kind === 'symlink' && <small>link</small>}
    </div>
  );
}

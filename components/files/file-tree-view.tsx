// The rows of the tree: keys, selection, drag and drop, the context menu.
'use client';

import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { parentPath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { focusSoon } from '../ui/focus-soon';
import { ContextMenuArea } from '../ui/menu';
import { useStore } from '../ui/store';
import { useNarrow } from '../ui/use-narrow';
import type { Naming } from './name-field';
import { NameField } from './name-field';
import { NoFiles } from './no-files';
import { treeMenu } from './tree-menu';
import { moveByKey, type TreeRow, visibleRows } from './tree-model';
import { TreeRowView } from './tree-row';
import { useTreeDrop } from './use-tree-drop';
import { useWindow } from './use-window';

/** Touch needs larger rows; the sheet reads the same number from `--tree-row`. */
const rowPxOf = (narrow: boolean) => (narrow ? 44 : 24);

const pathAt = ({ target }: { target: EventTarget }) =>
  (target as Element).closest<HTMLElement>('[data-path]')?.dataset.path;

interface FileTreeViewProps {
  naming: Naming | undefined;
  setNaming: (naming: Naming | undefined) => void;
  /** Told in which directory new things should be made. */
  setTarget: (directory: string) => void;
}

/** A tree with one tab stop. */
export function FileTreeView({ naming, setNaming, setTarget }: FileTreeViewProps) {
  const workbench = useWorkbench();
  const { tree, documents, files } = workbench;
  const state = useStore(tree.state);
  const open = useStore(documents.active);
  const rows = useMemo(() => visibleRows(state, tree.root), [state, tree.root]);
  const [focused, setFocused] = useState<string>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const active = rows.find((row) => row.path === focused) ?? rows.find((row) => row.path === open) ?? rows[0];
  const rowPx = rowPxOf(useNarrow());
  const range = useWindow(scroller, rowPx);
  const drop = useTreeDrop(scroller, files, tree.root, rows);

  const select = (path: string, add = false) => {
    setFocused(path);
    setSelected((now) => (add ? new Set(now).symmetricDifference(new Set([path])) : new Set([path])));
    const row = rows.find((other) => other.path === path);
    setTarget(row?.kind === 'directory' ? path : parentPath(path));
  };
  const focusRow = (path: string) => {
    select(path);
    const at = rows.findIndex((row) => row.path === path);
    const element = scroller.current;
    if (element && at >= 0) {
      if (at * rowPx < element.scrollTop) element.scrollTop = at * rowPx;
      if ((at + 1) * rowPx > element.scrollTop + element.clientHeight)
        element.scrollTop = (at + 1) * rowPx - element.clientHeight;
    }
    focusSoon(element, '[role="treeitem"][tabindex="0"]');
  };
  // After a name was typed (or left), the focus goes back to the tree.
  const wasNaming = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only about the moment in which naming ends.
  useEffect(() => {
    if (wasNaming.current && !naming && document.activeElement === document.body && active) focusRow(active.path);
    wasNaming.current = naming !== undefined;
  }, [naming]);

  const hadFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: about rows that went away under the focus.
  useEffect(() => {
    if (hadFocus.current && !naming && document.activeElement === document.body && active) focusRow(active.path);
  }, [rows]);

  const endNaming = (renamedTo?: string) => {
    setNaming(undefined);
    if (renamedTo !== undefined) setFocused(renamedTo);
  };
  const act = (row: TreeRow) => {
    if (row.kind !== 'directory') void documents.open(row.path).then(() => workbench.phoneView.set('editor'));
    else if (row.expanded) tree.collapse(row.path);
    else void tree.expand(row.path);
  };
  const removed = () => [...(active && !selected.has(active.path) ? [active.path] : selected)];
  const onKey = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (active && event.key === 'F2') setNaming({ kind: 'rename', path: active.path });
    else if (active && (event.key === 'Delete' || event.key === 'Backspace')) {
      const at = rows.indexOf(active);
      const next = rows[at + 1] ?? rows[at - 1];
      void files.remove(removed()).then(() => next && focusRow(next.path));
    } else if (active && event.key === 'Enter') act(active);
    else if (active && event.key === ' ') select(active.path, true);
    else {
      const move = moveByKey(rows, active?.path, event.key);
      if (!move) return;
      if (move.kind === 'focus') focusRow(move.path);
      else if (move.kind === 'expand') void tree.expand(move.path);
      else tree.collapse(move.path);
    }
    event.preventDefault();
  };
  const onFocus = (event: FocusEvent) => {
    const { path } = (event.target as HTMLElement).dataset;
    hadFocus.current = true;
    if (path !== undefined) setFocused(path);
  };
  const onBlur = (event: FocusEvent) => {
    // Without a new place for the focus the row itself has gone: then the next row gets it.
    if (event.relatedTarget !== null) hadFocus.current = false;
  };
  const onContextMenu = (event: MouseEvent) => {
    const path = pathAt(event);
    if (path === undefined) {
      setFocused(undefined);
      setSelected(new Set());
      setTarget(tree.root);
    } else if (!selected.has(path)) select(path);
  };

  const namingAt = naming?.kind === 'new' ? rows.findIndex((row) => row.path === naming.directory) + 1 : -1;
  const isEmpty = rows.length === 0 && state.children.has(tree.root) && !naming;
  const first = Math.max(0, range.first - 10);
  const last = range.last + 10;
  return (
    <ContextMenuArea
      label="Files"
      entries={treeMenu(workbench, focused === undefined ? undefined : active, removed(), setNaming)}
    >
      <div
        className="tree"
        ref={scroller}
        role="none"
        onContextMenu={onContextMenu}
        // A long touch opens the menu without such an event where the browser has none.
        onPointerDown={(event) => event.pointerType === 'touch' && setFocused(pathAt(event))}
        onKeyDown={onKey}
        onFocus={onFocus}
        onBlur={onBlur}
        {...drop.handlers}
        data-drop={drop.over === tree.root}
      >
        {isEmpty ? (
          <NoFiles create={() => setNaming({ kind: 'new', directory: tree.root, entry: 'file' })} />
        ) : (
          <div
            role="tree"
            aria-label="Files"
            aria-multiselectable="true"
            className="tree-rows"
            style={{ height: (rows.length + (namingAt >= 0 ? 1 : 0)) * rowPx + 48 }}
          >
            {rows.map((row, at) =>
              (at >= first && at <= last) || row === active ? (
                <TreeRowView
                  key={row.path}
                  row={row}
                  top={(at + (namingAt >= 0 && at >= namingAt ? 1 : 0)) * rowPx}
                  focusable={row === active}
                  selected={selected.has(row.path)}
                  open={row.path === open}
                  over={drop.over === row.path}
                  naming={
                    naming?.kind === 'rename' && naming.path === row.path ? (
                      <NameField naming={naming} done={endNaming} />
                    ) : undefined
                  }
                  click={(event) => {
                    if (event.metaKey || event.ctrlKey) return select(row.path, true);
                    select(row.path);
                    act(row);
                  }}
                />
              ) : null,
            )}
          </div>
        )}
        {naming?.kind === 'new' && (
          <div
            className="tree-row"
            style={{ top: namingAt * rowPx, paddingLeft: 8 + 14 * ((rows[namingAt - 1]?.depth ?? -1) + 1) + 18 }}
          >
            <NameField naming={naming} done={endNaming} />
          </div>
        )}
      </div>
    </ContextMenuArea>
  );
}

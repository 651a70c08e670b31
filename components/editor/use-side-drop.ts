// Dropping a tab or a file of the tree onto the editor: it opens there; the right half of an editor with one side becomes a second side.
import { type DragEvent, useState } from 'react';
import { pathDragType } from '../files/use-tree-drop';
import { useWorkbench } from '../ide/workbench-context';
import { isNarrow } from '../ui/use-narrow';
import { focusSide, moveTab, sendTab, splitTab } from './editor-sides';

/** What a dragged tab carries: the index of its side, a space, its path. */
export const tabDragType = 'application/x-cloche-tab';

/** The tab in a drop, or undefined. */
export function draggedTab(event: DragEvent): { from: number; path: string } | undefined {
  const [, from, path] = /^(\d) (.+)$/s.exec(event.dataTransfer.getData(tabDragType)) ?? [];
  return path === undefined ? undefined : { from: Number(from), path };
}

/** Handlers for the body of a side, and where the drop would go. They come before Monaco's own. */
export function useSideDrop(at: number) {
  const { documents, showPanel } = useWorkbench();
  const [zone, setZone] = useState<'whole' | 'right'>();
  const zoneOf = (event: DragEvent): 'whole' | 'right' => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const { list } = documents.sides.get();
    const canSplit = list.length === 1 && list[0]!.tabs.length > 0 && !isNarrow();
    return canSplit && event.clientX > left + width / 2 ? 'right' : 'whole';
  };
  const takes = ({ dataTransfer: { types } }: DragEvent) => types.includes(tabDragType) || types.includes(pathDragType);
  const handlers = {
    onDragOverCapture: (event: DragEvent) => {
      if (!takes(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setZone(zoneOf(event));
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setZone(undefined);
    },
    onDropCapture: (event: DragEvent) => {
      if (!takes(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setZone(undefined);
      const tab = draggedTab(event);
      const right = zoneOf(event) === 'right';
      if (tab) {
        documents.sides.set((now) => {
          if (right) return sendTab(now, tab.path, tab.from);
          return tab.from === at ? now : moveTab(now, tab.path, tab.from, at, now.list[at]!.tabs.length);
        });
      } else void openHere(event.dataTransfer.getData(pathDragType), right);
      showPanel('editor');
    },
  };
  async function openHere(path: string, right: boolean): Promise<void> {
    const isKnown = documents.files.get().has(path);
    documents.sides.set((now) => (right && isKnown ? splitTab(now, path) : focusSide(now, at)));
    if (right && isKnown) return;
    await documents.open(path);
    if (right) documents.sides.set((now) => sendTab(now, path, now.focused));
  }
  return { zone, handlers };
}

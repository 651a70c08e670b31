// Dragging in the file tree: rows onto folders, and files or folders from outside.
import { type DragEvent, type RefObject, useRef, useState } from 'react';
import { parentPath } from '../../lib/std/paths';
import { showError } from '../ui/toasts';
import { droppedFiles } from './dropped-files';
import type { FileActions } from './file-actions';
import type { TreeRow } from './tree-model';

/** What a dragged row carries: its path. */
export const pathDragType = 'application/x-cloche-path';

/** Handlers for the tree's element, and the directory that is under the pointer. */
export function useTreeDrop(
  scroller: RefObject<HTMLElement | null>,
  files: FileActions,
  root: string,
  rows: readonly TreeRow[],
) {
  const [over, setOver] = useState<string>();
  const depth = useRef(0);
  const directoryUnder = (event: DragEvent): string => {
    const path = (event.target as Element).closest<HTMLElement>('[data-path]')?.dataset.path;
    if (path === undefined || !scroller.current?.contains(event.target as Node)) return root;
    return rows.find((row) => row.path === path)?.kind === 'directory' ? path : parentPath(path);
  };
  const takes = (event: DragEvent) =>
    event.dataTransfer.types.includes(pathDragType) || event.dataTransfer.types.includes('Files');
  const end = () => {
    depth.current = 0;
    setOver(undefined);
  };
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (takes(event)) depth.current++;
    },
    onDragLeave: () => {
      if (--depth.current <= 0) end();
    },
    onDragOver: (event: DragEvent) => {
      if (!takes(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = event.dataTransfer.types.includes(pathDragType) ? 'move' : 'copy';
      setOver(directoryUnder(event));
    },
    onDragEnd: end,
    onDrop: (event: DragEvent) => {
      if (!takes(event)) return;
      event.preventDefault();
      const directory = directoryUnder(event);
      end();
      const path = event.dataTransfer.getData(pathDragType);
      if (path !== '') return void files.moveInto(path, directory);
      droppedFiles(event.dataTransfer).then(
        (dropped) => files.receive(directory, dropped),
        (error: unknown) => showError('Could not read what was dropped', error),
      );
    },
  };
  return { over, handlers };
}

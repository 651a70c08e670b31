// The tabs of open files: a dot for what is not saved yet, arrows to walk, Delete or a middle click to close, dragging to order.
'use client';

import { BookOpen, Code, Columns2, Plus, X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { closeTab, commandKeys } from '../ide/commands';
import { useCommands, useWorkbench } from '../ide/workbench-context';
import { focusSoon } from '../ui/focus-soon';
import { ContextMenuArea, type MenuEntry } from '../ui/menu';
import { useStore } from '../ui/store';
import { IconButton } from '../ui/tip';
import { useFollowActive } from '../ui/use-follow-active';
import { isNarrow } from '../ui/use-narrow';
import type { OpenFile } from './documents';
import { activateTab, allTabs, focusSide, moveTab, sendTab } from './editor-sides';
import { nameOf } from './file-name';
import { isMarkdown } from './markdown-name';
import { tabLabels } from './tab-labels';
import { draggedTab, tabDragType } from './use-side-drop';

/** The tabs of a side, or of several where only one is seen. Follows the active tab into view. */
export function EditorTabs({ at: ownAt, tabsOf }: { at: number; tabsOf: readonly number[] }) {
  const workbench = useWorkbench();
  const { documents } = workbench;
  const commands = useCommands();
  const { list } = useStore(documents.sides);
  const files = useStore(documents.files);
  const active = list[ownAt]?.active;
  const tabs = tabsOf.flatMap((side) => (list[side]?.tabs ?? []).map((path) => ({ path, side })));
  const strip = useRef<HTMLDivElement>(null);
  const labels = tabLabels(allTabs({ list, focused: 0 }));
  const show = ({ path, side }: { path: string; side: number }) =>
    documents.sides.set((now) => activateTab(focusSide(now, side), path));

  useFollowActive(strip, '.tab[data-active="true"]', active);

  const onKey = (event: KeyboardEvent, at: number) => {
    const go = (index: number) => {
      const tab = tabs[(index + tabs.length) % tabs.length];
      if (!tab) return;
      show(tab);
      focusSoon(strip.current, '[aria-selected="true"]');
    };
    if (event.key === 'ArrowRight') go(at + 1);
    else if (event.key === 'ArrowLeft') go(at - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(tabs.length - 1);
    else if (event.key === 'Delete') {
      const { path, side } = tabs[at]!;
      void closeTab(workbench, path, side).then(() => focusSoon(strip.current, '[aria-selected="true"]'));
    } else if (event.key === 'Enter' || event.key === ' ') workbench.showPanel('editor');
    else return;
    event.preventDefault();
  };

  if (tabs.length === 0) return null;
  return (
    <div className="tabs">
      <div className="tabs-strip" role="tablist" aria-label="Open files" ref={strip}>
        {tabs.map(({ path, side }, at) => (
          <FileTab
            key={`${side} ${path}`}
            file={files.get(path)!}
            side={side}
            panelId={`editor-body-${list[side]!.id}`}
            detail={labels.get(path)}
            active={side === ownAt && path === active}
            show={() => show({ path, side })}
            onKeyDown={(event) => onKey(event, at)}
            drop={(tab) =>
              documents.sides.set((now) => moveTab(now, tab.path, tab.from, side, now.list[side]!.tabs.indexOf(path)))
            }
          />
        ))}
      </div>
      <IconButton
        label="Open a file"
        keys={commandKeys(commands.find((command) => command.id === 'picker.files'))}
        small
        onClick={() => workbench.picker.set('files')}
      >
        <Plus size={16} />
      </IconButton>
      <span className="top-gap" />
      {active !== undefined && isMarkdown(active) && <PageButton path={active} />}
      <IconButton
        label="Show on the other side too"
        keys={commandKeys(commands.find((command) => command.id === 'editor.split'))}
        small
        className="wide-only"
        onClick={() => {
          documents.sides.set((now) => focusSide(now, ownAt));
          commands.find((command) => command.id === 'editor.split')?.run();
        }}
      >
        <Columns2 size={16} />
      </IconButton>
    </div>
  );
}

/** Switches a Markdown file between its text and the page that it makes. */
function PageButton({ path }: { path: string }) {
  const { pages } = useWorkbench();
  const command = useCommands().find((other) => other.id === 'editor.page');
  const shown = useStore(pages).has(path);
  return (
    <IconButton
      label={shown ? 'Show the text' : 'Show as a page'}
      keys={commandKeys(command)}
      small
      onClick={() => command?.run()}
    >
      {shown ? <Code size={16} /> : <BookOpen size={16} />}
    </IconButton>
  );
}

interface FileTabProps {
  file: OpenFile;
  /** The folder, where the name alone is not enough. */
  detail: string | undefined;
  active: boolean;
  side: number;
  /** What it controls. */
  panelId: string;
  show: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  drop: (dragged: { from: number; path: string }) => void;
}

function FileTab({ file, detail, active, side, panelId, show, onKeyDown, drop }: FileTabProps) {
  const workbench = useWorkbench();
  const { documents } = workbench;
  const { path } = file;
  const name = nameOf(path);
  const close = (paths: readonly string[]) => {
    for (const other of paths) void closeTab(workbench, other, side);
  };
  const tabsHere = () => documents.sides.get().list[side]?.tabs ?? [];
  const entries: MenuEntry[] = [
    { kind: 'item', label: 'Close', run: () => close([path]) },
    {
      kind: 'item',
      label: 'Close the others',
      run: () => close(tabsHere().filter((other) => other !== path)),
    },
    { kind: 'item', label: 'Close all', run: () => close(tabsHere()) },
    { kind: 'separator' },
    ...(isNarrow()
      ? []
      : ([
          {
            kind: 'item',
            label: 'Move to the other side',
            run: () => documents.sides.set((now) => sendTab(now, path, side)),
          },
        ] satisfies MenuEntry[])),
    { kind: 'item', label: 'Copy path', run: () => void navigator.clipboard.writeText(path) },
    {
      kind: 'item',
      label: 'Show in files',
      run: () => void workbench.tree.reveal(path).then(() => workbench.showPanel('files')),
    },
  ];
  const state = file.deleted
    ? ', deleted'
    : file.conflict !== undefined
      ? ', needs a decision'
      : file.dirty
        ? ', not saved'
        : '';
  return (
    <ContextMenuArea label={name} entries={entries}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging and the middle click are for the mouse; the tab inside has the keys. */}
      <div
        className="tab"
        role="presentation"
        data-active={active}
        data-deleted={file.deleted}
        draggable
        onDragStart={(event) => event.dataTransfer.setData(tabDragType, `${side} ${path}`)}
        onDragOver={(event) => event.dataTransfer.types.includes(tabDragType) && event.preventDefault()}
        onDrop={(event) => {
          const dragged = draggedTab(event);
          if (dragged) drop(dragged);
        }}
        onAuxClick={(event) => event.button === 1 && close([path])}
      >
        <button
          type="button"
          role="tab"
          aria-keyshortcuts="Delete"
          className="tab-name"
          aria-selected={active}
          aria-controls={panelId}
          aria-label={`${name}${detail ? ` in ${detail}` : ''}${state}`}
          tabIndex={active ? 0 : -1}
          onClick={() => {
            show();
            workbench.showPanel('editor');
          }}
          // Not on focus: a dialog that closes gives the focus back to the tab from which another file was just opened.
          onMouseDown={(event) => event.button === 0 && show()}
          onKeyDown={onKeyDown}
        >
          <span>{name}</span>
          {detail && <small>{detail}</small>}
        </button>
        <button
          type="button"
          className="tab-close"
          data-dirty={file.dirty}
          aria-hidden="true"
          title={`Close ${name}`}
          tabIndex={-1}
          onClick={() => close([path])}
        >
          <span className="tab-dot" aria-hidden="true" />
          <X size={14} aria-hidden="true" />
        </button>
      </div>
    </ContextMenuArea>
  );
}

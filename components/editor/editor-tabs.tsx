// The tabs of open files: a dot for what is not saved yet, arrows to walk, Delete or a middle click to close, dragging to order.
'use client';

import { BookOpen, Code, Plus, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { closeTab, commandKeys } from '../ide/commands';
import { useCommands, useWorkbench } from '../ide/workbench-context';
import { ContextMenuArea, type MenuEntry } from '../ui/menu';
import { useStore } from '../ui/store';
import { IconButton } from '../ui/tip';
import type { OpenFile } from './documents';
import { nameOf } from './file-name';
import { isMarkdown } from './markdown-name';
import { tabLabels } from './tab-labels';

const dragType = 'application/x-cloche-tab';

/** Follows the active tab into view. */
export function EditorTabs() {
  const workbench = useWorkbench();
  const { documents } = workbench;
  const commands = useCommands();
  const tabs = useStore(documents.tabs);
  const files = useStore(documents.files);
  const active = useStore(documents.active);
  const strip = useRef<HTMLDivElement>(null);
  const labels = tabLabels(tabs);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect is about the tab that became active.
  useEffect(() => {
    const tab = strip.current?.querySelector('.tab[data-active="true"]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);

  const onKey = (event: KeyboardEvent, at: number) => {
    const go = (index: number) => {
      const path = tabs[(index + tabs.length) % tabs.length]!;
      documents.active.set(path);
      requestAnimationFrame(() => strip.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
    };
    if (event.key === 'ArrowRight') go(at + 1);
    else if (event.key === 'ArrowLeft') go(at - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(tabs.length - 1);
    else if (event.key === 'Delete') void closeTab(workbench, tabs[at]!).then(() => go(Math.min(at, tabs.length - 2)));
    else if (event.key === 'Enter' || event.key === ' ') workbench.showPanel('editor');
    else return;
    event.preventDefault();
  };

  if (tabs.length === 0) return null;
  return (
    <div className="tabs">
      <div className="tabs-strip" role="tablist" aria-label="Open files" ref={strip}>
        {tabs.map((path, at) => (
          <FileTab
            key={path}
            file={files.get(path)!}
            detail={labels.get(path)}
            active={path === active}
            onKeyDown={(event) => onKey(event, at)}
            drop={(dragged) => documents.moveTab(dragged, at)}
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
      {active !== undefined && isMarkdown(active) && <PageButton path={active} />}
    </div>
  );
}

/** Switches a Markdown file between its text and the page that it makes. */
function PageButton({ path }: { path: string }) {
  const { pages } = useWorkbench();
  const command = useCommands().find((other) => other.id === 'editor.page');
  const shown = useStore(pages).has(path);
  return (
    <>
      <span className="top-gap" />
      <IconButton
        label={shown ? 'Show the text' : 'Show as a page'}
        keys={commandKeys(command)}
        small
        onClick={() => command?.run()}
      >
        {shown ? <Code size={16} /> : <BookOpen size={16} />}
      </IconButton>
    </>
  );
}

interface FileTabProps {
  file: OpenFile;
  /** The folder, where the name alone is not enough. */
  detail: string | undefined;
  active: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  drop: (dragged: string) => void;
}

function FileTab({ file, detail, active, onKeyDown, drop }: FileTabProps) {
  const workbench = useWorkbench();
  const { documents } = workbench;
  const { path } = file;
  const name = nameOf(path);
  const close = (paths: readonly string[]) => {
    for (const other of paths) void closeTab(workbench, other);
  };
  const entries: MenuEntry[] = [
    { kind: 'item', label: 'Close', run: () => close([path]) },
    {
      kind: 'item',
      label: 'Close the others',
      run: () => close(documents.tabs.get().filter((other) => other !== path)),
    },
    { kind: 'item', label: 'Close all', run: () => close(documents.tabs.get()) },
    { kind: 'separator' },
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
        onDragStart={(event) => event.dataTransfer.setData(dragType, path)}
        onDragOver={(event) => event.dataTransfer.types.includes(dragType) && event.preventDefault()}
        onDrop={(event) => {
          const dragged = event.dataTransfer.getData(dragType);
          if (dragged !== '') drop(dragged);
        }}
        onAuxClick={(event) => event.button === 1 && close([path])}
      >
        <button
          type="button"
          role="tab"
          aria-keyshortcuts="Delete"
          className="tab-name"
          aria-selected={active}
          aria-controls="editor-body"
          aria-label={`${name}${detail ? ` in ${detail}` : ''}${state}`}
          tabIndex={active ? 0 : -1}
          onClick={() => {
            documents.active.set(path);
            workbench.showPanel('editor');
          }}
          // Not on focus: a dialog that closes gives the focus back to the tab from which another file was just opened.
          onMouseDown={(event) => event.button === 0 && documents.active.set(path)}
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

// One side of the editor: tabs on top, below them what the active file is: text, a picture, bytes, or a reason.
'use client';

import { lazy, Suspense } from 'react';
import { useWorkbench } from '../ide/workbench-context';
import { PanelBoundary } from '../ui/failure';
import { useStore } from '../ui/store';
import { focusSide } from './editor-sides';
import { EditorTabs } from './editor-tabs';
import { nameOf } from './file-name';
import { isMarkdown } from './markdown-name';
import { NotText } from './not-text';
import { TextNotices } from './text-notices';
import { TextPane } from './text-pane';
import { useSideDrop } from './use-side-drop';
import { Welcome } from './welcome';

const MarkdownPage = lazy(() => import('./markdown-page').then((module) => ({ default: module.MarkdownPage })));

interface EditorSideProps {
  /** Which one, from the left. */
  at: number;
  shown: boolean;
  /** The sides whose tabs stand here. */
  tabsOf: readonly number[];
  /** Its part of the width. */
  grow: number;
}

/** The tab strip stays where it is while files come and go. */
export function EditorSide({ at, shown, tabsOf, grow }: EditorSideProps) {
  const { documents, pages } = useWorkbench();
  const { list, focused } = useStore(documents.sides);
  const files = useStore(documents.files);
  const shownAsPage = useStore(pages);
  const drop = useSideDrop(at);
  const side = list[at];
  if (!side) return null;
  const file = side.active === undefined ? undefined : files.get(side.active);
  const isText = file?.view.kind === 'text';
  const page =
    file?.view.kind === 'text' && isMarkdown(file.path) && shownAsPage.has(file.path) ? file.view : undefined;
  const work = () => documents.sides.set((now) => focusSide(now, at));
  return (
    <div
      className="editor"
      {...(list.length > 1 ? { role: 'group', 'aria-label': at === 0 ? 'Left side' : 'Right side' } : {})}
      data-side={at}
      data-focused={focused === at}
      style={{ flexGrow: grow, display: shown ? undefined : 'none' }}
      onFocusCapture={work}
      onPointerDownCapture={work}
    >
      <EditorTabs at={at} tabsOf={tabsOf} />
      {file && <TextNotices file={file} />}
      <div
        className="editor-body"
        id={`editor-body-${side.id}`}
        role="tabpanel"
        aria-label={file ? nameOf(file.path) : 'No file'}
        {...drop.handlers}
      >
        <PanelBoundary name="The editor">
          <TextPane path={isText && !page ? file.path : undefined} sideId={side.id} />
          {file && page && (
            <Suspense>
              <MarkdownPage key={file.path} path={file.path} view={page} />
            </Suspense>
          )}
        </PanelBoundary>
        {!file && <Welcome />}
        {file && !isText && <NotText file={file} />}
        {drop.zone && <div className="editor-drop" data-zone={drop.zone} />}
      </div>
    </div>
  );
}

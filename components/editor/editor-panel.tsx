// The editor: tabs on top, below them what the active file is: text, a picture, bytes, or a reason.
'use client';

import { lazy, Suspense } from 'react';
import { useWorkbench } from '../ide/workbench-context';
import { PanelBoundary } from '../ui/failure';
import { useStore } from '../ui/store';
import { EditorTabs } from './editor-tabs';
import { nameOf } from './file-name';
import { isMarkdown } from './markdown-name';
import { NotText } from './not-text';
import { TextNotices } from './text-notices';
import { TextPane } from './text-pane';
import { Welcome } from './welcome';
import './editor.css';

const MarkdownPage = lazy(() => import('./markdown-page').then((module) => ({ default: module.MarkdownPage })));

/** The tab strip stays where it is while files come and go. */
export function EditorPanel() {
  const { documents, pages } = useWorkbench();
  const active = useStore(documents.active);
  const files = useStore(documents.files);
  const file = active === undefined ? undefined : files.get(active);
  const isText = file?.view.kind === 'text';
  const shownAsPage = useStore(pages);
  const page =
    file?.view.kind === 'text' && isMarkdown(file.path) && shownAsPage.has(file.path) ? file.view : undefined;
  return (
    <div className="editor">
      <EditorTabs />
      {file && <TextNotices file={file} />}
      <div className="editor-body" id="editor-body" role="tabpanel" aria-label={file ? nameOf(file.path) : 'No file'}>
        <PanelBoundary name="The editor">
          <TextPane path={isText && !page ? file.path : undefined} />
          {file && page && (
            <Suspense>
              <MarkdownPage key={file.path} path={file.path} view={page} />
            </Suspense>
          )}
        </PanelBoundary>
        {!file && <Welcome />}
        {file && !isText && <NotText file={file} />}
      </div>
    </div>
  );
}

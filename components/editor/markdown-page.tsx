// A Markdown file as a page, beside its text: drawn by the same careful component as the agent's answers, from the buffer, so unsaved text counts.
'use client';

import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { parentPath, resolvePath } from '../../lib/std/paths';
import { claimFocus } from '../ide/focus-panel';
import { useWorkbench } from '../ide/workbench-context';
import { Markdown } from '../markdown/markdown';
import type { TextView } from './file-view';

/** Follows the text. Relative links open files of the project. */
export function MarkdownPage({ path, view }: { path: string; view: TextView }) {
  const { documents, sandbox } = useWorkbench();
  const [text, setText] = useState(() => view.buffer.getText());
  const shown = useDeferredValue(text);
  useEffect(() => {
    setText(view.buffer.getText());
    return view.buffer.onChange(() => setText(view.buffer.getText()));
  }, [view]);
  const openFile = useCallback(
    (link: string) => {
      const from = link.startsWith('/') ? sandbox.workdir : parentPath(path);
      void documents.open(resolvePath(from, link.replace(/^\/+/, '')));
    },
    [documents, path, sandbox],
  );
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (claimFocus('editor')) article.current?.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <article ref={article} className="markdown-page" data-panel-focus tabIndex={0} aria-label="Rendered Markdown">
      <Markdown text={shown} openFile={openFile} />
    </article>
  );
}

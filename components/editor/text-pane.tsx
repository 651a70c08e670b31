// The Monaco of one side: it changes its model, never itself. Where the cursor and the scroll were is kept per file.
'use client';

import type { editor } from 'monaco-editor';
import { useEffect, useRef, useState } from 'react';
import { settings } from '../ide/settings';
import type { Workbench } from '../ide/workbench';
import { useWorkbench } from '../ide/workbench-context';
import { focusedSide } from './editor-sides';

type MonacoModule = typeof import('./monaco');

/** Shows the text of `path`; hidden without one. Monaco is loaded when the first text is shown. */
export function TextPane({ path, sideId }: { path: string | undefined; sideId: number }) {
  const workbench = useWorkbench();
  const host = useRef<HTMLDivElement>(null);
  const pane = useRef<{ module: MonacoModule; view: editor.IStandaloneCodeEditor; stop: () => void }>(undefined);
  const views = useRef(new Map<string, editor.ICodeEditorViewState>());
  const [ready, setReady] = useState(false);
  const [error, setError] = useState<unknown>();
  const wanted = path !== undefined;
  const isFocused = useRef((): boolean => false);
  isFocused.current = () => focusedSide(workbench.documents.sides.get()).id === sideId;

  useEffect(() => {
    if (!wanted || pane.current) return;
    let gone = false;
    Promise.all([import('./monaco'), import('./across-files')]).then(
      ([module, { reachFiles }]) => {
        if (gone || !host.current || pane.current) return;
        const view = createEditor(module, host.current);
        const stops = [connect(view, workbench, () => isFocused.current()), reachFiles(workbench)];
        pane.current = { module, view, stop: () => stops.forEach((stop) => void stop()) };
        setReady(true);
        void import('./typescript-project').then(({ followSources }) => {
          if (pane.current?.view === view) stops.push(followSources(workbench.sandbox));
        });
      },
      (failure: unknown) => !gone && setError(failure),
    );
    return () => {
      gone = true;
    };
  }, [wanted, workbench]);

  useEffect(
    () => () => {
      pane.current?.stop();
      pane.current?.view.dispose();
      pane.current = undefined;
    },
    [],
  );

  useEffect(() => {
    if (!ready || !pane.current || path === undefined) return;
    const { module, view } = pane.current;
    const model = module.monaco.editor.getModel(module.uriOf(path));
    const opened = workbench.documents.files.get().get(path)?.view;
    view.setModel(model);
    view.updateOptions({ readOnly: opened?.kind === 'text' && opened.readOnly !== undefined });
    const before = views.current.get(path);
    if (before) view.restoreViewState(before);
    const stopReveal = followReveal(view, path, workbench, () => isFocused.current());
    if (isFocused.current()) focusUnlessBusy(view);
    return () => {
      stopReveal();
      const state = view.getModel() === model ? view.saveViewState() : null;
      if (state) views.current.set(path, state);
    };
  }, [ready, path, workbench]);

  if (error !== undefined) throw error instanceof Error ? error : new Error(String(error));
  return (
    <div
      ref={host}
      className="text-pane"
      style={{ display: wanted ? undefined : 'none' }}
      aria-busy={wanted && !ready}
    />
  );
}

function createEditor({ monaco }: MonacoModule, host: HTMLElement): editor.IStandaloneCodeEditor {
  const { fontSize, wordWrap } = settings.get();
  return monaco.editor.create(host, {
    model: null,
    automaticLayout: true,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
    fontLigatures: false,
    fontSize,
    lineHeight: 1.6,
    wordWrap: wordWrap ? 'on' : 'off',
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    smoothScrolling: false,
    renderLineHighlight: 'line',
    renderFinalNewline: 'on',
    lineNumbersMinChars: 4,
    glyphMargin: false,
    padding: { top: 8, bottom: 8 },
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
    fixedOverflowWidgets: true,
    tabSize: 2,
    bracketPairColorization: { enabled: false },
    stickyScroll: { enabled: false },
    // Tabs and files of the tree open here instead.
    dropIntoEditor: { enabled: false },
    accessibilityPageSize: 50,
    ariaLabel: 'Code',
  });
}

function connect(
  view: editor.IStandaloneCodeEditor,
  { documents, cursor }: Workbench,
  isFocused: () => boolean,
): () => void {
  const place = () => {
    if (!isFocused()) return;
    const [at, selection, model] = [view.getPosition(), view.getSelection(), view.getModel()];
    const selected = model && selection ? model.getValueLengthInRange(selection) : 0;
    cursor.set(at ? { line: at.lineNumber, column: at.column, selected } : undefined);
  };
  const subscriptions = [
    view.onDidChangeCursorSelection(place),
    view.onDidChangeModel(place),
    view.onDidBlurEditorText(() => {
      const path = view.getModel()?.uri.path;
      if (path !== undefined && settings.get().autosave) void documents.autosave(path);
    }),
  ];
  const stopSettings = settings.subscribe(() => {
    const { fontSize, wordWrap } = settings.get();
    view.updateOptions({ fontSize, wordWrap: wordWrap ? 'on' : 'off' });
  });
  const stopSides = documents.sides.subscribe(place);
  return () => {
    stopSettings();
    stopSides();
    for (const subscription of subscriptions) subscription.dispose();
  };
}

/** Goes where `documents.reveal` says, now and later, as long as it is about this file and the person works here. */
function followReveal(
  view: editor.IStandaloneCodeEditor,
  path: string,
  { documents }: Workbench,
  isFocused: () => boolean,
): () => void {
  const go = () => {
    const target = documents.reveal.get();
    if (target?.path !== path || !isFocused()) return;
    documents.reveal.set(undefined);
    const { line, column, length } = target;
    view.setSelection({ startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: column + length });
    view.revealLineInCenterIfOutsideViewport(line);
    // Not within the key press that brought us here, or the editor would get that key as well.
    requestAnimationFrame(() => view.focus());
  };
  go();
  return documents.reveal.subscribe(go);
}

/** The cursor is in the editor when nothing else has it; on touch screens the keyboard must not come up by itself. */
function focusUnlessBusy(view: editor.IStandaloneCodeEditor): void {
  const { activeElement } = document;
  const busy =
    activeElement !== null && activeElement !== document.body && !activeElement.closest('[data-panel="editor"]');
  if (!busy && matchMedia('(hover: hover)').matches) view.focus();
}

// Everything that belongs to one open project, made once when its sandbox is ready and ended together. Views get it from the context and hold
// no state of their own that should outlive them.

import { type Project, updateProject } from '../../lib/project/projects';
import { planRun } from '../../lib/project/run-command';
import { measureProject } from '../../lib/project/zip-export';
import type { Sandbox, StorageState } from '../../lib/sandbox/sandbox';
import { browserStorage } from '../../lib/std/browser-storage';
import { joinPath } from '../../lib/std/paths';
import { createDocuments, type Documents } from '../editor/documents';
import { createFileActions, type FileActions } from '../files/file-actions';
import { createFileTree, type FileTree } from '../files/file-tree';
import { createPreview, type Preview } from '../preview/preview-state';
import { createTerminals, type Terminals } from '../terminal/terminals';
import { createStore, type Store } from '../ui/store';
import { showError, showToast } from '../ui/toasts';
import { isNarrow } from '../ui/use-narrow';
import { afterFirstOutput } from './first-output';
import { focusPanel, panelElement } from './focus-panel';
import { type Layout, type PanelId, setPanelOpen } from './layout-model';
import { parseLayout } from './parse-layout';
import { rememberTabs } from './remember-tabs';
import { rememberTerminals } from './remember-terminals';
import { settings } from './settings';

/** For a project that has none when it is to be run. */
const starterPackage = `${JSON.stringify({ type: 'module', scripts: { start: 'node index.js' } }, null, 2)}\n`;

/** What the picker is asked for: everything, files only, commands only; null while it is closed. */
export type PickerMode = 'all' | 'files' | 'commands' | null;
/** The one thing that a phone shows. */
export type PhoneView = PanelId | 'editor';

export interface Cursor {
  line: number;
  column: number;
  selected: number;
}

export interface Workbench {
  sandbox: Sandbox;
  /** Whether what the files hold is safe in this browser. */
  storage: Store<StorageState>;
  project: Store<Project>;
  documents: Documents;
  tree: FileTree;
  files: FileActions;
  terminals: Terminals;
  preview: Preview;
  layout: Store<Layout>;
  phoneView: Store<PhoneView>;
  picker: Store<PickerMode>;
  sheet: Store<'settings' | 'keys' | 'config' | 'own' | 'share' | null>;
  cursor: Store<Cursor | undefined>;
  /** The Markdown files that are shown as pages. */
  pages: Store<ReadonlySet<string>>;
  /** Opens the panel and puts the focus into it. */
  showPanel(panel: PanelId | 'editor'): void;
  /** Closes an open panel, opens and focuses a closed one. */
  togglePanel(panel: PanelId): void;
  /** Resolves when everything that was typed and written is kept in the browser; rejects when it can't be. */
  keep(): Promise<void>;
  /** Runs what package.json says; stops it when it runs. */
  runOrStop(): Promise<void>;
  dispose(): Promise<void>;
}

interface WorkbenchOptions {
  sandbox: Sandbox;
  project: Project;
  isIdeKey: (event: KeyboardEvent) => boolean;
}

/** A workbench over a ready sandbox; `dispose` also ends the sandbox. */
export function createWorkbench({ sandbox, project, isIdeKey }: WorkbenchOptions): Workbench {
  const layoutKey = `cloche:layout:${project.id}`;
  const layout = createStore(
    parseLayout(browserStorage.getItem(layoutKey), { width: innerWidth, height: innerHeight }),
  );
  const stopLayout = layout.subscribe(() => browserStorage.setItem(layoutKey, JSON.stringify(layout.get())));
  const phoneView = createStore<PhoneView>('editor');
  const projectStore = createStore(project);

  const documents = createDocuments({
    fs: sandbox.fs,
    root: sandbox.workdir,
    loadBuffers: async () => {
      await afterFirstOutput();
      return (await import('../editor/monaco')).createMonacoBuffer;
    },
    autosave: () => settings.get().autosave,
  });
  const tree = createFileTree(sandbox.fs, sandbox.workdir);
  let showNextPort = false;
  const preview = createPreview(sandbox, (port) => {
    if (!showNextPort) return;
    showNextPort = false;
    preview.show(port);
    // On a phone the page would push away what the person has gone to meanwhile.
    if (!isNarrow() || phoneView.get() === 'terminal') open('preview');
    else layout.set((now) => setPanelOpen(now, 'preview', true));
  });
  const terminals = createTerminals({
    sandbox,
    look: () => settings.get(),
    isIdeKey,
    openPort: (port, path) => {
      preview.show(port, path);
      open('preview');
    },
    openFile(path, at) {
      phoneView.set('editor');
      documents.open(path, at).then(
        () => workbench.showPanel('editor'),
        (error: unknown) => showError(`Could not open ${path}`, error),
      );
    },
  });
  const stopLook = settings.subscribe(() => {
    for (const { xterm } of terminals.list.get()) {
      xterm.options.fontSize = settings.get().fontSize;
      xterm.options.screenReaderMode = settings.get().screenReader;
    }
  });
  const storage = createStore<StorageState>(
    sandbox.storage?.state() ?? { kind: 'unkept', message: 'This computer keeps nothing.' },
  );
  const stopStorage = sandbox.storage?.subscribe(() => storage.set(sandbox.storage!.state())) ?? (() => {});
  const stopTabs = rememberTabs(project.id, documents);
  const stopTerminals = rememberTerminals(project.id, terminals);

  function open(panel: PanelId | 'editor'): void {
    phoneView.set(panel);
    if (panel !== 'editor') layout.set((now) => setPanelOpen(now, panel, true));
  }

  const measure = async () => {
    const sizeBytes = await measureProject(sandbox.fs, sandbox.workdir).catch(() => undefined);
    if (sizeBytes !== undefined) projectStore.set(await updateProject(project.id, { sizeBytes }));
  };
  const measuring = setTimeout(() => void measure().catch(() => {}), 3000);
  const onHide = () => {
    // What fails is said by the notice about the storage.
    if (document.visibilityState === 'hidden') void workbench.keep().catch(() => {});
  };
  document.addEventListener('visibilitychange', onHide);
  const onUnload = (event: BeforeUnloadEvent) => {
    if (documents.hasUnsaved()) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);

  const workbench: Workbench = {
    sandbox,
    storage,
    project: projectStore,
    documents,
    tree,
    files: createFileActions(sandbox, tree, documents),
    terminals,
    preview,
    layout,
    phoneView,
    picker: createStore<PickerMode>(null),
    sheet: createStore<'settings' | 'keys' | 'config' | 'own' | 'share' | null>(null),
    cursor: createStore<Cursor | undefined>(undefined),
    pages: createStore<ReadonlySet<string>>(new Set()),
    showPanel(panel) {
      open(panel);
      requestAnimationFrame(() => focusPanel(panel));
    },
    togglePanel(panel) {
      if (!layout.get().open[panel]) return workbench.showPanel(panel);
      const holdsFocus = panelElement(panel)?.contains(document.activeElement);
      layout.set((now) => setPanelOpen(now, panel, false));
      if (holdsFocus) requestAnimationFrame(() => focusPanel('editor'));
    },
    async keep() {
      await documents.saveAll();
      await sandbox.storage?.flush();
    },
    async runOrStop() {
      const running = terminals.running.get();
      if (running) return running.kill('SIGINT');
      await documents.saveAll();
      const { fs, workdir } = sandbox;
      const packageJson = await fs.readText(joinPath(workdir, 'package.json')).catch(() => undefined);
      const plan = planRun({
        packageJson,
        hasNodeModules: await fs.exists(joinPath(workdir, 'node_modules')),
        files: (await fs.list(workdir)).map((entry) => entry.name),
      });
      if (plan.kind === 'nothing') {
        const path = joinPath(workdir, 'package.json');
        const create = async () => {
          await fs.write(path, starterPackage);
          await documents.open(path);
        };
        showToast(`Nothing to run. ${plan.reason}`, {
          action:
            packageJson === undefined
              ? { label: 'Make one', run: () => void create().catch((error) => showError('Could not make it', error)) }
              : { label: 'Open package.json', run: () => void documents.open(path) },
        });
        return;
      }
      showNextPort = true;
      terminals.run(plan.title, plan.command);
      open('terminal');
    },
    async dispose() {
      clearTimeout(measuring);
      document.removeEventListener('visibilitychange', onHide);
      window.removeEventListener('beforeunload', onUnload);
      await workbench.keep().catch(() => {});
      for (const stop of [stopLayout, stopLook, stopTabs, stopTerminals, stopStorage]) stop();
      for (const part of [documents, tree, terminals, preview]) part.dispose();
      await sandbox.dispose();
    },
  };
  return workbench;
}

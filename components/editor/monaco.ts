// Monaco, set up once. This module is 1.2 MB packed: it is only ever imported dynamically.
import * as monaco from 'monaco-editor';
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js';
import { ambientTypes } from './ambient-types';
import type { BufferFactory } from './file-view';
import { followTheme } from './monaco-theme';
import { editsInMonaco } from './requested-edits';

StandaloneServices.initialize(editsInMonaco);

self.MonacoEnvironment = {
  getWorker(_id: string, label: string) {
    // `new Worker(new URL())` must stay inline: the bundler looks for exactly this form.
    switch (label) {
      case 'typescript':
      case 'javascript':
        return new Worker(new URL('./workers/ts.worker.ts', import.meta.url), { type: 'module' });
      case 'json':
        return new Worker(new URL('./workers/json.worker.ts', import.meta.url), { type: 'module' });
      case 'css':
      case 'scss':
      case 'less':
        return new Worker(new URL('./workers/css.worker.ts', import.meta.url), { type: 'module' });
      case 'html':
      case 'handlebars':
      case 'razor':
        return new Worker(new URL('./workers/html.worker.ts', import.meta.url), { type: 'module' });
      default:
        return new Worker(new URL('./workers/editor.worker.ts', import.meta.url), { type: 'module' });
    }
  },
};

const { typescript } = monaco;

/** Said only because the types of packages are not known here; Node itself will say it when it is true. */
const unknowable = [
  7016, // a JavaScript module without types
  2580,
  2582,
  2591,
  2592,
  2593, // needs @types of Node, of a test runner
  1259,
  1192, // default imports of CommonJS
  80001, // "may be converted to an ES module"
];
/** A module can't be found: true of a relative path once all sources are known, never of a package (see ambient-types.ts). */
const notFound = [2307, 2792];

for (const defaults of [typescript.typescriptDefaults, typescript.javascriptDefaults]) {
  defaults.setCompilerOptions({
    target: typescript.ScriptTarget.ESNext,
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.NodeJs,
    allowImportingTsExtensions: true,
    allowJs: true,
    checkJs: false,
    noEmit: true,
    strict: true,
    jsx: typescript.JsxEmit.ReactJSX,
    resolveJsonModule: true,
    esModuleInterop: true,
    skipLibCheck: true,
  });
  defaults.setEagerModelSync(true);
  defaults.addExtraLib(ambientTypes, 'file:///cloche/ambient.d.ts');
}
let isJudging: boolean | undefined;
judgeImports(false);

/** Errors that only say what is not known here. */
export function isUnknowable(code: number): boolean {
  return unknowable.includes(code) || (!isJudging && notFound.includes(code));
}

/** Whether an import that leads nowhere is an error. Not before the sources of the project are known. A change starts the language service anew. */
export function judgeImports(judged: boolean): void {
  if (judged === isJudging) return;
  isJudging = judged;
  const diagnosticCodesToIgnore = judged ? unknowable : [...unknowable, ...notFound];
  for (const defaults of [typescript.typescriptDefaults, typescript.javascriptDefaults])
    defaults.setDiagnosticsOptions({ diagnosticCodesToIgnore, onlyVisible: true });
}

followTheme(monaco);

/** The address of a sandbox path in Monaco. */
export function uriOf(path: string): monaco.Uri {
  return monaco.Uri.file(path);
}

const buffers = new WeakSet<monaco.editor.ITextModel>();

/** Whether the model is that of an open file; others are made by the language service, of what it knows. */
export function isBuffer(model: monaco.editor.ITextModel): boolean {
  return buffers.has(model);
}

/** Buffers on Monaco's models; the language follows from the name. */
export const createMonacoBuffer: BufferFactory = (path, text) => {
  const uri = uriOf(path);
  monaco.editor.getModel(uri)?.dispose();
  const model = monaco.editor.createModel(text, undefined, uri);
  buffers.add(model);
  model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
  return {
    getText: () => model.getValue(),
    edit(edits) {
      const operations = edits.map((edit) => ({
        range: monaco.Range.fromPositions(model.getPositionAt(edit.start), model.getPositionAt(edit.end)),
        text: edit.text,
        forceMoveMarkers: true,
      }));
      model.pushStackElement();
      model.pushEditOperations(null, operations, () => null);
      model.pushStackElement();
    },
    onChange(listener) {
      const subscription = model.onDidChangeContent(listener);
      return () => subscription.dispose();
    },
    dispose: () => model.dispose(),
  };
};

export { monaco };

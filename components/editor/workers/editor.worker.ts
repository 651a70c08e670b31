// Monaco's own worker: diffs, links, word completion. One file per worker, because the bundler looks for one literal each.
import 'monaco-editor/editor/editor.worker.js';

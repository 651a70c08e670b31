// Monaco's language service for typescript.
import 'monaco-editor/language/typescript/ts.worker.js';

// Monaco's language service for html.
import 'monaco-editor/language/html/html.worker.js';

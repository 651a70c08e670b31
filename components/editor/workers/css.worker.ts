// Monaco's language service for css.
import 'monaco-editor/language/css/css.worker.js';

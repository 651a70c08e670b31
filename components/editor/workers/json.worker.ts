// Monaco's language service for json.
import 'monaco-editor/language/json/json.worker.js';

// Monaco's language service for TypeScript and JavaScript, with what the agent's lsp tool asks beyond Monaco's own functions.
import { initialize, TypeScriptWorker } from 'monaco-editor/language/typescript/ts.worker.js';

class CodeWorker extends TypeScriptWorker {
  async combinedFix(fileName: string, fixId: object, format: object): Promise<readonly object[]> {
    return this.getLanguageService().getCombinedCodeFix({ type: 'file', fileName }, fixId, format, {}).changes;
  }
  async organizedImports(fileName: string, format: object): Promise<readonly object[]> {
    return this.getLanguageService().organizeImports({ type: 'file', fileName }, format, {});
  }
}

// The module that is imported has set its own: ours takes its place before the first message can come.
self.onmessage = () => initialize((context, data) => new CodeWorker(context, data));

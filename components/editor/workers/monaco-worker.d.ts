// What is used of Monaco's worker, which comes without types.
declare module 'monaco-editor/language/typescript/ts.worker.js' {
  type File = { type: 'file'; fileName: string };
  export class TypeScriptWorker {
    constructor(context: unknown, data: unknown);
    /** TypeScript's own. */
    getLanguageService(): {
      getCombinedCodeFix(
        file: File,
        fixId: object,
        format: object,
        preferences: object,
      ): { changes: readonly object[] };
      organizeImports(file: File, format: object, preferences: object): readonly object[];
    };
  }
  /** Begins to answer with what the function makes. */
  export function initialize(create: (context: unknown, data: unknown) => object): void;
}

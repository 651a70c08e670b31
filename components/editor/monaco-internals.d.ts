// Monaco ships no types for what is beside its public interface.
declare module 'monaco-editor/editor/standalone/browser/standaloneServices.js' {
  /** Services that stand in for Monaco's own, by their names; only the first call counts, and every use of Monaco is one. */
  export const StandaloneServices: { initialize(overrides: Record<string, unknown>): unknown };
}

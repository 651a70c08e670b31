// What the rewriting of a program (rewrite.ts) is told and what it tells.
import type { Edit } from './edits';
import type { Binding } from './module-shape';

/** The edits, and what the text needs of its surroundings. */
export interface RewriteResult {
  edits: Edit[];
  hasTopLevelAwait: boolean;
  usesMeta: boolean;
  usesImport: boolean;
  usesFrames: boolean;
}

/** What kind of program it is. */
export interface RewriteOptions {
  /** Empty for CommonJS. */
  imports?: Map<string, Binding>;
  /** The text asks at each turn and call whether it is to stop. */
  breakable?: boolean;
  /** The text is a dependency's or the engine's, not the program's own (claimed-calls.ts). */
  isDependency?: boolean;
}

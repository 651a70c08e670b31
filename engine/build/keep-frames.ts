// Lib's own async functions keep the async context across their awaits, and its promises are noted, as the guest's (decision 4): rewritten here, once.
import { applyEdits } from '../modules/edits';
import { parseScript } from '../modules/parse';
import { rewrite } from '../modules/rewrite';

/** A builtin's source with its awaits rewritten, and what was inserted: pairs of the offset in the new text and the length. */
export function keepFrames(id: string, source: string): { text: string; insertions: number[] } {
  // V8's tools are ES modules, which nothing but --prof-process loads.
  if (!/\basync\b|\bnew\s+Promise\b/.test(source) || id.startsWith('internal/deps/v8/tools/'))
    return { text: source, insertions: [] };
  const program = parseScript(source);
  if (!program) throw new Error(`${id} does not parse`);
  // Imports stay: lib says itself how it imports.
  const wanted = rewrite(program, source, { isDependency: true }).edits.filter((edit) => edit.start === edit.end);
  const { text, edits } = applyEdits(source, wanted);
  const insertions: number[] = [];
  let grown = 0;
  for (const { start, text: inserted } of edits) {
    insertions.push(start + grown, inserted.length);
    grown += inserted.length;
  }
  return { text, insertions };
}

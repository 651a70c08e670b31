// Taking one hunk of a change back out of a text that may have changed since: only where the hunk's lines are still there as the change left
// them, and never by guessing.
import { applyPatch, reversePatch, type StructuredPatchHunk } from 'diff';
import { toLf } from '../std/line-endings';

/** The text without the hunk's change, with the file's own line endings; undefined when the file no longer holds what the hunk made. */
export function withoutHunk(text: string, hunk: StructuredPatchHunk): string | undefined {
  const windows = text.includes('\r\n');
  // Mixed endings could not be written back as they were.
  if (windows && /(^|[^\r])\n/.test(text)) return undefined;
  const patch = {
    oldFileName: 'a',
    newFileName: 'a',
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [hunk],
  };
  const result = applyPatch(toLf(text), reversePatch(patch), { fuzzFactor: 0, autoConvertLineEndings: false });
  if (result === false) return undefined;
  return windows ? result.replaceAll('\n', '\r\n') : result;
}

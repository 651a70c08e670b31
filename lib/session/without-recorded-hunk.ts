// One hunk of a recorded write taken out of what the file is now. Its lines alone would not tell where it is: the same lines may stand elsewhere, written
// by somebody else. So it is taken out of the text that the tool left, and what was changed since is merged onto that.
import type { StructuredPatchHunk } from 'diff';
import { lineHunks } from '../std/line-diff';
import { toLf } from '../std/line-endings';
import { mergeText } from '../std/merge';
import { decodeText, encodeText } from '../std/text-file';
import { withoutHunk } from '../tools/without-hunk';
import type { RecordedWrite } from './recording-sandbox';

/** Undefined when no write made that hunk, when it is out already, and when its lines were changed since. `writes`: of this file, in their order. */
export function withoutRecordedHunk(
  now: Uint8Array,
  writes: readonly RecordedWrite[],
  hunk: StructuredPatchHunk,
): Uint8Array | undefined {
  const mine = decodeText(now);
  if (mine.kind !== 'text') return undefined;
  for (const { before, after } of writes.toReversed()) {
    if (before === null || after === null) continue;
    const [old, made] = [decodeText(before), decodeText(after)];
    if (old.kind !== 'text' || made.kind !== 'text') continue;
    if (!lineHunks(toLf(old.text), toLf(made.text)).some((one) => isSameHunk(one, hunk))) continue;
    const without = withoutHunk(made.text, hunk);
    const merged = without === undefined ? undefined : mergeText(made.text, mine.text, without);
    if (merged?.kind === 'merged' && merged.text !== mine.text) return encodeText(merged.text, mine);
  }
  return undefined;
}

function isSameHunk(a: StructuredPatchHunk, b: StructuredPatchHunk): boolean {
  return a.oldStart === b.oldStart && a.newStart === b.newStart && a.lines.join('\n') === b.lines.join('\n');
}

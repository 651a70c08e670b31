// A change of files of which the person took only a part: what they left out is taken out of the plan, and the model is told what and why.
import type { Review } from '../permission/asks';
import { lineHunks } from '../std/line-diff';
import { toLf } from '../std/line-endings';
import type { DecodedText } from '../std/text-file';
import type { FileDiff } from './file-diff';
import type { Located } from './locate';
import { ToolError } from './tool';
import { withoutHunk } from './without-hunk';

/** What is to become of one path. `before` is undefined when nothing is there; `binary` can only be removed or moved as it is. */
export type FileChange = { place: Located; before: DecodedText | 'binary' | undefined } & (
  | { kind: 'write'; text: string }
  | { kind: 'remove' }
  /** `place` is the new path. `text` differs from the old file's where it is changed on the way. */
  | { kind: 'move'; from: Located; text: string | undefined }
);

/**
 * What is left of the changes, and what to tell the model. `shown`: the diffs that the person judged; `now`: those of `changes`. Throws a
 * ToolError when the two differ (the review was of something else) or when nothing is left.
 */
export function reviewed(
  changes: readonly FileChange[],
  { shown, now }: { shown: readonly FileDiff[]; now: readonly FileDiff[] },
  review: Review,
): { changes: FileChange[]; remark: string } {
  const said = review.message?.trim() ? ` They say: ${review.message.trim()}` : '';
  if (shown.some((diff, at) => diff.diff !== now[at]?.diff))
    throw new ToolError('The files changed while the person looked at the diff, so nothing was written. Try again.');
  const notes: string[] = [];
  const left = changes.flatMap((change, at) => {
    const refused = review.refused.find((one) => one.path === now[at]!.path)?.hunks ?? [];
    if (refused.length === 0) return [change];
    const kept = withoutHunks(change, refused);
    notes.push(`${now[at]!.path} (${kept.places.join(', ')})`);
    return kept.change === undefined ? [] : [kept.change];
  });
  if (left.length === 0) throw new ToolError(`The person left out all of it, so nothing was written.${said}`);
  return { changes: left, remark: `The person left out a part: ${notes.join('; ')}.${said}` };
}

function withoutHunks(
  change: FileChange,
  refused: readonly number[],
): { change: FileChange | undefined; places: string[] } {
  // A file that appears, goes or moves does so whole.
  if (change.kind !== 'write' || typeof change.before !== 'object') return { change: undefined, places: [change.kind] };
  const hunks = lineHunks(toLf(change.before.text), toLf(change.text));
  let text = change.text;
  const places: string[] = [];
  for (const index of [...refused].sort((a, b) => b - a)) {
    const hunk = hunks[index];
    const without = hunk && withoutHunk(text, hunk);
    if (hunk === undefined || without === undefined)
      throw new ToolError(
        `A part of the change of ${change.place.shown} can't be left out alone, so nothing was written.`,
      );
    text = without;
    places.unshift(`line ${hunk.newStart}`);
  }
  return { change: text === change.before.text ? undefined : { ...change, text }, places };
}

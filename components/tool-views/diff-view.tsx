// A diff in one column: line numbers, a sign for each changed line (never colour alone), the changed words marked, the code in
// the editor's colours once the editor is there.
'use client';

import { Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { FileDiff } from '../../lib/tools/file-diff';
import type { CodePiece } from '../markdown/code-colours';
import { IconButton } from '../ui/tip';
import { type DiffHunk, type DiffLine, diffHunks } from './diff-lines';
import { DiffText } from './diff-text';
import { useDiffColours } from './use-diff-colours';

/** Hunks of a proposed change that may be left out, by their place in the diff. */
export interface HunkReview {
  isTaken(index: number): boolean;
  take(index: number, isTaken: boolean): void;
}

interface DiffViewProps {
  diff: FileDiff;
  /** Takes one hunk back out of the file; absent while the change is only proposed. */
  undoHunk?: (hunk: DiffHunk) => void;
  /** Only while it is proposed. */
  review?: HunkReview;
  /** The change has other files too, so this one is named. */
  isOneOfSeveral?: boolean;
}

const signs: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−', note: ' ' };
const spoken: Record<DiffLine['kind'], string> = { same: '', added: 'added: ', removed: 'removed: ', note: '' };
const shownLines = 40;

/** At most forty lines until the person asks for the rest. */
export function DiffView({ diff, undoHunk, review, isOneOfSeveral = false }: DiffViewProps) {
  const { hunks, cut } = useMemo(() => diffHunks(diff.diff), [diff.diff]);
  const colours = useDiffColours(diff.path, hunks);
  const [all, setAll] = useState(false);
  const total = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  let room = all ? Number.POSITIVE_INFINITY : total <= shownLines + 8 ? total : shownLines;
  const shown = hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, room));
    room -= lines.length;
    return lines.length > 0 ? [{ hunk, lines }] : [];
  });
  const left = total - shown.reduce((sum, { lines }) => sum + lines.length, 0);
  return (
    <div className="diff">
      {isOneOfSeveral && <DiffName diff={diff} />}
      <div className="diff-scroll">
        <table className="diff-table" aria-label={`Changes in ${diff.path}`}>
          {shown.map(({ hunk, lines }, at) => (
            <tbody
              key={`${hunk.source.oldStart}:${hunk.source.newStart}`}
              data-left-out={review && !review.isTaken(at) ? true : undefined}
            >
              {(at > 0 || undoHunk !== undefined || review !== undefined) && (
                <tr className="diff-gap">
                  <td colSpan={4}>
                    <div>
                      {review ? (
                        <label className="diff-take">
                          <input
                            type="checkbox"
                            checked={review.isTaken(at)}
                            onChange={(event) => review.take(at, event.currentTarget.checked)}
                          />
                          {`Line ${hunk.source.newStart}`}
                        </label>
                      ) : (
                        <span>{`Line ${hunk.source.newStart}`}</span>
                      )}
                      {undoHunk && (
                        <IconButton label="Take this change back" small onClick={() => undoHunk(hunk)}>
                          <Undo2 size={14} />
                        </IconButton>
                      )}
                    </div>
                  </td>
                </tr>
              )}
              {lines.map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a hunk never move.
                <Line key={index} line={line} pieces={colours.get(line)} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
      {left > 0 && (
        <button type="button" className="more-lines" onClick={() => setAll(true)}>
          {`Show ${left} more ${left === 1 ? 'line' : 'lines'}`}
        </button>
      )}
      {cut && <p className="diff-note">The diff is too long to be shown whole.</p>}
    </div>
  );
}

function Line({ line, pieces }: { line: DiffLine; pieces: CodePiece[] | undefined }) {
  return (
    <tr data-kind={line.kind}>
      <td className="diff-number">{line.old}</td>
      <td className="diff-number">{line.now}</td>
      <td className="diff-sign" aria-hidden="true">
        {signs[line.kind]}
      </td>
      <td className="diff-text">
        {spoken[line.kind] && <span className="visually-hidden">{spoken[line.kind]}</span>}
        <code>
          <DiffText line={line} pieces={pieces} />
        </code>
      </td>
    </tr>
  );
}

/** The diffs in the `meta` of an ask or of a finished change of files; none when it is something else. */
export function fileDiffsOf(meta: Record<string, unknown> | undefined): FileDiff[] {
  if (Array.isArray(meta?.files)) return meta.files.flatMap((file) => fileDiffsOf(file as Record<string, unknown>));
  if (typeof meta?.diff !== 'string' || typeof meta.path !== 'string') return [];
  return [meta as unknown as FileDiff];
}

const changeWords: Record<FileDiff['change'], string> = {
  created: 'new',
  changed: '',
  deleted: 'deleted',
  moved: 'moved',
};

/** Which file, when the change has several. */
function DiffName({ diff }: { diff: FileDiff }) {
  const name = diff.from === undefined ? diff.path : `${diff.from} → ${diff.path}`;
  const word = changeWords[diff.change];
  return (
    <p className="diff-note">
      <code>{name}</code> {word && `(${word}) `}
      {`+${diff.additions} −${diff.deletions}`}
    </p>
  );
}

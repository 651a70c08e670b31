// Which hunks of a proposed change the person leaves out, as they are ticked off.
'use client';

import { useMemo, useState } from 'react';
import type { Review } from '../../lib/session/types';
import type { FileDiff } from '../../lib/tools/file-diff';
import { diffHunks } from '../tool-views/diff-lines';
import type { HunkReview } from '../tool-views/diff-view';

export interface ReviewState {
  /** For the view of one file. */
  of(path: string): HunkReview;
  /** Hunks in all, and how many of them stay in. */
  total: number;
  taken: number;
  /** Undefined while everything is taken. */
  review: Review | undefined;
}

/** Everything is taken at first. *Contract:* `diffs` is the same array while the question is the same. */
export function useReview(diffs: readonly FileDiff[]): ReviewState {
  const [refused, setRefused] = useState<ReadonlyMap<string, ReadonlySet<number>>>(new Map());
  const total = useMemo(() => diffs.reduce((sum, diff) => sum + diffHunks(diff.diff).hunks.length, 0), [diffs]);
  const left = [...refused].filter(([, hunks]) => hunks.size > 0);
  const count = left.reduce((sum, [, hunks]) => sum + hunks.size, 0);
  return {
    of: (path) => ({
      isTaken: (index) => !refused.get(path)?.has(index),
      take: (index, isTaken) => {
        const hunks = new Set(refused.get(path));
        if (isTaken) hunks.delete(index);
        else hunks.add(index);
        setRefused(new Map(refused).set(path, hunks));
      },
    }),
    total,
    taken: total - count,
    review: count === 0 ? undefined : { refused: left.map(([path, hunks]) => ({ path, hunks: [...hunks] })) },
  };
}

// Blocks of a long turn, or short turns that follow each other. Far from the end where a transcript is opened, they come into the page in the frames
// after the first; while none of them is drawn, the browser passes over all of them at once.
'use client';

import { type ReactNode, startTransition, use, useLayoutEffect, useRef, useState } from 'react';
import { NearBlocksContext } from './block';

interface ChapterProps {
  /** `stretch`: whole turns; `chapter`: blocks of one. */
  kind: 'stretch' | 'chapter';
  /** What is in it is in the page from its first moment. */
  startsFilled: boolean;
  /** Filled whatever else: something in it waits for the person. */
  isPinned?: boolean;
  /** Its height before anything in it was seen. Asked for once. */
  guessPx: () => number;
  fill: () => ReactNode;
}

/** *Contract:* inside of a `NearBlocksContext`. */
export function Chapter({ kind, startsFilled, isPinned = false, guessPx, fill }: ChapterProps) {
  const near = use(NearBlocksContext)!;
  const element = useRef<HTMLDivElement>(null);
  const [isReached, setReached] = useState(startsFilled);
  const isFilled = isReached || isPinned;
  const filled = useRef(isFilled);
  const [height] = useState(() => `${guessPx()}px`);

  useLayoutEffect(
    () =>
      near.watchChapter({
        element: element.current!,
        isFilled: () => filled.current,
        fill: () => startTransition(() => setReached(true)),
      }),
    [near],
  );
  useLayoutEffect(() => {
    filled.current = isFilled;
    near.lookSoon();
  }, [near, isFilled]);

  return (
    <div
      className={kind}
      ref={element}
      style={{ height: isFilled ? undefined : height, containIntrinsicBlockSize: `auto ${height}` }}
    >
      {isFilled && fill()}
    </div>
  );
}

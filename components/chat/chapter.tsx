// Some blocks of a long turn. Far from the end where a transcript is opened, they come into the page in the frames after the first; while none
// of them is drawn, the browser passes over all of them at once.
'use client';

import { type ReactNode, startTransition, use, useLayoutEffect, useRef, useState } from 'react';
import { NearBlocksContext } from './block';
import { blockHeight, guessedWidthPx, type PartBlock } from './turn-blocks';

interface ChapterProps {
  blocks: readonly PartBlock[];
  /** Its blocks are in the page from its first moment. */
  startsFilled: boolean;
  /** Filled whatever else: something in it waits for the person. */
  isPinned: boolean;
  fill: () => ReactNode;
}

/** *Contract:* inside of a `NearBlocksContext`. */
export function Chapter({ blocks, startsFilled, isPinned, fill }: ChapterProps) {
  const near = use(NearBlocksContext)!;
  const element = useRef<HTMLDivElement>(null);
  const [isReached, setReached] = useState(startsFilled);
  const isFilled = isReached || isPinned;
  const filled = useRef(isFilled);
  // As if all were as high as the first: a thousand guesses would be a long task.
  const [height] = useState(() => `${blocks.length * blockHeight(blocks[0]!, guessedWidthPx)}px`);

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
      className="chapter"
      ref={element}
      style={{ height: isFilled ? undefined : height, containIntrinsicBlockSize: `auto ${height}` }}
    >
      {isFilled && fill()}
    </div>
  );
}

// A few parts of a turn: drawn near the screen, plain text of the same height far from it.
'use client';

import { createContext, type ReactNode, startTransition, use, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MessagePart } from '../../lib/session/messages';
import type { NearBlocks } from './near-blocks';
import { blockHeight, blockText, guessedWidthPx } from './turn-blocks';

/** Given by the transcript. */
export const NearBlocksContext = createContext<NearBlocks | null>(null);

interface BlockProps {
  parts: readonly MessagePart[];
  /** Drawn from its first moment: it is at the end, where a transcript is opened. */
  startsDrawn: boolean;
  /** Drawn wherever it is: something in it waits for the person. */
  isPinned?: boolean;
  draw: () => ReactNode;
}

/** *Contract:* inside of a `NearBlocksContext`. */
export function Block({ parts, startsDrawn, isPinned = false, draw }: BlockProps) {
  const near = use(NearBlocksContext)!;
  const element = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ isNear: boolean; heightPx?: number }>({ isNear: startsDrawn });
  const { isNear, heightPx } = shown;
  const isDrawn = isNear || isPinned;
  const drawn = useRef(isDrawn);
  const partCount = useRef(parts.length);
  partCount.current = parts.length;

  useLayoutEffect(
    () =>
      near.watch({
        element: element.current!,
        parts: () => partCount.current,
        isDrawn: () => drawn.current,
        show(next, height) {
          // Drawn it is when that has come into the page.
          if (!next) drawn.current = false;
          startTransition(() => setShown({ isNear: next, heightPx: height }));
        },
      }),
    [near],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` is new whenever it was asked for, though it may be what it was.
  useLayoutEffect(() => {
    drawn.current = isDrawn;
    near.lookSoon();
  }, [near, isDrawn, shown]);

  const height = isDrawn ? undefined : `${heightPx ?? blockHeight(parts, guessedWidthPx)}px`;
  return (
    <div className="block" ref={element} data-drawn={isDrawn} style={{ height }}>
      {isDrawn ? draw() : <StandIn parts={parts} />}
    </div>
  );
}

function StandIn({ parts }: { parts: readonly MessagePart[] }) {
  const text = useMemo(() => blockText(parts), [parts]);
  return <p>{text}</p>;
}

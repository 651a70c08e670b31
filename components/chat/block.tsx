// A few parts of a turn: drawn near the screen, plain text of the same height far from it.
'use client';

import { createContext, type ReactNode, startTransition, use, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MessagePart } from '../../lib/session/types';
import type { NearBlocks } from './near-blocks';
import { blockHeight, blockText } from './turn-blocks';

/** Given by the transcript. */
export const NearBlocksContext = createContext<NearBlocks | null>(null);

/** Of the panel, before anything was drawn. */
const guessedWidthPx = 400;

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
  const [{ isNear, heightPx }, setShown] = useState<{ isNear: boolean; heightPx?: number }>({ isNear: startsDrawn });
  const isDrawn = isNear || isPinned;
  const drawn = useRef(isDrawn);

  useLayoutEffect(
    () =>
      near.watch({
        element: element.current!,
        isDrawn: () => drawn.current,
        show(next, height) {
          drawn.current = next;
          startTransition(() => setShown({ isNear: next, heightPx: height }));
        },
      }),
    [near],
  );
  useLayoutEffect(() => {
    drawn.current = isDrawn;
    near.lookSoon();
  }, [near, isDrawn]);

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

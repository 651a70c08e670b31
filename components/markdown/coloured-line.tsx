// One line of code in the editor's colours. The last lines of a block that still grows are drawn again, the others are not.
import { memo } from 'react';
import type { CodePiece } from './code-colours';

interface ColouredLineProps {
  pieces: readonly CodePiece[];
  /** What separates it from the line above. */
  before: string;
}

/** Text only. */
export const ColouredLine = memo(
  function ColouredLine({ pieces, before }: ColouredLineProps) {
    return (
      <>
        {before}
        {pieces.map(({ text, kind }, at) =>
          kind === undefined ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move.
            <span key={at} className={`code-${kind}`}>
              {text}
            </span>
          ),
        )}
      </>
    );
  },
  (one, other) =>
    one.before === other.before &&
    one.pieces.length === other.pieces.length &&
    one.pieces.every(({ text, kind }, at) => text === other.pieces[at]!.text && kind === other.pieces[at]!.kind),
);

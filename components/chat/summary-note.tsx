// Where the conversation was summarised for the model: a thin line that opens to what the model now knows of everything above it.
'use client';

import type { SummaryPart } from '../../lib/session/messages';
import { Markdown } from '../markdown/markdown';
import { showTokens } from './usage-line';

/** Closed at first: people have the conversation itself. */
export function SummaryNote({ part }: { part: SummaryPart }) {
  return (
    <details className="summary-note">
      <summary>
        {`Summarised for the model: ${showTokens(part.tokensBefore)} tokens became ${showTokens(part.tokensAfter)}`}
      </summary>
      <Markdown text={part.text} />
    </details>
  );
}

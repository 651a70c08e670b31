// The files that fit an `@`, above the composer. The focus stays in the text.
'use client';

import { FileText } from 'lucide-react';
import { Highlighted } from '../search/highlighted';
import type { Mention } from './use-mention';

/** Nothing while there is nothing to choose. */
export function MentionList({ mention }: { mention: Mention }) {
  if (mention.items.length === 0) return null;
  return (
    <div className="mention-list" role="listbox" id={mention.listId} aria-label="Files">
      {mention.items.map((item, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus; the option is marked by aria-activedescendant.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field hears the keys.
        <div
          key={item.path}
          id={mention.optionId(at)}
          role="option"
          className="menu-item"
          aria-selected={at === mention.index}
          data-highlighted={at === mention.index ? '' : undefined}
          // The text field would lose the focus before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => mention.choose(item)}
        >
          <FileText size={14} aria-hidden="true" />
          <Highlighted text={item.path} positions={item.positions} />
        </div>
      ))}
    </div>
  );
}

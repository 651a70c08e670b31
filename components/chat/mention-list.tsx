// The files, agents and resources that fit an `@`, and the commands that fit a `/`, above the composer. The focus stays in the text.
'use client';

import { Bot, FileText, Plug, Slash } from 'lucide-react';
import { Highlighted } from '../search/highlighted';
import type { MentionItem } from './mention';
import type { Mention } from './use-mention';

/** Nothing while there is nothing to choose. */
export function MentionList({ mention }: { mention: Mention }) {
  if (mention.items.length === 0) return null;
  return (
    <div className="mention-list" role="listbox" id={mention.listId} aria-label="Files, agents and commands">
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
          <MentionIcon item={item} />
          <Highlighted text={item.path} positions={item.positions} />
          {item.note && <small>{item.note}</small>}
        </div>
      ))}
    </div>
  );
}

function MentionIcon({ item }: { item: MentionItem }) {
  const isResource = item.path.startsWith('@') && item.path.includes(':');
  const Icon = item.note === undefined ? FileText : item.path.startsWith('/') ? Slash : isResource ? Plug : Bot;
  return <Icon size={14} aria-hidden="true" />;
}

// The find box over a terminal.
'use client';

import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../ui/tip';
import { findNext } from './terminal-search';
import type { TerminalSession } from './terminal-session';

/** Enter goes down, Shift+Enter up, Esc closes. */
export function TerminalFind({ session, close }: { session: TerminalSession; close: () => void }) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ index: number; count: number }>();
  const find = (text: string, backwards: boolean) =>
    setFound(text === '' ? undefined : findNext(session.xterm, text, backwards));
  const result = found === undefined ? '' : found.count === 0 ? 'nothing' : `${found.index + 1} of ${found.count}`;
  return (
    <search className="terminal-find">
      <input
        className="field"
        aria-label="Find in the terminal"
        placeholder="Find"
        value={query}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this box.
        autoFocus
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          session.xterm.clearSelection();
          find(event.currentTarget.value, true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
          if (event.key === 'Enter') find(query, event.shiftKey);
        }}
      />
      <output aria-live="polite">{result}</output>
      <IconButton label="Previous" small onClick={() => find(query, true)}>
        <ChevronUp size={14} />
      </IconButton>
      <IconButton label="Next" small onClick={() => find(query, false)}>
        <ChevronDown size={14} />
      </IconButton>
      <IconButton label="Close" small onClick={close}>
        <X size={14} />
      </IconButton>
    </search>
  );
}

// What the model thought aloud: closed, one line, opens on request.
'use client';

import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ReasoningPart } from '../../lib/session/messages';
import { Markdown } from '../markdown/markdown';
import { showDuration } from '../tool-views/tool-line';

/** `Thinking…`, then `Thought for 4 s`. */
export function Reasoning({ part }: { part: ReasoningPart }) {
  const [open, setOpen] = useState(false);
  const over = part.endedAtMs !== undefined;
  const time = over ? showDuration(part.endedAtMs! - part.startedAtMs) : '';
  return (
    <section className="reasoning" data-tone={over ? 'plain' : 'working'}>
      <button type="button" className="tool-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} aria-hidden="true" className="tool-chevron" />
        <span className="tool-verb">{over ? (time ? `Thought for ${time}` : 'Thought') : 'Thinking…'}</span>
      </button>
      {open && (
        <div className="reasoning-text">
          <Markdown text={part.text} streaming={!over} />
        </div>
      )}
    </section>
  );
}

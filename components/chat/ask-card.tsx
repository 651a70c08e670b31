// A question of the agent, in the flow, at the call that it is about. Enter once, Shift+Enter all that wait, A always, Esc no and why. It takes the focus only from the
// panel's empty composer, and hears no key in its first moment: a key that was meant for something else must not allow anything.
'use client';

import { type KeyboardEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { AskAnswer, PendingAsk } from '../../lib/session/types';
import { visibleText } from '../../lib/std/visible-text';
import { DiffView, fileDiffsOf } from '../tool-views/diff-view';
import { Menu } from '../ui/menu';
import { useStore } from '../ui/store';
import { AskTitle, isLongCommand } from './ask-title';
import { alwaysLines, askFacts } from './ask-words';
import { useConversations } from './chat-context';
import { focusToType } from './focus-to-type';
import { useReview } from './use-review';

const deafMs = 500;

/** As use-follow-end.ts holds it: on the screen, or with its end, where the buttons are. */
function focusCard(card: HTMLElement | null): void {
  card?.focus({ preventScroll: true });
  const height = card?.closest('.transcript-scroll')?.clientHeight ?? 0;
  card?.scrollIntoView({ block: card.offsetHeight > height ? 'end' : 'nearest' });
}

/** `takesFocus`: it is the first of the open questions. */
export function AskCard({ ask, takesFocus }: { ask: PendingAsk; takesFocus: boolean }) {
  const session = useStore(useConversations().current);
  const card = useRef<HTMLElement>(null);
  const shownAtMs = useRef(performance.now());
  const [reason, setReason] = useState<string>();
  const { meta } = ask.request;
  const diffs = useMemo(() => fileDiffsOf(meta), [meta]);
  const shown = (meta?.sampling as { shown?: unknown } | undefined)?.shown;
  const command = typeof ask.request.meta?.command === 'string' ? ask.request.meta.command : undefined;
  const [remark, setRemark] = useState('');
  const { of: reviewOf, total, taken, review } = useReview(diffs);
  const always = review === undefined ? alwaysLines(ask.facts) : [];
  const allow = () => {
    const said = remark.trim() ? { message: remark } : {};
    if (taken > 0 || total === 0) answer({ kind: 'once', ...(review ? { review: { ...review, ...said } } : {}) });
  };

  const waiting = useSyncExternalStore(
    session.subscribe,
    () => session.state().asks,
    () => session.state().asks,
  );
  /** Those that were on the screen when it was pressed: a question that comes later waits. */
  const allowAll = () => {
    for (const one of waiting) if (one.id !== ask.id) session.answer(one.id, { kind: 'once' });
    allow();
  };

  useEffect(() => {
    const active = document.activeElement;
    const composer = active instanceof HTMLTextAreaElement && active.closest('.composer') ? active : undefined;
    const isFree = active === document.body || (composer !== undefined && composer.value === '');
    if (takesFocus && isFree) focusCard(card.current);
  }, [takesFocus]);

  const answer = (given: AskAnswer) => {
    const hadFocus = card.current?.contains(document.activeElement);
    const panel = card.current?.closest('.chat-body');
    session.answer(ask.id, given);
    // The card goes; the focus stays in the panel: at the next question, else where one types.
    if (hadFocus)
      requestAnimationFrame(() => {
        const next = panel?.querySelector<HTMLElement>('.ask[data-ask]');
        if (next) focusCard(next);
        else focusToType(panel?.querySelector('textarea'));
      });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== card.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { Enter: 'once', a: 'always', A: 'always', Escape: 'reject' }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (performance.now() - shownAtMs.current < deafMs || event.repeat) return;
    if (act === 'once') {
      if (event.shiftKey && takesFocus) allowAll();
      else allow();
    } else if (act === 'always' && always.length > 0) answer({ kind: 'always', scope: 'session' });
    else if (act === 'reject') setReason('');
  };

  return (
    <section
      className="ask"
      data-ask={ask.id}
      data-first={takesFocus}
      ref={card}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the focus so that its keys work.
      tabIndex={0}
      aria-label={`The agent asks: ${visibleText(ask.request.title)}`}
      onKeyDown={onKey}
    >
      <h3>
        {ask.rootCallId !== undefined && `${ask.agent} asks: `}
        <AskTitle title={ask.request.title.split('\n')[0]!} command={command} />
      </h3>
      {typeof ask.request.meta?.program === 'string' && (
        <pre className="tool-input">{visibleText(ask.request.meta.program)}</pre>
      )}
      {typeof shown === 'string' && <pre className="tool-input ask-said">{visibleText(shown)}</pre>}
      {isLongCommand(command) && <pre className="tool-input">{visibleText(`$ ${command}`)}</pre>}
      {diffs.map((diff) => (
        <DiffView
          key={diff.path}
          diff={diff}
          isOneOfSeveral={diffs.length > 1}
          {...(total > 1 ? { review: reviewOf(diff.path) } : {})}
        />
      ))}
      {askFacts(ask).map((line) => (
        <p key={line} className="ask-fact">
          {visibleText(line)}
        </p>
      ))}
      {review !== undefined && reason === undefined && (
        <input
          className="field"
          aria-label="Why not the rest?"
          placeholder="Why not the rest? The agent reads it."
          value={remark}
          onChange={(event) => setRemark(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') allow();
          }}
        />
      )}
      {reason === undefined ? (
        <div className="row">
          <button
            type="button"
            className="button"
            data-tone="primary"
            disabled={total > 0 && taken === 0}
            onClick={allow}
          >
            {review === undefined ? 'Allow once' : `Allow ${taken} of ${total} changes`} <kbd>⏎</kbd>
          </button>
          {always.length > 0 && (
            <Menu
              label="Allow always"
              entries={[
                { kind: 'label', label: visibleText(`Don’t ask again for ${always.join(', ')}`) },
                {
                  kind: 'item',
                  label: 'Until this answer is finished',
                  run: () => answer({ kind: 'always', scope: 'turn' }),
                },
                {
                  kind: 'item',
                  label: 'In this conversation',
                  keys: 'A',
                  run: () => answer({ kind: 'always', scope: 'session' }),
                },
                {
                  kind: 'item',
                  label: 'In this project, for 90 days',
                  run: () => answer({ kind: 'always', scope: 'project' }),
                },
              ]}
            >
              <button type="button" className="button">
                Always… <kbd>A</kbd>
              </button>
            </Menu>
          )}
          {takesFocus && waiting.length > 1 && (
            <button
              type="button"
              className="button"
              title={waiting.map((one) => visibleText(one.request.title.split('\n')[0]!)).join('\n')}
              onClick={allowAll}
            >
              Allow all {waiting.length} <kbd>⇧⏎</kbd>
            </button>
          )}
          <button type="button" className="button" onClick={() => setReason('')}>
            No <kbd>Esc</kbd>
          </button>
        </div>
      ) : (
        <form
          className="form-row"
          onSubmit={(event) => {
            event.preventDefault();
            answer({ kind: 'reject', ...(reason.trim() ? { message: reason } : {}) });
          }}
        >
          <input
            className="field"
            aria-label="What should the agent do instead?"
            placeholder="What instead? Nothing: it stops."
            value={reason}
            ref={(input) => input?.focus({ preventScroll: true })}
            onChange={(event) => setReason(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              answer({ kind: 'reject' });
            }}
          />
          <button type="submit" className="button" data-tone="primary">
            {reason.trim() ? 'Tell the agent' : 'Stop'}
          </button>
          <button
            type="button"
            className="button"
            onClick={() => {
              setReason(undefined);
              card.current?.focus({ preventScroll: true });
            }}
          >
            Back
          </button>
        </form>
      )}
    </section>
  );
}

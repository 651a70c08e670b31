// A page that an MCP server wants the person to visit. The whole address is there to be read, its host stands out, and only the person's own click
// on the link opens it, in a tab that knows nothing of this one.
'use client';

import type { KeyboardEvent } from 'react';
import type { PendingQuestion, QuestionAnswer } from '../../lib/session/types';
import type { Address } from '../../lib/tools/question';

interface VisitCardProps {
  form: PendingQuestion;
  address: Address;
  answer(answer: QuestionAnswer): void;
}

/** Takes no focus by itself: no key that was meant for something else may open a page. */
export function VisitCard({ form, address: { href, host, warnings }, answer }: VisitCardProps) {
  const at = href.indexOf(host);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    answer({ kind: 'dismissed' });
  };
  return (
    <section
      className="ask question"
      data-question={form.id}
      aria-label={`The MCP server ${form.from} wants you to visit ${host}`}
      onKeyDown={onKey}
    >
      <p className="question-from">
        <strong>The MCP server {form.from}</strong> wants you to visit a page. It is not the agent that asks, and Cloche
        does not know the page.
      </p>
      <p className="question-words">{form.questions[0]?.question}</p>
      <p className="visit-address mono">
        {href.slice(0, at)}
        <strong>{host}</strong>
        {href.slice(at + host.length)}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="ask-fact" role="note">
          {warning}
        </p>
      ))}
      <div className="row">
        <a
          className="button"
          data-tone="primary"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          // After the browser has followed the link: the card goes with the answer.
          onClick={() => setTimeout(() => answer({ kind: 'answered', answers: [['opened']] }))}
        >
          Open {host} <span aria-hidden="true">↗</span>
        </a>
        <button
          type="button"
          className="button"
          onClick={() => answer({ kind: 'dismissed', message: 'The person does not want to.' })}
        >
          Decline
        </button>
        <button type="button" className="button" onClick={() => answer({ kind: 'dismissed' })}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </section>
  );
}

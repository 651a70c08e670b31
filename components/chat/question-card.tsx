// A form of the agent, in the flow, at the call that it is about. Choices and own words; sending it needs no pointer, and not answering is an
// answer too.
'use client';

import { type KeyboardEvent, useState } from 'react';
import type { PendingQuestion, Question } from '../../lib/session/types';
import { useStore } from '../ui/store';
import { useConversations } from './chat-context';
import { VisitCard } from './visit-card';

/** Per question: the labels chosen, and what was typed. */
type Draft = { chosen: string[]; own: string }[];

/** One form, or a page to be visited. */
export function QuestionCard({ form }: { form: PendingQuestion }) {
  const session = useStore(useConversations().current);
  if (form.address === undefined) return <Form form={form} />;
  const { id, address } = form;
  return <VisitCard form={form} address={address} answer={(answer) => session.answerQuestion(id, answer)} />;
}

function Form({ form }: { form: PendingQuestion }) {
  const session = useStore(useConversations().current);
  const [draft, setDraft] = useState<Draft>(() =>
    form.questions.map((one, at) => draftOf(one, form.given?.[at] ?? [])),
  );
  const answers = draft.map(({ chosen, own }) => [...chosen, ...(own.trim() ? [own.trim()] : [])]);
  const asking = form.from === undefined ? 'The agent' : `The MCP server ${form.from}`;
  const isEmpty = answers.every((answer) => answer.length === 0);
  const change = (at: number, patch: Partial<Draft[number]>) =>
    setDraft((now) => now.map((one, index) => (index === at ? { ...one, ...patch } : one)));
  const dismiss = () => session.answerQuestion(form.id, { kind: 'dismissed' });
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    dismiss();
  };
  return (
    <form
      className="ask question"
      data-question={form.id}
      aria-label={`${asking} asks: ${form.questions.map((one) => one.header).join(', ')}`}
      onKeyDown={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty || form.from !== undefined) session.answerQuestion(form.id, { kind: 'answered', answers });
      }}
    >
      {form.from !== undefined && (
        <p className="question-from">
          <strong>{asking}</strong> wants to know, and gets what you send. It is not the agent that asks.
        </p>
      )}
      {form.questions.map((question, at) => (
        <OneQuestion
          // biome-ignore lint/suspicious/noArrayIndexKey: the questions of one form stay, and two may be worded alike.
          key={at}
          name={`${form.id}-${at}`}
          question={question}
          draft={draft[at]!}
          change={(patch) => change(at, patch)}
        />
      ))}
      <div className="row">
        <button type="submit" className="button" data-tone="primary" disabled={isEmpty && form.from === undefined}>
          {form.from === undefined ? 'Answer' : 'Send'} <kbd>⏎</kbd>
        </button>
        <button
          type="button"
          className="button"
          onClick={() => session.answerQuestion(form.id, { kind: 'dismissed', message: 'Decide yourself.' })}
        >
          {form.from === undefined ? 'Decide yourself' : 'Decline'}
        </button>
        <button type="button" className="button" onClick={dismiss}>
          {form.from === undefined ? 'Stop' : 'Cancel'} <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  );
}

function draftOf({ options }: Question, given: readonly string[]): Draft[number] {
  const isOption = (word: string) => options.some((option) => option.label === word);
  return { chosen: given.filter(isOption), own: given.filter((word) => !isOption(word)).join(', ') };
}

interface OneQuestionProps {
  name: string;
  question: Question;
  draft: Draft[number];
  change: (patch: Partial<Draft[number]>) => void;
}

function OneQuestion({ name, question, draft, change }: OneQuestionProps) {
  const isMultiple = question.multiple === true;
  const choose = (label: string, isChosen: boolean) => {
    if (!isMultiple) return change({ chosen: [label], own: '' });
    change({ chosen: isChosen ? [...draft.chosen, label] : draft.chosen.filter((one) => one !== label) });
  };
  return (
    <fieldset className="question-field">
      <legend>{question.question}</legend>
      {question.options.map((option) => (
        <label key={option.label} className="question-option">
          <input
            type={isMultiple ? 'checkbox' : 'radio'}
            name={name}
            checked={draft.chosen.includes(option.label)}
            onChange={(event) => choose(option.label, event.currentTarget.checked)}
          />
          <span>
            {option.label}
            {question.default?.includes(option.label) && <em>if nobody answers</em>}
            {option.description && <small>{option.description}</small>}
          </span>
        </label>
      ))}
      {question.custom !== false && (
        <input
          className="field"
          aria-label={`${question.header}: in your own words`}
          placeholder={question.options.length > 0 ? 'Or in your own words' : 'Your answer'}
          value={draft.own}
          onChange={(event) => change({ own: event.currentTarget.value, ...(isMultiple ? {} : { chosen: [] }) })}
        />
      )}
    </fieldset>
  );
}

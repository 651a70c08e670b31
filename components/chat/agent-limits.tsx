// How the agent works, as plain controls over the person's own opencode.json: the file is the only home of these values, and each control names its
// key there.
'use client';

import { useEffect, useId, useState } from 'react';
import { valueIn } from '../../lib/config/change-config';
import { useStore } from '../ui/store';
import { showError } from '../ui/toasts';
import { changePersonConfig, personConfig } from './person-config';

interface Limit {
  path: string[];
  label: string;
  hint: string;
}

interface Chosen extends Limit {
  kind: 'choice';
  /** By the value in the file; '' is nothing there. */
  options: [unknown, string][];
}

interface Counted extends Limit {
  kind: 'number';
  min: number;
  max: number;
  step: number;
  /** What holds when nothing is there. */
  unsaid: string;
}

const limits: (Chosen | Counted)[] = [
  {
    kind: 'choice',
    path: ['compaction', 'auto'],
    label: 'When a conversation is full',
    hint: 'What the model can keep in mind is limited.',
    options: [
      ['', 'Summarise what is older'],
      [false, 'Stop'],
    ],
  },
  {
    kind: 'number',
    path: ['compaction', 'reserved'],
    label: 'Room to keep free, in tokens',
    hint: 'It is full when less is left. More room: summarised earlier.',
    min: 1000,
    max: 1_000_000,
    step: 1000,
    unsaid: '20000',
  },
  {
    kind: 'choice',
    path: ['editing'],
    label: 'How files are changed',
    hint: 'Models were trained on one way or the other.',
    options: [
      ['', 'As the model is used to'],
      ['replace', 'By replacing text (edit, multiedit, write)'],
      ['patch', 'By patches (apply_patch)'],
    ],
  },
  {
    kind: 'number',
    path: ['subagent_depth'],
    label: 'How deep sub-agents may start others',
    hint: '1: the agent has sub-agents, and they have none.',
    min: 1,
    max: 5,
    step: 1,
    unsaid: '1',
  },
  {
    kind: 'number',
    path: ['budget', 'cost'],
    label: 'What a conversation may cost, in US dollars',
    hint: 'It pauses there and asks. Only where prices of the model are known.',
    min: 0.01,
    max: 10_000,
    step: 0.01,
    unsaid: 'no limit',
  },
  {
    kind: 'choice',
    path: ['permission', 'doom_loop'],
    label: 'When the agent repeats itself without a new result',
    hint: 'It is told first; this counts when it goes on all the same.',
    options: [
      ['', 'Ask me'],
      ['deny', 'Stop it'],
      ['allow', 'Let it go on'],
    ],
  },
];

/** Applied at once, for every project. */
export function AgentLimits() {
  const text = useStore(personConfig);
  const [values, setValues] = useState<unknown[]>();
  useEffect(() => {
    let isStale = false;
    void Promise.all(limits.map(({ path }) => valueIn(text, path))).then((now) => {
      if (!isStale) setValues(now);
    });
    return () => {
      isStale = true;
    };
  }, [text]);
  return limits.map((limit, at) => (
    <LimitField key={limit.path.join('.')} limit={limit} value={values?.[at]} isKnown={values !== undefined} />
  ));
}

function LimitField({ limit, value, isKnown }: { limit: Chosen | Counted; value: unknown; isKnown: boolean }) {
  const id = useId();
  const set = (next: unknown) =>
    void changePersonConfig(limit.path, next === '' ? undefined : next).catch((error) =>
      showError(`${limit.label}: not changed`, error),
    );
  return (
    <div className="setting">
      <label htmlFor={id}>
        {limit.label}
        <small>
          {limit.hint} <code>{limit.path.join('.')}</code>
        </small>
      </label>
      {limit.kind === 'choice' ? (
        <ChoiceField id={id} limit={limit} value={value} isKnown={isKnown} set={set} />
      ) : (
        <NumberField id={id} key={String(value)} limit={limit} value={value} isKnown={isKnown} set={set} />
      )}
    </div>
  );
}

interface FieldProps<Of> {
  id: string;
  limit: Of;
  value: unknown;
  isKnown: boolean;
  set: (value: unknown) => void;
}

function ChoiceField({ id, limit: { options, path }, value, isKnown, set }: FieldProps<Chosen>) {
  const isTrue = path[0] === 'compaction' && value === true;
  const at = options.findIndex(([one]) => one === (value === undefined || isTrue ? '' : value));
  return (
    <select
      id={id}
      className="field"
      disabled={!isKnown}
      value={at}
      onChange={(event) => set(options[Number(event.currentTarget.value)]?.[0])}
    >
      {at < 0 && <option value={-1}>As your opencode.json says</option>}
      {options.map(([, words], index) => (
        <option key={words} value={index}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Kept when the person leaves it or presses Enter: half a number must not count. */
function NumberField({ id, limit: { min, max, step, unsaid }, value, isKnown, set }: FieldProps<Counted>) {
  const keep = (field: HTMLInputElement) => {
    const typed = field.value.trim();
    if (typed === (value === undefined ? '' : String(value))) return;
    if (typed === '' ? !field.validity.badInput : field.checkValidity()) set(typed === '' ? '' : Number(typed));
    else field.reportValidity();
  };
  return (
    <input
      id={id}
      className="field"
      type="number"
      disabled={!isKnown}
      min={min}
      max={max}
      step={step}
      placeholder={unsaid}
      defaultValue={typeof value === 'number' ? value : ''}
      onBlur={(event) => keep(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep(event.currentTarget);
      }}
    />
  );
}

// A form for what a server's prompt wants to know and was not typed. Leaving it sends nothing; the words stay in the composer.
'use client';

import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { McpPrompt } from '../../lib/registry/mcp/prompts';
import { Sheet } from '../ui/sheet';
import { useStore } from '../ui/store';
import { useConversations } from './chat-context';
import { type OpenForm, openForm } from './mcp-prompt-ask';
import { promptCommand } from './mcp-spoken';

/** Nothing while nothing is asked. */
export function McpPromptForm() {
  const form = useStore(openForm);
  return (
    <Sheet
      title={form === undefined ? '' : `/${promptCommand(form.prompt)}`}
      open={form !== undefined}
      close={() => form?.answer(undefined)}
    >
      {form && <Fields key={promptCommand(form.prompt)} form={form} />}
    </Sheet>
  );
}

function Fields({ form: { prompt, given, answer } }: { form: OpenForm }) {
  const [values, setValues] = useState(given);
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // After the dialog has put the focus on its first button.
    const frame = requestAnimationFrame(() => first.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const isComplete = prompt.arguments.every((one) => !one.required || (values[one.name] ?? '').trim() !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) answer(Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')));
  };
  return (
    <form className="mcp-add" onSubmit={submit} aria-label={`Arguments of ${prompt.name}`}>
      <p>
        {prompt.description}
        <small>A prompt of the MCP server {prompt.server}. It is said as if you had written it.</small>
      </p>
      {prompt.arguments.map((one, at) => (
        <div key={one.name}>
          <label htmlFor={`${id}-${at}`}>
            {one.name}
            {one.required ? '' : ' (optional)'}
            {one.description !== '' && <small>{one.description}</small>}
          </label>
          <ArgumentField
            id={`${id}-${at}`}
            field={at === 0 ? first : undefined}
            prompt={prompt}
            name={one.name}
            values={values}
            change={(value) => setValues((now) => ({ ...now, [one.name]: value }))}
          />
        </div>
      ))}
      <div className="row">
        <button type="submit" className="button" data-tone="primary" disabled={!isComplete}>
          Send
        </button>
        <button type="button" className="button" onClick={() => answer(undefined)}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface ArgumentFieldProps {
  id: string;
  field: RefObject<HTMLInputElement | null> | undefined;
  prompt: McpPrompt;
  name: string;
  values: Record<string, string>;
  change: (value: string) => void;
}

const typingPauseMs = 150;
const maxProposals = 100;

/** A text field with what the server proposes; without proposals it is a plain one. */
function ArgumentField({ id, field, prompt, name, values, change }: ArgumentFieldProps) {
  const { mcp } = useConversations();
  const [proposals, setProposals] = useState<readonly string[]>([]);
  const [isHere, setIsHere] = useState(false);
  const { [name]: value = '', ...given } = values;
  const others = JSON.stringify(given);

  useEffect(() => {
    if (!isHere) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      mcp.servers.completePrompt(prompt.server, prompt.name, { name, value }, JSON.parse(others), stop.signal).then(
        (found) => !stop.signal.aborted && setProposals([...new Set(found)].slice(0, maxProposals)),
        // The person can type it whole.
        () => setProposals([]),
      );
    }, typingPauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [isHere, mcp, prompt, name, value, others]);

  return (
    <>
      <input
        ref={field}
        id={id}
        className="field"
        list={`${id}-proposals`}
        autoComplete="off"
        required={prompt.arguments.some((one) => one.name === name && one.required)}
        value={value}
        onFocus={() => setIsHere(true)}
        onBlur={() => setIsHere(false)}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <datalist id={`${id}-proposals`}>
        {proposals.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

// A form for what a server's prompt wants to know and was not typed. Leaving it sends nothing; the words stay in the composer.
'use client';

import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { McpPrompt } from '../../lib/registry/mcp/prompts';
import { Sheet } from '../ui/sheet';
import { createStore, useStore } from '../ui/store';
import { type AskArguments, promptCommand } from './mcp-spoken';

interface OpenForm {
  prompt: McpPrompt;
  given: Record<string, string>;
  answer(input: Record<string, string> | undefined): void;
}

const openForm = createStore<OpenForm | undefined>(undefined);

/** Shows the form; an older one that is still open is left unanswered. */
export const askPromptArguments: AskArguments = (prompt, given) =>
  new Promise((resolve) => {
    openForm.get()?.answer(undefined);
    openForm.set({
      prompt,
      given,
      answer(input) {
        openForm.set(undefined);
        resolve(input);
      },
    });
  });

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
          <input
            ref={at === 0 ? first : undefined}
            id={`${id}-${at}`}
            className="field"
            required={one.required}
            value={values[one.name] ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setValues((now) => ({ ...now, [one.name]: value }));
            }}
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

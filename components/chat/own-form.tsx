// One skill, agent or command of the person's own, as a form.
'use client';

import { X } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import {
  type EntryKind,
  entryOf,
  filesOf,
  maxSkillFiles,
  nameProblem,
  type OwnEntry,
  withEntries,
  withWords,
} from '../../lib/config/own-entries';
import { decodeText } from '../../lib/std/text-file';
import { visibleText } from '../../lib/std/visible-text';
import { chooseFiles } from '../files/choose-files';
import { TitledButton } from '../ui/titled-button';
import { commandHint, kindWords } from './own-words';
import { rewritePersonConfig } from './person-config';

/** What is written. `before`: what is changed by it; undefined for a new one. */
export interface EntryDraft {
  kind: EntryKind;
  name: string;
  description: string;
  text: string;
  /** Of an agent. */
  mode?: string;
  /** Of a skill. */
  files?: Record<string, string>;
  before?: OwnEntry;
}

interface OwnFormProps {
  draft: EntryDraft;
  taken: readonly OwnEntry[];
  change(draft: EntryDraft): void;
  /** `name`: as it was saved. */
  leave(name?: string): void;
}

/** Saved by its button or Ctrl/Cmd+S. */
export function OwnForm({ draft, taken, change, leave }: OwnFormProps) {
  const { kind, before } = draft;
  const { one, description, text, hint } = kindWords[kind];
  const [error, setError] = useState<string>();
  const first = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  useEffect(() => first.current?.focus(), []);

  const base = before ?? entryOf(kind, '', {});
  const mode = draft.mode ?? (typeof base.value.mode === 'string' ? base.value.mode : 'all');
  const files = draft.files ?? filesOf(base);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const name = draft.name.trim();
    const isTaken = name !== before?.name && taken.some((other) => other.kind === kind && other.name === name);
    const problem =
      nameProblem(kind, name) ??
      (isTaken ? `You have ${kind === 'agent' ? 'an' : 'a'} ${one} named ${name} already.` : undefined) ??
      (draft.text.trim() === '' ? `${text} can’t be empty.` : undefined);
    if (problem !== undefined) return setError(problem);
    const { files: _files, mode: _mode, ...words } = withWords(base, draft.description.trim(), draft.text);
    const value = {
      ...words,
      ...(kind === 'agent' && (mode !== 'all' || base.value.mode !== undefined) ? { mode } : {}),
      ...(kind === 'skill' && Object.keys(files).length > 0 ? { files } : {}),
    };
    try {
      const gone = before !== undefined && before.name !== name ? [before] : [];
      await rewritePersonConfig((config) => withEntries(config, [{ kind, name, value }], gone));
      leave(name);
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  const addFiles = async () => {
    setError(undefined);
    const next = { ...files };
    for (const { path, contents } of await chooseFiles()) {
      const decoded = decodeText(new Uint8Array(await contents.arrayBuffer()));
      if (decoded.kind === 'text') next[path] = decoded.text;
      else setError(`${path} is no text: ${decoded.reason}. Only texts are kept with a skill.`);
    }
    const size = Object.values(next).reduce((sum, content) => sum + content.length, 0);
    if (size > maxSkillFiles)
      return setError(`The files of a skill may have ${maxSkillFiles / 1000} kB together, and these have more.`);
    change({ ...draft, files: next });
  };
  return (
    <form
      ref={form}
      className="own-form"
      data-saves
      aria-label={before === undefined ? `A new ${one}` : `The ${one} ${before.name}`}
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        event.stopPropagation();
        form.current?.requestSubmit();
      }}
    >
      <h3>{before === undefined ? `A new ${one}` : visibleText(before.name)}</h3>
      <label htmlFor={`${id}-name`}>Name</label>
      <input
        ref={first}
        id={`${id}-name`}
        className="field mono"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={draft.name}
        onChange={(event) => change({ ...draft, name: event.currentTarget.value })}
      />
      <label htmlFor={`${id}-description`}>
        {description} <small>{hint}</small>
      </label>
      <input
        id={`${id}-description`}
        className="field"
        autoComplete="off"
        value={draft.description}
        onChange={(event) => change({ ...draft, description: event.currentTarget.value })}
      />
      {kind === 'agent' && (
        <>
          <label htmlFor={`${id}-mode`}>Who may use it</label>
          <select
            id={`${id}-mode`}
            className="field"
            value={mode}
            onChange={(event) => change({ ...draft, mode: event.currentTarget.value })}
          >
            <option value="all">You, and the agent for its tasks</option>
            <option value="primary">You alone</option>
            <option value="subagent">The agent alone, for its tasks</option>
          </select>
        </>
      )}
      <label htmlFor={`${id}-text`}>
        {text} {kind === 'command' && <small>{commandHint}</small>}
      </label>
      <textarea
        id={`${id}-text`}
        className="field mono"
        rows={10}
        spellCheck={false}
        value={draft.text}
        onChange={(event) => change({ ...draft, text: event.currentTarget.value })}
      />
      {kind === 'skill' && (
        <section aria-label="Files">
          {Object.keys(files).length > 0 && (
            <ul className="sheet-rows">
              {Object.entries(files).map(([path, content]) => (
                <li key={path} className="sheet-row">
                  <span className="sheet-row-words mono">
                    {visibleText(path)} <small>{content.length.toLocaleString('en')} characters</small>
                  </span>
                  <TitledButton
                    icon={X}
                    label={`Take ${path} out`}
                    title="Take it out"
                    onClick={() => {
                      const { [path]: _gone, ...rest } = files;
                      change({ ...draft, files: rest });
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
          <button type="button" className="button" onClick={() => void addFiles()}>
            Add files to it…
          </button>
        </section>
      )}
      {error && <p role="alert">{error}</p>}
      <div className="row">
        <button type="submit" className="button" data-tone="primary">
          Save
        </button>
        <button type="button" className="button" onClick={() => leave()}>
          {before === undefined ? 'Discard' : 'Leave as it was'}
        </button>
      </div>
    </form>
  );
}

// One kind of the person's own things: its list, new ones by form or from files, and what was just deleted or added, each with a way back in its
// place, for behind a sheet no notice can be reached.
'use client';

import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type EntryKind, filesOf, type OwnEntry, withEntries } from '../../lib/config/own-entries';
import type { ConfigProblem } from '../../lib/config/problems';
import { visibleText } from '../../lib/std/visible-text';
import { SheetRow } from '../ui/sheet-row';
import { TitledButton } from '../ui/titled-button';
import { showError } from '../ui/toasts';
import { chooseEntries, saveEntry } from './own-files';
import type { EntryDraft } from './own-form';
import { kindWords } from './own-words';
import { rewritePersonConfig } from './person-config';

interface SectionProps {
  kind: EntryKind;
  entries: readonly OwnEntry[];
  problems: readonly ConfigProblem[];
  focused: string | undefined;
  /** Opens the form. */
  write(draft: EntryDraft): void;
}

/** With what was deleted since the sheet was opened: that can come back. */
export function OwnSection({ kind, entries, problems, focused, write }: SectionProps) {
  const { title, about, one } = kindWords[kind];
  const [left, setLeft] = useState<readonly string[]>([]);
  const [added, setAdded] = useState<{ entries: readonly OwnEntry[]; replaced: readonly OwnEntry[] }>();
  const [gone, setGone] = useState<readonly OwnEntry[]>([]);
  const isIn = (list: readonly OwnEntry[], { name }: OwnEntry) => list.some((one) => one.name === name);
  /** False, and said so, when it failed. */
  const change = async (what: string, put: readonly OwnEntry[], taken: readonly OwnEntry[]): Promise<boolean> => {
    try {
      await rewritePersonConfig((text) => withEntries(text, put, taken));
      return true;
    } catch (error) {
      showError(what, error);
      return false;
    }
  };
  const bring = async (from: 'files' | 'folder') => {
    const what = `Could not bring ${title.toLowerCase()} in`;
    try {
      const read = await chooseEntries(kind, from);
      if (read === undefined) return;
      setLeft(read.left);
      setAdded(undefined);
      if (read.entries.length === 0 || !(await change(what, read.entries, []))) return;
      setAdded({ entries: read.entries, replaced: entries.filter((one) => isIn(read.entries, one)) });
    } catch (error) {
      showError(what, error);
    }
  };
  // Known as gone before the list loses it, and until the list has it again: its row stays, and with it the focus.
  const takeOut = async (entry: OwnEntry) => {
    setGone((now) => [...now.filter(({ name }) => name !== entry.name), entry]);
    if (!(await change('Could not delete it', [], [entry]))) setGone((now) => now.filter((one) => one !== entry));
  };
  const bringBack = (entry: OwnEntry) => change('Could not bring it back', [entry], []);
  const takeBack = async () => {
    if (added !== undefined && (await change('Could not undo it', added.replaced, added.entries))) setAdded(undefined);
  };
  const shownGone = gone.filter((one) => !isIn(entries, one));
  // By name: what is deleted and what comes back keep their places, whatever the file's order is.
  const rows = [...entries, ...shownGone].sort((a, b) => a.name.localeCompare(b.name));
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <p>{about}</p>
      {rows.length > 0 && (
        <ul className="sheet-rows">
          {rows.map((entry) => (
            <OwnRow
              key={entry.name}
              entry={entry}
              isGone={shownGone.includes(entry)}
              hasFocus={entry.name === focused}
              problems={problems.filter(({ key }) => `${key}.`.startsWith(`${kind}.${entry.name}.`))}
              takeOut={() => void takeOut(entry)}
              bringBack={() => void bringBack(entry)}
              edit={() => write({ ...entry, before: entry })}
            />
          ))}
        </ul>
      )}
      {added !== undefined && (
        <div className="row" role="status">
          <span>
            Added {added.entries.map(({ name }) => visibleText(name)).join(', ')}
            {added.replaced.length > 0 && `, in place of ${added.replaced.map(({ name }) => name).join(', ')}`}.
          </span>
          <UndoButton label="Undo what was added" run={() => void takeBack()} />
        </div>
      )}
      {left.length > 0 && (
        <ul className="own-left" role="status">
          {left.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div className="row">
        <button type="button" className="button" onClick={() => write({ kind, name: '', description: '', text: '' })}>
          Write {kind === 'agent' ? 'an' : 'a'} {one}
        </button>
        <button type="button" className="button" onClick={() => void bring('files')}>
          From files…<span className="visually-hidden"> ({title})</span>
        </button>
        {kind === 'skill' && (
          <button type="button" className="button by-mouse" onClick={() => void bring('folder')}>
            From a folder…
          </button>
        )}
      </div>
    </section>
  );
}

/** Has the focus from the start: what was pressed is gone. */
function UndoButton({ label, run }: { label: string; run: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button ref={button} type="button" className="button" aria-label={label} onClick={run}>
      Undo
    </button>
  );
}

interface OwnRowProps {
  entry: OwnEntry;
  isGone: boolean;
  hasFocus: boolean;
  problems: readonly ConfigProblem[];
  takeOut: () => void;
  bringBack: () => void;
  edit: () => void;
}

function OwnRow({ entry, isGone, hasFocus, problems, takeOut, bringBack, edit }: OwnRowProps) {
  const { kind, name, description } = entry;
  const files = Object.keys(filesOf(entry)).length;
  const shownName = visibleText(kind === 'command' ? `/${name}` : name);
  return (
    <SheetRow
      name={shownName}
      actions={
        <TitledButton
          icon={Download}
          label={`Save ${shownName} as a file`}
          title="Save as a file"
          onClick={() => void saveEntry(entry).catch((error) => showError('Could not save it', error))}
        />
      }
      isGone={isGone}
      takesFocus={hasFocus}
      open={edit}
      remove={takeOut}
      restore={bringBack}
    >
      <small>
        {visibleText(description) || 'No description'}
        {files > 0 && ` · ${files} ${files === 1 ? 'file' : 'files'}`}
      </small>
      {problems.map(({ message }) => (
        <small key={message} data-tone="error">
          {message}
        </small>
      ))}
    </SheetRow>
  );
}

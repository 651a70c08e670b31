// The field for the replacement and the button that replaces everywhere; what was done can be taken back from the notice.
'use client';

import { useState } from 'react';
import { namesOf, offerUndo } from '../files/put-back';
import { useWorkbench } from '../ide/workbench-context';
import { showError, showProgress } from '../ui/toasts';
import { type Replaced, replaceInFiles } from './replace';
import { type SearchQuery, wantedOf } from './search-query';

const quietMs = 300;

interface ReplaceLineProps {
  query: SearchQuery;
  replacement: string;
  setReplacement: (text: string) => void;
  /** Something is there to be replaced. */
  found: boolean;
  /** Called when files have changed, also by undo. */
  done: () => void;
}

/** Enter in the field is the button. */
export function ReplaceLine({ query, replacement, setReplacement, found, done }: ReplaceLineProps) {
  const { sandbox, documents } = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const isReady = found && !isBusy;
  const replaceAll = async () => {
    setBusy(true);
    const stop = new AbortController();
    let progress: ReturnType<typeof showProgress> | undefined;
    const starting = setTimeout(() => {
      progress = showProgress('Replacing…', () => stop.abort());
    }, quietMs);
    try {
      const replaced = await replaceInFiles(sandbox, documents.buffers, wantedOf(query, sandbox.workdir), replacement, {
        signal: stop.signal,
        onProgress: (at, all) =>
          progress?.say(`Replacing: ${at.toLocaleString('en')} of ${all.toLocaleString('en')} files…`),
      });
      tell(replaced, done);
    } catch (error) {
      if (!stop.signal.aborted) showError('Could not replace', error);
    } finally {
      clearTimeout(starting);
      progress?.done();
      setBusy(false);
      done();
    }
  };
  return (
    <form
      className="search-line"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void replaceAll();
      }}
    >
      <input
        className="field"
        aria-label="Replace with"
        placeholder="Replace"
        spellCheck={false}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it.
        autoFocus
        value={replacement}
        onChange={(event) => setReplacement(event.currentTarget.value)}
      />
      <button type="submit" className="button" disabled={!isReady}>
        Replace all
      </button>
    </form>
  );
}

function tell({ count, files, left, undo }: Replaced, done: () => void): void {
  const where = `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}`;
  if (count > 0) offerUndo(`Replaced ${count.toLocaleString('en')} in ${where}`, undo, done);
  if (left.length > 0) showError(`Not replaced in ${namesOf(left.map(({ path }) => path))}`, left[0]!.why);
}

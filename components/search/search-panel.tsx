// Find in files: the sandbox searches, this shows. A new question stops the one before.
'use client';

import { CaseSensitive, Regex, Replace } from 'lucide-react';
import { useEffect, useState } from 'react';
import { PanelHeader } from '../ide/panel-header';
import { useWorkbench } from '../ide/workbench-context';
import { useStore } from '../ui/store';
import { IconButton } from '../ui/tip';
import { messageOf } from '../ui/toasts';
import { ReplaceLine } from './replace-line';
import { replacing } from './replacing';
import { type SearchQuery, wantedOf } from './search-query';
import { type SearchOutcome, SearchResults } from './search-results';
import './search.css';

const maxResults = 2000;

/** Searches 200 ms after the last key. */
export function SearchPanel() {
  const [query, setQuery] = useState<SearchQuery>({ pattern: '', regex: false, matchCase: false, include: '' });
  const isReplacing = useStore(replacing);
  const [replacement, setReplacement] = useState('');
  const [round, setRound] = useState(0);
  const outcome = useSearch(query, round);
  const change = (part: Partial<SearchQuery>) => setQuery((now) => ({ ...now, ...part }));
  return (
    <>
      <PanelHeader panel="search" />
      <search className="search-form">
        <div className="search-line">
          <input
            className="field"
            data-panel-focus
            aria-label="Search for"
            placeholder="Search"
            spellCheck={false}
            value={query.pattern}
            onChange={(event) => change({ pattern: event.currentTarget.value })}
          />
          <IconButton
            label="Match case"
            small
            aria-pressed={query.matchCase}
            onClick={() => change({ matchCase: !query.matchCase })}
          >
            <CaseSensitive size={16} />
          </IconButton>
          <IconButton
            label="Regular expression"
            small
            aria-pressed={query.regex}
            onClick={() => change({ regex: !query.regex })}
          >
            <Regex size={16} />
          </IconButton>
          <IconButton label="Replace" small aria-pressed={isReplacing} onClick={() => replacing.set((now) => !now)}>
            <Replace size={16} />
          </IconButton>
        </div>
        {isReplacing && (
          <ReplaceLine
            query={query}
            replacement={replacement}
            setReplacement={setReplacement}
            found={outcome.kind === 'found' && outcome.matches.length > 0}
            done={() => setRound((now) => now + 1)}
          />
        )}
        <input
          className="field"
          aria-label="Only in files that match"
          placeholder="In files: *.ts, src/**"
          spellCheck={false}
          value={query.include}
          onChange={(event) => change({ include: event.currentTarget.value })}
        />
      </search>
      <SearchResults outcome={outcome} replaced={isReplacing ? { query, replacement } : undefined} />
    </>
  );
}

/** `round`: another one searches again for the same. */
function useSearch(query: SearchQuery, round: number): SearchOutcome {
  const { sandbox, documents } = useWorkbench();
  const [outcome, setOutcome] = useState<SearchOutcome>({ kind: 'none' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is a reason by itself.
  useEffect(() => {
    if (query.pattern === '') return setOutcome({ kind: 'none' });
    const fault = query.regex ? regexFault(query.pattern) : undefined;
    if (fault !== undefined) return setOutcome({ kind: 'pattern', message: fault });
    const stopped = new AbortController();
    const timer = setTimeout(async () => {
      setOutcome((now) => (now.kind === 'found' ? now : { kind: 'searching' }));
      try {
        await documents.saveAll();
        const found = await sandbox.search.text({
          ...wantedOf(query, sandbox.workdir),
          maxResults,
          signal: stopped.signal,
        });
        if (!stopped.signal.aborted) setOutcome({ kind: 'found', ...found });
      } catch (error) {
        if (!stopped.signal.aborted) setOutcome({ kind: 'failed', message: messageOf(error) });
      }
    }, 200);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [query, sandbox, documents, round]);
  return outcome;
}

/** What the browser says about the expression, without its own words around it. */
function regexFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return messageOf(error).replace(/^.*: /, '');
  }
}

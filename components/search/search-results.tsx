// What was found, by file. Every line is a button that goes there.
'use client';

import type { FoundTexts, TextMatch } from '../../lib/sandbox/sandbox';
import { counted } from '../../lib/std/counted';
import { displayPath } from '../../lib/std/paths';
import { FileIcon } from '../files/file-icon';
import { useWorkbench } from '../ide/workbench-context';
import { Failure } from '../ui/failure';
import { lineReplacer } from './replace';
import { type SearchQuery, wantedOf } from './search-query';

/** Where a search is. */
export type SearchOutcome =
  | { kind: 'none' }
  | { kind: 'searching' }
  | ({ kind: 'found' } & FoundTexts)
  /** `pattern`: what was typed is no regular expression (yet). */
  | { kind: 'pattern'; message: string }
  | { kind: 'failed'; message: string };

/** What stands in its place once it is replaced. */
interface Shown {
  query: SearchQuery;
  replacement: string;
}

/** Undefined where the hit alone does not tell: an expression that looks around. */
function insteadOf(hit: string, { query, replacement }: Shown): string | undefined {
  try {
    const { text, count } = lineReplacer(wantedOf(query, ''), replacement)(hit);
    return count === 1 ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Lines that are drawn; the rest is counted. */
const maxShown = 500;

/** Says how many there are, politely. */
export function SearchResults({ outcome, replaced }: { outcome: SearchOutcome; replaced: Shown | undefined }) {
  switch (outcome.kind) {
    case 'none':
      return (
        <div className="empty">
          <p>Searches all files that git would keep.</p>
        </div>
      );
    case 'searching':
      return (
        <p className="search-summary" role="status">
          Searching…
        </p>
      );
    case 'pattern':
      return (
        <p className="search-summary" data-tone="warning" role="status">
          Not a regular expression: {outcome.message}.
        </p>
      );
    case 'failed':
      return <Failure what="The search failed" error={outcome.message} />;
    case 'found': {
      const byFile = Map.groupBy(outcome.matches.slice(0, maxShown), (match) => match.path);
      const count = outcome.matches.length;
      const files = new Set(outcome.matches.map((match) => match.path)).size;
      return (
        <>
          <p className="search-summary" role="status">
            {count === 0
              ? `Nothing in ${counted(outcome.filesSearched, 'file')}`
              : `${count.toLocaleString('en')}${outcome.truncated ? '+' : ''} in ${files} ${files === 1 ? 'file' : 'files'}${count > maxShown ? `, the first ${maxShown} shown` : ''}`}
            {leftOut(outcome)}
          </p>
          <div className="search-results">
            {[...byFile].map(([path, matches]) => (
              <FileMatches key={path} path={path} matches={matches} replaced={replaced} />
            ))}
          </div>
        </>
      );
    }
  }
}

function FileMatches({ path, matches, replaced }: { path: string; matches: TextMatch[]; replaced: Shown | undefined }) {
  const { sandbox, documents, phoneView } = useWorkbench();
  const shown = displayPath(path, sandbox.workdir);
  const go = (match: TextMatch) => {
    void documents.open(path, match);
    phoneView.set('editor');
  };
  return (
    <details open>
      <summary>
        <FileIcon name={shown} kind="file" />
        <span>
          <bdi>{shown}</bdi>
        </span>
        <small>{matches.length}</small>
      </summary>
      {matches.map((match) => (
        <button
          key={`${match.line} ${match.column}`}
          type="button"
          className="search-hit mono"
          onClick={() => go(match)}
        >
          <small>{match.line}</small>
          <HitText match={match} replaced={replaced} />
        </button>
      ))}
    </details>
  );
}

function HitText({ match, replaced }: { match: TextMatch; replaced: Shown | undefined }) {
  const start = match.column - 1 - (match.from ?? 0);
  // A long line is shown from a little before the hit.
  const from = start > 20 ? start - 12 : match.text.search(/\S|$/);
  const before = match.text.slice(Math.min(from, start), start);
  const hit = match.text.slice(start, start + match.length);
  const instead = replaced && insteadOf(hit, replaced);
  return (
    <span>
      {start > 20 && '…'}
      {before}
      {instead === undefined ? (
        <mark>{hit}</mark>
      ) : (
        <>
          <del>{hit}</del>
          <ins>{instead}</ins>
        </>
      )}
      {match.text.slice(start + match.length, start + match.length + 120)}
    </span>
  );
}

/** What the search could not look into, to follow the count. */
function leftOut({ skipped: { binary, tooLarge, unreadable } }: FoundTexts): string {
  const reasons = [
    binary > 0 ? `${binary} binary` : '',
    tooLarge > 0 ? `${tooLarge} too large` : '',
    unreadable > 0 ? `${unreadable} unreadable` : '',
  ].filter(Boolean);
  return reasons.length === 0 ? '' : ` · not searched: ${reasons.join(', ')}`;
}

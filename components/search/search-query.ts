// What was typed into the panel, and what it asks the sandbox for.
import type { Wanted } from './replace';

/** The fields as they stand. */
export interface SearchQuery {
  pattern: string;
  regex: boolean;
  matchCase: boolean;
  include: string;
}

/** The search below `path`. */
export function wantedOf(query: SearchQuery, path: string): Wanted {
  return {
    path,
    pattern: query.pattern,
    literal: !query.regex,
    ignoreCase: !query.matchCase,
    include: includeGlob(query.include),
  };
}

/** Several globs, separated by commas, as one; undefined for all files. */
export function includeGlob(typed: string): string | undefined {
  const globs = typed.split(',').flatMap((glob) => glob.trim() || []);
  if (globs.length === 0) return undefined;
  return globs.length === 1 ? globs[0] : `{${globs.join(',')}}`;
}

// What is known of a command line: the lists that rules judge it by.

/** Everything is in order of appearance, without duplicates. */
export interface BashFacts {
  /** Dequoted command lines without environment prefixes and redirections: `git push origin`. */
  commands: string[];
  /** What *always* would cover for each of them: `git push *`. Empty when one of them can't be remembered. */
  always: string[];
  /** Absolute paths; relative ones are resolved against every directory that `cd` may have led to. */
  writes: string[];
  reads: string[];
  /** Directories and files that are entered, listed or named only: what matters is whether they are outside. */
  visits: string[];
  /** Paths that a program was told of which is not known here: they matter where they exist. */
  mentions: string[];
  /** Command lines that a program may run which is not known here, made of its words: they matter where a rule forbids them. */
  perhaps: string[];
  /** Paths that look like files with keys, told to a program for which they may be something else: read where they exist. */
  maybeReads: string[];
  /** Absolute patterns of the shell: it reads the files that they find. */
  readGlobs: string[];
  /** It also shows files that only the shell knows (variables, recursive searches): any file of the project may be among them. */
  readsUnnamed?: boolean;
  /** Why the facts are not the whole truth; then only the raw text may be asked about. */
  opaque?: string;
}

/** The members that are lists. */
export const factLists = [
  ...(['commands', 'always', 'writes', 'reads', 'visits', 'mentions'] as const),
  ...(['perhaps', 'maybeReads', 'readGlobs'] as const),
] as const;
/** Those of paths. */
export type PathList = Exclude<(typeof factLists)[number], 'commands' | 'always' | 'perhaps'>;

// What the model reads about glob.

export const globPrompt = {
  description: `Finds files by name.

- pattern: a glob relative to path. "*.ts" finds at any depth, "src/*.ts" only there, "src/**/*.{ts,tsx}" below src. Files whose names start with a dot count.
- path: the directory to look in (default: the project).
- ignored: also find what .gitignore excludes, for example in node_modules or dist.
- limit: how many paths (default 100, at most 1000).

What was changed last comes first.`,
  none: (pattern: string) => `No files match ${pattern}.`,
  skipped: (count: number, more: boolean) =>
    `(${count}${more ? ' or more' : ''} ignored path${count === 1 ? '' : 's'} also match${count === 1 ? 'es' : ''}; set ignored to see ${count === 1 ? 'it' : 'them'})`,
  more: (limit: number) => `(only the ${limit} changed last are shown; narrow the pattern or raise limit)`,
  notDirectory: (path: string) => `${path} is a file, not a directory. Use read to see it.`,
  timedOut: 'Looking for files took more than 30 s. Narrow path or pattern.',
};

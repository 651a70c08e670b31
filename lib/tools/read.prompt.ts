// What the model reads about read.

export const readPrompt = {
  description: `Reads a file or lists a directory.

- path: relative to the project or absolute.
- offset: the first line to show, 1-based (default 1).
- limit: how many lines (default and maximum 2000).

Lines come as "12: text"; the number and the colon are not part of the file. Output of commands that was too long is kept in files under /tmp/cloche/: read those with offset and limit.`,
  missing: (path: string, near: string[]) =>
    `${path} does not exist.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ' Use glob to look for it.'}`,
  binary: (path: string, what: string) => `${path} can't be shown as text: ${what}.`,
  beyond: (path: string, offset: number, total: number) =>
    `offset ${offset} is beyond the end: ${path} has ${total} line${total === 1 ? '' : 's'}.`,
  more: (from: number, to: number, total: number) => `(lines ${from}-${to} of ${total}; go on with offset ${to + 1})`,
  end: (total: number) => `(end of file, ${total} line${total === 1 ? '' : 's'})`,
};

// What the model reads about grep.

export const grepPrompt = {
  description: `Searches the text of files.

- pattern: a JavaScript regular expression, or plain text with literal.
- path: a directory, one file or a kept output (output://…); default: the project.
- include: a glob that file paths must match, for example "*.ts" or "src/**/*.{ts,tsx}".
- mode: "content" shows matching lines (default), "files" only paths, newest first, "count" the number per file.
- literal: take pattern as plain text.
- ignoreCase: ignore upper and lower case.
- multiline: let the pattern span lines; "." then matches newlines too.
- context: lines to show around each match (0 to 10).
- ignored: also search what .gitignore excludes.
- limit: how many matches, with mode "files" how many files (default 100, at most 1000).`,
  none: (pattern: string, files: number) =>
    `No matches for ${pattern} (${files} file${files === 1 ? '' : 's'} searched).`,
  badPattern: (pattern: string, message: string) =>
    `${pattern} is not a valid regular expression: ${message}. Escape special characters, or set literal.`,
  narrow: 'Or narrow the search.',
  more: (limit: number) =>
    `(only the first ${limit} matches are shown; narrow the pattern, path or include, or raise limit)`,
  moreFiles: (limit: number) =>
    `(only the first ${limit} files are shown, by path; narrow the pattern, path or include, or raise limit)`,
  counted: (most: number) => `(only the first ${most} matches were counted; narrow the pattern, path or include)`,
  guarded: (matches: number, files: number) =>
    `(${matches} match${matches === 1 ? '' : 'es'} in ${files === 1 ? 'a file that is' : `${files} files that are`} guarded, as .env is, left out; name such a file as path to search it)`,
  /** Empty when nothing was. */
  skipped({ binary, tooLarge, unreadable }: { binary: number; tooLarge: number; unreadable: number }): string {
    const reasons = [
      binary > 0 ? `${binary} binary` : '',
      tooLarge > 0 ? `${tooLarge} larger than 256 MB` : '',
      unreadable > 0 ? `${unreadable} that could not be read` : '',
    ].filter(Boolean);
    if (reasons.length === 0) return '';
    return `(not searched: ${reasons.join(', ')} file${binary + tooLarge + unreadable === 1 ? '' : 's'})`;
  },
  notUnicode: (count: number) =>
    `(${count} file${count === 1 ? ' is' : 's are'} neither UTF-8 nor UTF-16: only ${count === 1 ? 'its' : 'their'} plain letters could be matched; read takes an encoding)`,
  timedOut: 'The search took more than 30 s. Narrow path or include.',
};

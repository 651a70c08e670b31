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
- limit: how many matches (default 100, at most 1000).`,
  none: (pattern: string, files: number) =>
    `No matches for ${pattern} (${files} file${files === 1 ? '' : 's'} searched).`,
  badPattern: (pattern: string, message: string) =>
    `${pattern} is not a valid regular expression: ${message}. Escape special characters, or set literal.`,
  narrow: 'Or narrow the search.',
  more: (limit: number) =>
    `(only the first ${limit} matches are shown; narrow the pattern, path or include, or raise limit)`,
  secrets: (count: number) =>
    `(${count} match${count === 1 ? '' : 'es'} in .env files left out; name such a file as path to search it)`,
  timedOut: 'The search took more than 30 s. Narrow path or include.',
};

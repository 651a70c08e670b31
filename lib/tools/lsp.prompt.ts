// What the model reads about lsp.

export const lspPrompt = {
  description: `Asks the language service about TypeScript and JavaScript.

- operation: diagnostics (the errors of a file), definition, references, hover, symbols (the outline of a file) or rename.
- path: the file.
- line: the 1-based line, for all but diagnostics and symbols.
- symbol: the name on that line that is meant; its first occurrence there, for all but diagnostics and symbols.
- newName: rename: the new name. All files are changed as one, after a question to the person.

Use rename for names instead of searching and replacing. Packages in node_modules are not looked into.`,
  notCovered: (path: string) => `The language service knows TypeScript and JavaScript only, not ${path}. Use grep.`,
  missing: (path: string, near: string[]) =>
    `${path} does not exist.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`,
  needs: (operation: string) => `${operation} needs line and symbol.`,
  needsName: 'rename needs newName, a valid identifier.',
  noSymbol: (symbol: string, line: number, text: string) => `Line ${line} has no \`${symbol}\`. It is: ${text.trim()}`,
  notReady: (path: string) => `The language service has not read ${path} yet. Try again in a moment, or use grep.`,
  nothing: 'Nothing found.',
  noErrors: 'No errors.',
  refused: (why: string) => `It can't be renamed: ${why}`,
};

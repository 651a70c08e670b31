// What the model reads about lsp.

export const lspPrompt = {
  description: `Asks the language service about TypeScript and JavaScript.

- operation: diagnostics (the errors of a file), definition, references, hover, symbols (the outline of a file), rename, codeActions (the quick fixes that there are), applyCodeAction (makes one of them) or organizeImports (sorts and merges the imports of a file, and removes unused ones).
- path: the file.
- line: the 1-based line. definition, references, hover and rename need it; codeActions and applyCodeAction keep to that line when it is given.
- symbol: the name on that line that is meant; its first occurrence there. definition, references, hover and rename need it.
- newName: rename: the new name.
- action: applyCodeAction: the title as codeActions gave it.

What changes files changes all of them as one, after a question to the person. Use rename for names instead of searching and replacing. Packages in node_modules are not looked into.`,
  notCovered: (path: string) => `The language service knows TypeScript and JavaScript only, not ${path}. Use grep.`,
  missing: (path: string, near: string[]) =>
    `${path} does not exist.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`,
  needs: (operation: string) => `${operation} needs line and symbol.`,
  needsName: 'rename needs newName, a valid identifier.',
  noSymbol: (symbol: string, line: number, text: string) => `Line ${line} has no \`${symbol}\`. It is: ${text.trim()}`,
  notReady: (path: string) => `The language service has not read ${path} yet. Try again in a moment, or use grep.`,
  moving: (path: string) => `${path} is being changed right now, so nothing that holds can be said of it. Try again.`,
  about: (path: string, version: string) => `${path}, version ${version}:`,
  notWhatYouRead: (path: string) => `(${path} is not what you last read: read it again before you go by these lines.)`,
  needsAction: 'applyCodeAction needs action: a title that codeActions gave.',
  noAction: (action: string, titles: string[], line: number | undefined) => {
    const where = line === undefined ? 'here' : `on line ${line}`;
    const others = line === undefined ? '' : ' Lines may have moved: leave line away to look in the whole file.';
    return `There is no action “${action}” ${where}.${titles.length === 0 ? ' There is none at all.' : ` There are: ${titles.join(' · ')}`}${others}`;
  },
  manyActions: (action: string, lines: number[]) =>
    `“${action}” can be done at lines ${lines.join(', ')}. Say which line you mean.`,
  noActions: 'There is nothing that the language service could do here.',
  forAll: 'Everywhere in the file:',
  nothing: 'Nothing found.',
  nothingToChange: 'There is nothing to change.',
  moved: (path: string) => `${path} was changed meanwhile in the same place. Nothing was changed. Try again.`,
  merged: (paths: string[]) =>
    `${paths.join(', ')} had been changed meanwhile elsewhere: that stands, and was not looked at for this.`,
  noErrors: 'No errors.',
  refused: (why: string) => `It can't be renamed: ${why}`,
};

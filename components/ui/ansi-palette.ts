// The sixteen colours that programs name by number, as tokens: the terminal and the agent's outputs show the same ones. Black and white are both the
// text's colour, as either of them would be lost on one of the two themes.

/** Names of tokens (`red`: `--red`), by the number of the colour. */
export const ansiTokens = [
  ...['text', 'red', 'green', 'amber', 'blue', 'code-type', 'accent', 'muted'],
  ...['muted', 'red', 'green', 'amber', 'blue', 'code-type', 'accent', 'text'],
] as const;

// The terminal's sixteen colours from the tokens, so that it changes with the page.
import type { ITheme } from '@xterm/xterm';
import { ansiTokens } from '../ui/ansi-palette';
import { token } from '../ui/theme';

const names = [
  ...(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const),
  ...(['brightBlack', 'brightRed', 'brightGreen', 'brightYellow'] as const),
  ...(['brightBlue', 'brightMagenta', 'brightCyan', 'brightWhite'] as const),
];

/** The theme as the page shows now. */
export function terminalTheme(): ITheme {
  const surface = token('surface');
  return {
    background: surface,
    foreground: token('text'),
    cursor: token('accent'),
    cursorAccent: surface,
    selectionBackground: token('selection'),
    selectionInactiveBackground: token('selected'),
    ...Object.fromEntries(names.map((name, at) => [name, token(ansiTokens[at]!)])),
  };
}

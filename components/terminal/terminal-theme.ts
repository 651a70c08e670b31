// The terminal's sixteen colours from the tokens, so that it changes with the page.
import type { ITheme } from '@xterm/xterm';
import { token } from '../ui/theme';

/** The theme as the page shows now. */
export function terminalTheme(): ITheme {
  const [text, muted, surface] = [token('text'), token('muted'), token('surface')];
  const purple = token('code-type');
  return {
    background: surface,
    foreground: text,
    cursor: token('accent'),
    cursorAccent: surface,
    selectionBackground: token('selection'),
    selectionInactiveBackground: token('selected'),
    black: text,
    brightBlack: muted,
    white: muted,
    brightWhite: text,
    red: token('red'),
    brightRed: token('red'),
    green: token('green'),
    brightGreen: token('green'),
    yellow: token('amber'),
    brightYellow: token('amber'),
    blue: token('blue'),
    brightBlue: token('blue'),
    magenta: purple,
    brightMagenta: purple,
    cyan: token('accent'),
    brightCyan: token('accent'),
  };
}

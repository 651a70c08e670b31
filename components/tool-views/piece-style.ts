// How a piece of a program's output is drawn: the palette by the tokens of the theme, any other colour moved to where it can be read on it.
import type { CSSProperties } from 'react';
import type { TerminalColour, TextStyle } from '../../lib/std/terminal-text';
import { ansiTokens } from '../ui/ansi-palette';

/** Text on a background of the palette has the surface's colour, whatever colour was asked for: every token of the palette can be read on the surface. */
export function pieceStyle(style: TextStyle): CSSProperties {
  const [front, back] = style.inverse ? [style.back, style.colour ?? 0] : [style.colour, style.back];
  const lines = [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean).join(' ');
  return {
    ...(style.bold && { fontWeight: 700 }),
    ...(style.italic && { fontStyle: 'italic' }),
    ...(lines && { textDecoration: lines }),
    ...(back === undefined
      ? front !== undefined
        ? { color: readable(front) }
        : style.dim && { color: 'var(--muted)' }
      : { background: asIs(back), color: on(back) }),
  };
}

function asIs(colour: TerminalColour): string {
  return typeof colour === 'number' ? `var(--${ansiTokens[colour]})` : colour;
}

/** `--readable-from` and `--readable-to` bound the lightness of text on the theme's surface. */
function readable(colour: TerminalColour): string {
  if (typeof colour === 'number') return asIs(colour);
  return `oklch(from ${colour} clamp(var(--readable-from), l, var(--readable-to)) c h)`;
}

function on(back: TerminalColour): string {
  if (typeof back === 'number') return 'var(--surface)';
  const [red, green, blue] = [1, 3, 5].map((at) => (Number.parseInt(back.slice(at, at + 2), 16) / 255) ** 2.2);
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  return luminance > 0.18 ? '#000000' : '#ffffff';
}

// Columns of characters as terminals count them today: xterm's own table (Unicode 6) takes emoji for narrow, and every table or menu drawn with
// them would be crooked. Programs (Node's readline, the shell) count like this.
import type { IUnicodeVersionProvider, Terminal } from '@xterm/xterm';

const WIDE = /^\p{Emoji_Presentation}$/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** East Asian wide and fullwidth blocks, first and last. */
const BLOCKS = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
] as const;

function width(code: number): 0 | 1 | 2 {
  if (code < 32 || (code >= 0x7f && code < 0xa0)) return 0;
  if (code < 0x300) return 1;
  const character = String.fromCodePoint(code);
  if (NO_WIDTH.test(character)) return 0;
  if (BLOCKS.some(([first, last]) => code >= first && code <= last)) return 2;
  return WIDE.test(character) ? 2 : 1;
}

const provider: IUnicodeVersionProvider = {
  version: '16',
  wcwidth: width,
  // Bit 0: joins the cell before; bits 1 and 2: the width; as xterm's own providers pack it.
  charProperties(code, preceding) {
    const own = width(code);
    const before = (preceding >> 1) & 3;
    const joins = own === 0 && before > 0;
    return ((joins ? before : own) << 1) | (joins ? 1 : 0);
  },
};

/** Makes the terminal count columns this way. Needs `allowProposedApi`. */
export function countModernWidths(terminal: Pick<Terminal, 'unicode'>): void {
  terminal.unicode.register(provider);
  terminal.unicode.activeVersion = provider.version;
}

// What the keyboard sends, as keys: letters, named keys in Emacs' notation, pasted blocks. Bytes are taken one at a time, so that what follows
// Enter stays in the terminal for the command that Enter starts.

/** One key or one pasted block. Names: `C-a`, `M-b`, `M-C-l`, `up`, `C-left`, `enter`, `tab`, `backspace`, `delete`, `escape`. */
export type Key =
  | { kind: 'text'; text: string }
  | { kind: 'key'; name: string }
  | { kind: 'paste'; text: string }
  | { kind: 'end' };

/** The next byte, or one of these. */
export type NextByte = (timeoutMs?: number) => Promise<number>;
export const NO_MORE = -1;
export const TIMED_OUT = -2;

const ESCAPE = 27;
/** How long a lone Escape waits for the rest of a key. */
const ESCAPE_MS = 100;
const PASTE_END = '\x1b[201~';

const FINAL: Record<string, string> = { A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end', Z: 'S-tab' };
const NUMBERED: Record<string, string> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};
const CONTROL: Record<number, string> = { 8: 'backspace', 9: 'tab', 10: 'enter', 13: 'enter', 127: 'backspace' };

/** Reads one key. Sequences that no key here sends are swallowed whole. */
export async function readKey(next: NextByte): Promise<Key> {
  const byte = await next();
  if (byte === NO_MORE) return { kind: 'end' };
  if (byte !== ESCAPE) return plainKey(byte, next);
  const second = await next(ESCAPE_MS);
  if (second === TIMED_OUT || second === NO_MORE) return named('escape');
  if (second === 0x5b) return sequence(next);
  if (second === 0x4f) return named(FINAL[String.fromCharCode(await next())] ?? 'unknown');
  if (second === ESCAPE) return named('escape');
  const key = await plainKey(second, next);
  if (key.kind === 'key') return named(`M-${key.name}`);
  return key.kind === 'text' ? named(`M-${key.text}`) : key;
}

function named(name: string): Key {
  return { kind: 'key', name };
}

async function plainKey(byte: number, next: NextByte): Promise<Key> {
  const name = CONTROL[byte];
  if (name) return named(name);
  if (byte < 32) return named(`C-${String.fromCharCode(byte + 64).toLowerCase()}`);
  if (byte < 0x80) return { kind: 'text', text: String.fromCharCode(byte) };
  const bytes = [byte];
  for (let more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0; more > 0; more--)
    bytes.push(await next());
  return { kind: 'text', text: Buffer.from(bytes).toString('utf8') };
}

/** After `ESC [`: parameters, then a final byte. */
async function sequence(next: NextByte): Promise<Key> {
  let parameters = '';
  let final = '';
  while (final === '') {
    const byte = await next();
    if (byte === NO_MORE) return { kind: 'end' };
    if (byte >= 0x40 && byte <= 0x7e) final = String.fromCharCode(byte);
    else parameters += String.fromCharCode(byte);
  }
  if (final === '~' && parameters === '200') return { kind: 'paste', text: await pasted(next) };
  const [first = '', modifier = '1'] = parameters.split(';');
  const name = final === '~' ? NUMBERED[first] : FINAL[final];
  if (name === undefined) return named('unknown');
  const bits = Number(modifier) - 1;
  return named(`${bits & 2 ? 'M-' : ''}${bits & 4 ? 'C-' : ''}${name}`);
}

async function pasted(next: NextByte): Promise<string> {
  const bytes: number[] = [];
  for (;;) {
    const byte = await next();
    if (byte === NO_MORE) break;
    bytes.push(byte);
    if (byte !== 0x7e || bytes.length < PASTE_END.length) continue;
    if (String.fromCharCode(...bytes.slice(-PASTE_END.length)) !== PASTE_END) continue;
    bytes.length -= PASTE_END.length;
    break;
  }
  return Buffer.from(bytes).toString('utf8').replace(/\r\n?/g, '\n');
}

// Ways to write a text so that a shell reads it back: for `declare -p`, `set -x`, `printf %q`, `${x@Q}`; and `$'…'` escapes.
import { decodeText, STRAY } from '../io/text';

/** What only `$'…'` can say: control characters and bytes that are no letters. */
const UNPRINTABLE = new RegExp(`[\\x00-\\x1f\\x7f${STRAY}]`, 'u');
const TO_ESCAPE = new RegExp(`[\\x00-\\x1f\\x7f'\\\\${STRAY}]`, 'gu');

/** Whether only `$'…'` can write the text. */
export function isUnprintable(text: string): boolean {
  return UNPRINTABLE.test(text);
}

/** `set -x` and `declare -p` leave harmless words alone. */
export function quoteTrace(text: string): string {
  if (text === '') return "''";
  if (UNPRINTABLE.test(text)) return quoteAnsi(text);
  return /^[\w%+,./:=@^-]+$/u.test(text) && !text.startsWith('~') ? text : quoteSingle(text);
}

/** `'text'`, with `'\''` for a quote. */
export function quoteSingle(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

/** `$'text'`. */
export function quoteAnsi(text: string): string {
  const names: Record<string, string> = {
    '\n': '\\n',
    '\t': '\\t',
    '\r': '\\r',
    '\x07': '\\a',
    '\b': '\\b',
    '\v': '\\v',
    '\f': '\\f',
    '\x1b': '\\E',
  };
  const body = text.replace(TO_ESCAPE, (character) => {
    if (character === "'" || character === '\\') return `\\${character}`;
    return names[character] ?? `\\${(character.charCodeAt(0) & 0xff).toString(8).padStart(3, '0')}`;
  });
  return `$'${body}'`;
}

/** `"text"`, as `declare -p` writes values. */
export function quoteDouble(text: string): string {
  if (UNPRINTABLE.test(text)) return quoteAnsi(text);
  return `"${text.replace(/[$`"\\]/g, '\\$&')}"`;
}

/** `printf %q`: backslashes, or `$'…'` when there are control characters. */
export function quoteBackslash(text: string): string {
  if (text === '') return "''";
  if (UNPRINTABLE.test(text)) return quoteAnsi(text);
  return text.replace(/[^\w%+./:=@^\u0080-\uffff-]/gu, '\\$&').replace(/^~/, '\\~');
}

/** Decodes backslash escapes of `echo -e`, `printf` and `$'…'`. `stopped` when `\c` was met. */
export function unescape(
  text: string,
  style: 'echo' | 'argument' | 'printf' | 'ansi',
): { text: string; stopped: boolean } {
  let result = '';
  let bytes: number[] = [];
  const flush = () => {
    if (bytes.length > 0) result += decodeText(Uint8Array.from(bytes));
    bytes = [];
  };
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '\\' || i + 1 >= text.length) {
      flush();
      result += text[i];
      continue;
    }
    const rest = text.slice(i + 1);
    const next = rest[0]!;
    const simple = SIMPLE[next];
    if (simple !== undefined) {
      flush();
      result += simple;
      i++;
      continue;
    }
    if (next === 'c') {
      flush();
      if (style === 'printf') {
        result += '\\c';
        i++;
        continue;
      }
      if (style !== 'ansi') return { text: result, stopped: true };
      result += rest[1] === '?' ? '\x7f' : String.fromCharCode(rest.charCodeAt(1) & 31);
      i += 2;
      continue;
    }
    const octal = rest.match(
      style === 'echo' ? /^0([0-7]{0,3})/ : style === 'argument' ? /^(?:0([0-7]{1,3})|([0-7]{1,3}))/ : /^([0-7]{1,3})/,
    );
    const hex = rest.match(/^x([0-9a-fA-F]{1,2})/);
    const unicode = rest.match(/^u([0-9a-fA-F]{1,4})|^U([0-9a-fA-F]{1,8})/);
    if (octal) {
      bytes.push(Number.parseInt(octal[1] || octal[2] || '0', 8) & 255);
      i += octal[0].length;
    } else if (hex) {
      bytes.push(Number.parseInt(hex[1]!, 16));
      i += hex[0].length;
    } else if (unicode) {
      flush();
      result += codePoint(Number.parseInt(unicode[1] ?? unicode[2]!, 16));
      i += unicode[0].length;
    } else if (style === 'ansi' && (next === "'" || next === '"' || next === '?')) {
      flush();
      result += next;
      i++;
    } else if (style === 'printf' && (next === '"' || next === "'")) {
      flush();
      result += next;
      i++;
    } else {
      flush();
      result += `\\${next}`;
      i++;
    }
  }
  flush();
  return { text: result, stopped: false };
}

const SIMPLE: Record<string, string> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** The letter, or the bytes that bash makes of a number that is none: UTF-8's scheme, as far as it goes. */
function codePoint(number: number): string {
  if (number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff)) return String.fromCodePoint(number);
  const bytes: number[] = [];
  const count = number < 0x10000 ? 3 : number < 0x200000 ? 4 : number < 0x4000000 ? 5 : 6;
  for (let at = count - 1; at > 0; at--) bytes.unshift(0x80 | (Math.floor(number / 64 ** (count - 1 - at)) & 0x3f));
  bytes.unshift(((0xff00 >> count) & 0xff) | Math.floor(number / 64 ** (count - 1)));
  return decodeText(Uint8Array.from(bytes));
}

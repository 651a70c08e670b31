// Ways to write a text so that a shell reads it back: for `declare -p`, `set -x`, `printf %q`, `${x@Q}`; and `$'…'` escapes.

/** `set -x` and `declare -p` leave harmless words alone. */
export function quoteTrace(text: string): string {
  if (text === '') return "''";
  if (/[\x00-\x1f\x7f]/.test(text)) return quoteAnsi(text);
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
  const body = text.replace(/[\x00-\x1f\x7f'\\]/g, (character) => {
    if (character === "'" || character === '\\') return `\\${character}`;
    return names[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `$'${body}'`;
}

/** `"text"`, as `declare -p` writes values. */
export function quoteDouble(text: string): string {
  if (/[\x00-\x1f\x7f]/.test(text)) return quoteAnsi(text);
  return `"${text.replace(/[$`"\\]/g, '\\$&')}"`;
}

/** `printf %q`: backslashes, or `$'…'` when there are control characters. */
export function quoteBackslash(text: string): string {
  if (text === '') return "''";
  if (/[\x00-\x1f\x7f]/.test(text)) return quoteAnsi(text);
  return text.replace(/[^\w%+./:=@^\u0080-\uffff-]/gu, '\\$&').replace(/^~/, '\\~');
}

/** Decodes backslash escapes of `echo -e`, `printf` and `$'…'`. `stopped` when `\c` was met. */
export function unescape(text: string, style: 'echo' | 'printf' | 'ansi'): { text: string; stopped: boolean } {
  let result = '';
  let bytes: number[] = [];
  const flush = () => {
    if (bytes.length > 0) result += Buffer.from(bytes).toString('utf8');
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
    if (next === 'c' && style !== 'ansi') {
      flush();
      return { text: result, stopped: true };
    }
    const octal = rest.match(
      style === 'echo' ? /^0([0-7]{0,3})/ : style === 'printf' ? /^0?([0-7]{1,3})/ : /^([0-7]{1,3})/,
    );
    const hex = rest.match(/^x([0-9a-fA-F]{1,2})/);
    const unicode = rest.match(/^u([0-9a-fA-F]{1,4})|^U([0-9a-fA-F]{1,8})/);
    if (octal) {
      bytes.push(Number.parseInt(octal[1] || '0', 8) & 255);
      i += octal[0].length;
    } else if (hex) {
      bytes.push(Number.parseInt(hex[1]!, 16));
      i += hex[0].length;
    } else if (unicode) {
      flush();
      result += String.fromCodePoint(Number.parseInt(unicode[1] ?? unicode[2]!, 16));
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

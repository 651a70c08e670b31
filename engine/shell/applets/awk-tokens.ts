// The tokens of awk.
import { decodeText, joinBytes } from '../io/text';
import { UsageError } from './tool';

/** Functions of the language, with their least number of arguments. */
const BUILTINS = new Set([
  'length',
  'substr',
  'index',
  'split',
  'sub',
  'gsub',
  'gensub',
  'match',
  'sprintf',
  'sin',
  'cos',
  'atan2',
  'exp',
  'log',
  'sqrt',
  'int',
  'rand',
  'srand',
  'tolower',
  'toupper',
  'system',
  'close',
  'fflush',
  'systime',
  'strftime',
  'mktime',
  'asort',
  'asorti',
  'and',
  'or',
  'xor',
  'lshift',
  'rshift',
  'compl',
]);

const KEYWORDS = new Set([
  'BEGIN',
  'END',
  'function',
  'func',
  'if',
  'else',
  'while',
  'for',
  'do',
  'break',
  'continue',
  'next',
  'nextfile',
  'exit',
  'return',
  'delete',
  'in',
  'getline',
  'print',
  'printf',
]);

const OPERATOR = /^(\*\*=|\+\+|--|\+=|-=|\*=|\/=|%=|\^=|==|<=|>=|!=|!~|&&|\|\||>>|\*\*|[-+*/%^!<>=~?:,;(){}[\]$|\n])/;

export interface Token {
  kind: 'number' | 'string' | 'regex' | 'name' | 'call' | 'builtin' | 'keyword' | 'operator' | 'end';
  text: string;
  /** Whitespace stood before it. */
  spaced: boolean;
}

export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let spaced = false;
  const push = (kind: Token['kind'], text: string) => {
    tokens.push({ kind, text, spaced });
    spaced = false;
  };
  while (at < source.length) {
    const rest = source.slice(at);
    const skipped = rest.match(/^(?:[ \t\r]+|\\\r?\n|#[^\n]*)/);
    if (skipped) {
      at += skipped[0].length;
      spaced = true;
      continue;
    }
    const last = tokens.at(-1);
    const operandBefore =
      last &&
      (['number', 'string', 'regex', 'name', 'builtin'].includes(last.kind) ||
        (last.kind === 'operator' && [')', ']', '$', '++', '--'].includes(last.text)));
    const number = rest.match(/^(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/);
    if (number) {
      push('number', number[0]);
      at += number[0].length;
    } else if (rest[0] === '"') {
      const [text, length] = quoted(rest);
      push('string', text);
      at += length;
    } else if (rest[0] === '/' && !operandBefore) {
      const body = rest.match(/^\/((?:\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\n])*\]|[^/\\\n[])*)\//);
      if (!body) throw new UsageError(`unterminated regexp at ${rest.slice(0, 20)}`, 2);
      push('regex', body[1]!);
      at += body[0].length;
    } else {
      const name = rest.match(/^[A-Za-z_]\w*/);
      if (name) {
        const kind = KEYWORDS.has(name[0])
          ? 'keyword'
          : BUILTINS.has(name[0])
            ? 'builtin'
            : rest[name[0].length] === '('
              ? 'call'
              : 'name';
        push(kind, name[0] === 'func' ? 'function' : name[0]);
        at += name[0].length;
        continue;
      }
      const operator = rest.match(OPERATOR);
      if (!operator) throw new UsageError(`syntax error near ${rest.slice(0, 20)}`, 2);
      push('operator', operator[0] === '**' ? '^' : operator[0] === '**=' ? '^=' : operator[0]);
      at += operator[0].length;
    }
  }
  push('end', '');
  return tokens;
}

/** What the escapes of `-v name=text` and `-F text` mean. */
export function unquote(text: string): string {
  return quoted(
    `"${text.replace(/\\[\s\S]|"/g, (found) => (found === '"' ? '\\"' : found))}${/(^|[^\\])(\\\\)*\\$/.test(text) ? '\\' : ''}"`,
  )[0];
}

/** A string constant: its value, and its length in the source. */
function quoted(source: string): [string, number] {
  let text = '';
  for (let i = 1; i < source.length; i++) {
    const character = source[i]!;
    if (character === '"') return [joinBytes(text), i + 1];
    if (character !== '\\') {
      text += character;
      continue;
    }
    const rest = source.slice(i + 1);
    const octal = rest.match(/^[0-7]{1,3}/);
    const hex = rest.match(/^x([0-9a-fA-F]{1,2})/);
    if (octal) text += oneByte(Number.parseInt(octal[0], 8));
    else if (hex) text += oneByte(Number.parseInt(hex[1]!, 16));
    else if (rest[0] !== '\n')
      text +=
        { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', '/': '/', a: '\x07', b: '\b', f: '\f', v: '\v' }[rest[0]!] ??
        `\\${rest[0]}`;
    i += octal?.[0].length ?? hex?.[0].length ?? 1;
  }
  throw new UsageError('unterminated string', 2);
}

function oneByte(number: number): string {
  return decodeText(Uint8Array.of(number));
}

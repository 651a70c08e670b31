// POSIX regular expressions (basic and extended, with GNU's additions) as JavaScript ones.
import { UsageError } from './tool';

const CLASSES: Record<string, string> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: ' \\t\\n\\r\\f\\v',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  print: '\\x20-\\x7e\\u00a0-\\uffff',
  graph: '\\x21-\\x7e\\u00a1-\\uffff',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
};

/** One letter, but not a byte that is none (io/text.ts): expressions are compiled without the flag `u`. */
const LETTER = '(?:[^\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])';

/** The source of a JavaScript expression for `pattern`. Throws UsageError for one that is malformed. */
export function posixSource(pattern: string, extended: boolean): string {
  let out = '';
  let depth = 0;
  let start = true;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!;
    if (character === '[') {
      const [text, end] = bracket(pattern, i);
      out += text;
      i = end;
      start = false;
      continue;
    }
    let operator = character;
    let special = extended;
    if (character === '\\') {
      const next = pattern[++i];
      if (next === undefined) throw new UsageError('Trailing backslash', 2);
      if ('(){}|+?'.includes(next)) {
        operator = next;
        special = !extended;
      } else {
        out += escape(next);
        start = false;
        continue;
      }
      if (!special) {
        out += `\\${next}`;
        start = false;
        continue;
      }
    } else if ('(){}|+?'.includes(character) && !extended) {
      out += `\\${character}`;
      start = false;
      continue;
    }
    switch (operator) {
      case '(':
        depth++;
        out += '(';
        start = true;
        continue;
      case ')':
        if (depth === 0) {
          if (!extended) throw new UsageError('Unmatched ) or \\)', 2);
          out += '\\)';
          start = false;
          continue;
        }
        depth--;
        out += ')';
        start = false;
        continue;
      case '|':
        out += '|';
        start = true;
        continue;
      case '*':
        if (start) out += '\\*';
        else if (!/[*+?}]$/.test(out) || /\\[*+?}]$/.test(out)) out += '*';
        start = false;
        continue;
      case '+':
      case '?':
        out += start ? `\\${operator}` : /[*+?}]$/.test(out) && !/\\[*+?}]$/.test(out) ? '' : operator;
        start = false;
        continue;
      case '{': {
        const interval = pattern.slice(i + 1).match(special && !extended ? /^(\d*)(,?)(\d*)\\\}/ : /^(\d*)(,?)(\d*)\}/);
        if (!interval || (interval[1] === '' && interval[2] === '')) {
          out += '\\{';
          start = false;
          continue;
        }
        out += `{${interval[1] || 0}${interval[2]}${interval[3]}}`;
        i += interval[0].length;
        start = false;
        continue;
      }
      case '}':
        out += '\\}';
        start = false;
        continue;
      case '^':
        if (extended || start) out += '^';
        else out += '\\^';
        continue;
      case '$': {
        const rest = pattern.slice(i + 1);
        out += extended || rest === '' || rest.startsWith('\\)') || rest.startsWith('\\|') ? '$' : '\\$';
        continue;
      }
      default:
        if (character === '.') out += LETTER;
        else out += '/'.includes(operator) || operator === ']' ? `\\${operator}` : operator;
        start = false;
    }
  }
  if (depth > 0) throw new UsageError('Unmatched ( or \\(', 2);
  return out;
}

function escape(letter: string): string {
  switch (letter) {
    case '<':
      return '\\b(?=\\w)';
    case '>':
      return '\\b(?<=\\w)';
    case '`':
      return '^';
    case "'":
      return '$';
    case 'w':
    case 'W':
    case 's':
    case 'S':
    case 'b':
    case 'B':
    case 'n':
    case 't':
    case 'r':
    case 'f':
    case 'v':
      return `\\${letter}`;
    default:
      if (/[1-9]/.test(letter)) return `\\${letter}(?:)`;
      return /[\\^$.*+?()[\]{}|/]/.test(letter) ? `\\${letter}` : letter;
  }
}

/** The bracket expression at `start`: its JavaScript source and the index of its `]`. */
function bracket(pattern: string, start: number): [string, number] {
  let i = start + 1;
  let out = '[';
  if (pattern[i] === '^') {
    out += '^';
    i++;
  }
  let first = true;
  for (; i < pattern.length; i++, first = false) {
    const character = pattern[i]!;
    if (character === ']' && !first)
      return [out[1] === '^' ? `(?:${out}\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])` : `${out}]`, i];
    if (character === '[' && /[:.=]/.test(pattern[i + 1] ?? '')) {
      const kind = pattern[i + 1]!;
      const end = pattern.indexOf(`${kind}]`, i + 2);
      if (end > 0) {
        const name = pattern.slice(i + 2, end);
        if (kind === ':' && !CLASSES[name]) throw new UsageError('Invalid character class name', 2);
        out += kind === ':' ? CLASSES[name]! : `\\${name}`;
        i = end + 1;
        continue;
      }
    }
    if (character === '\\' && 'nt\\]'.includes(pattern[i + 1] ?? '') && pattern[i + 1] !== ']') {
      out += pattern[i + 1] === '\\' ? '\\\\' : `\\${pattern[i + 1]}`;
      i++;
    } else out += /[\\[\]^]/.test(character) ? `\\${character}` : character;
  }
  throw new UsageError('Unmatched [, [^, [:, [., or [=', 2);
}

/** A compiled expression. */
export function posixRegex(pattern: string, extended: boolean, flags = ''): RegExp {
  const source = posixSource(pattern, extended);
  try {
    return new RegExp(source, flags);
  } catch {
    throw new UsageError('Invalid regular expression', 2);
  }
}

/** A plain text as the source of an expression. */
export function literalSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

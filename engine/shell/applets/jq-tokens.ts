// The tokens of jq.
import { UsageError } from './tool';

export interface Token {
  kind: 'number' | 'text' | 'name' | 'field' | 'variable' | 'format' | 'operator' | 'end';
  text: string;
  parts?: (string | { source: string })[];
  at: number;
}

const OPERATOR = /^(\?\/\/=?|\/\/=|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\.\.|\/\/|[-+*/%=<>|,:;.?(){}[\]])/;

export function fail(message: string): never {
  throw new UsageError(`error: ${message}\njq: 1 compile error`, 3);
}

export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const space = rest.match(/^(?:\s+|#[^\n]*)/);
    if (space) {
      at += space[0].length;
      continue;
    }
    const start = at;
    const push = (kind: Token['kind'], text: string, length: number) => {
      tokens.push({ kind, text, at: start });
      at += length;
    };
    const number = rest.match(/^(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/);
    const field = rest.match(/^\.([A-Za-z_]\w*)/);
    const variable = rest.match(/^\$((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)/);
    const format = rest.match(/^@[A-Za-z]\w*/);
    const name = rest.match(/^(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/);
    if (rest[0] === '"') {
      const { parts, length } = stringParts(rest);
      tokens.push({ kind: 'text', text: '', parts, at: start });
      at += length;
    } else if (number) push('number', number[0], number[0].length);
    else if (field) push('field', field[1]!, field[0].length);
    else if (variable) push('variable', variable[1]!, variable[0].length);
    else if (format) push('format', format[0], format[0].length);
    else if (name) push('name', name[0], name[0].length);
    else {
      const operator = rest.match(OPERATOR);
      if (!operator)
        fail(
          `syntax error, unexpected INVALID_CHARACTER (Unix shell quoting issues?) at <top-level>, line 1:\n${source}`,
        );
      push('operator', operator[0], operator[0].length);
    }
  }
  tokens.push({ kind: 'end', text: '', at });
  return tokens;
}

function stringParts(source: string): { parts: (string | { source: string })[]; length: number } {
  const parts: (string | { source: string })[] = [];
  let text = '';
  for (let i = 1; i < source.length; i++) {
    const character = source[i]!;
    if (character === '"') {
      if (text !== '' || parts.length === 0) parts.push(text);
      return { parts, length: i + 1 };
    }
    if (character !== '\\') {
      text += character;
      continue;
    }
    const next = source[++i]!;
    if (next === '(') {
      let depth = 1;
      let end = i + 1;
      for (; end < source.length && depth > 0; end++) {
        if (source[end] === '"') end += stringParts(source.slice(end)).length - 1;
        else if (source[end] === '(') depth++;
        else if (source[end] === ')') depth--;
      }
      parts.push(text, { source: source.slice(i + 1, end - 1) });
      text = '';
      i = end - 1;
    } else if (next === 'u') {
      text += String.fromCharCode(Number.parseInt(source.slice(i + 1, i + 5), 16));
      i += 4;
    } else
      text +=
        { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '/': '/', '\\': '\\', '"': '"' }[next] ??
        fail(`invalid escape \\${next}`);
  }
  return fail('syntax error, unterminated string literal');
}

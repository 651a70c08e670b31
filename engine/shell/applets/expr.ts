// The grammar of expr.
import { posixSource } from './regex';
import { UsageError } from './tool';

/** The value of an expression in words. Throws UsageError (status 2). */
export function evaluateExpression(words: string[]): string {
  let at = 0;
  const fail = (message: string): never => {
    throw new UsageError(message, 2);
  };
  const levels: string[][] = [
    ['|'],
    ['&'],
    ['<', '<=', '=', '==', '!=', '>=', '>'],
    ['+', '-'],
    ['*', '/', '%'],
    [':'],
  ];
  const integer = (text: string): bigint => (/^-?\d+$/.test(text) ? BigInt(text) : fail('non-integer argument'));
  const zero = (text: string) => text === '' || /^-?0+$/.test(text);

  const primary = (): string => {
    const word = words[at++];
    if (word === undefined)
      return fail(words.length === 0 ? 'missing operand' : `syntax error: missing argument after ‘${words.at(-1)}’`);
    if (word === '(') {
      const value = binary(0);
      if (words[at++] !== ')') fail(`syntax error: expecting ')' after ‘${words[at - 2] ?? ''}’`);
      return value;
    }
    if (word === '+' && at < words.length) return words[at++]!;
    if (word === 'length' && at < words.length) return String([...primary()].length);
    if (word === 'substr' && at + 2 < words.length) {
      const [text, from, count] = [primary(), Number(primary()), Number(primary())];
      return from < 1 || count < 1 ? '' : text.slice(from - 1, from - 1 + count);
    }
    if (word === 'index' && at + 1 < words.length) {
      const [text, characters] = [primary(), primary()];
      return String([...text].findIndex((character) => characters.includes(character)) + 1);
    }
    if (word === 'match' && at + 1 < words.length) return match(primary(), primary());
    return word;
  };

  const match = (text: string, pattern: string): string => {
    const found = new RegExp(`^(?:${posixSource(pattern.replace(/^\^/, ''), false)})`, 's').exec(text);
    if (/\\\(/.test(pattern)) return found?.[1] ?? '';
    return String(found ? [...found[0]].length : 0);
  };

  const binary = (level: number): string => {
    if (level === levels.length) return primary();
    let left = binary(level + 1);
    while (levels[level]!.includes(words[at] ?? '')) {
      const operator = words[at++]!;
      left = apply(operator, left, binary(level + 1));
    }
    return left;
  };

  const apply = (operator: string, a: string, b: string): string => {
    switch (operator) {
      case '|':
        return zero(a) ? (zero(b) ? '0' : b) : a;
      case '&':
        return zero(a) || zero(b) ? '0' : a;
      case ':':
        return match(a, b);
      case '+':
        return String(integer(a) + integer(b));
      case '-':
        return String(integer(a) - integer(b));
      case '*':
        return String(integer(a) * integer(b));
      case '/':
      case '%':
        if (integer(b) === 0n) fail('division by zero');
        return String(operator === '/' ? integer(a) / integer(b) : integer(a) % integer(b));
      default: {
        const numeric = /^-?\d+$/.test(a) && /^-?\d+$/.test(b);
        const order = numeric
          ? BigInt(a) < BigInt(b)
            ? -1
            : BigInt(a) > BigInt(b)
              ? 1
              : 0
          : a < b
            ? -1
            : a > b
              ? 1
              : 0;
        const holds = {
          '<': order < 0,
          '<=': order <= 0,
          '=': order === 0,
          '==': order === 0,
          '!=': order !== 0,
          '>=': order >= 0,
          '>': order > 0,
        }[operator]!;
        return holds ? '1' : '0';
      }
    }
  };

  const value = binary(0);
  if (at < words.length) fail(`syntax error: unexpected argument ‘${words[at]}’`);
  return value;
}

// Shell patterns (`*`, `?`, `[…]`, extended ones) as regular expressions. A backslash quotes the next character.

/** How a pattern matches. `path`: `*` and `?` do not cross `/`, and a leading dot must be matched explicitly. */
export interface PatternOptions {
  ignoreCase?: boolean;
  path?: boolean;
  dotglob?: boolean;
}

const cache = new Map<string, RegExp>();

/** Characters that make a pattern more than a plain text. */
export const PATTERN_CHARACTERS = /[*?[\]\\+@!(|)]/;

/** A text quoted so that as a pattern it matches itself. */
export function quotePattern(text: string): string {
  return text.replace(/[\\*?[\]()|!+@^-]/g, '\\$&');
}

/** Whether the pattern has an active special character. */
export function hasMagic(pattern: string): boolean {
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!;
    if (character === '\\') i++;
    else if (character === '*' || character === '?') return true;
    else if (character === '[' && bracketEnd(pattern, i) > 0) return true;
    else if ('+@!'.includes(character) && pattern[i + 1] === '(' && closing(pattern, i + 1) > 0) return true;
  }
  return false;
}

/** Without the quoting backslashes. */
export function unquotePattern(pattern: string): string {
  return pattern.replace(/\\([\s\S])/g, '$1');
}

/** A regular expression that matches whole texts. */
export function patternRegex(pattern: string, options: PatternOptions = {}): RegExp {
  const key = `${options.ignoreCase ? 'i' : ''}${options.path ? 'p' : ''}${options.dotglob ? 'd' : ''}:${pattern}`;
  let regex = cache.get(key);
  if (!regex) {
    if (cache.size > 500) cache.clear();
    regex = new RegExp(`^(?:${patternSource(pattern, options)})$`, options.ignoreCase ? 'isu' : 'su');
    cache.set(key, regex);
  }
  return regex;
}

/** The source of the regular expression, without anchors. */
export function patternSource(pattern: string, options: PatternOptions = {}): string {
  const source = translate(pattern, options);
  const hidden = options.path && !options.dotglob && !/^(\\?\.)/.test(pattern);
  return hidden ? `(?!\\.)${source}` : source;
}

function translate(pattern: string, options: PatternOptions): string {
  const any = options.path ? '[^/]' : '[^]';
  let source = '';
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!;
    if ('?*+@!'.includes(character) && pattern[i + 1] === '(') {
      const end = closing(pattern, i + 1);
      if (end > 0) {
        const choices = alternatives(pattern.slice(i + 2, end)).map((choice) => translate(choice, options));
        const group = `(?:${choices.join('|')})`;
        if (character === '!') {
          const rest = translate(pattern.slice(end + 1), options);
          return `${source}(?!${group}${rest}$)${any}*${rest}`;
        }
        source += character === '@' ? group : group + character;
        i = end;
        continue;
      }
    }
    if (character === '\\') {
      i++;
      source += i < pattern.length ? escapeRegex(String.fromCodePoint(pattern.codePointAt(i)!)) : '\\\\';
      if (pattern.codePointAt(i)! > 0xffff) i++;
    } else if (character === '*') {
      while (pattern[i + 1] === '*') i++;
      source += `${any}*`;
    } else if (character === '?') source += any;
    else if (character === '[') {
      const end = bracketEnd(pattern, i);
      if (end > 0) {
        source += bracket(pattern.slice(i + 1, end), options);
        i = end;
      } else source += '\\[';
    } else {
      const point = String.fromCodePoint(pattern.codePointAt(i)!);
      source += escapeRegex(point);
      i += point.length - 1;
    }
  }
  return source;
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Index of the `]` that ends the bracket expression at `start`, or -1. */
function bracketEnd(pattern: string, start: number): number {
  let i = start + 1;
  if (pattern[i] === '!' || pattern[i] === '^') i++;
  if (pattern[i] === ']') i++;
  for (; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === '[' && /[:.=]/.test(pattern[i + 1] ?? '')) {
      const end = pattern.indexOf(`${pattern[i + 1]}]`, i + 2);
      if (end > 0) i = end + 1;
    } else if (pattern[i] === ']') return i;
  }
  return -1;
}

/** Character classes of POSIX, as they stand inside a bracket of a JavaScript expression. */
export const POSIX_CLASSES: Record<string, string> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{Nd}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  print: '\\x20-\\x7e\\u00a0-\\uffff',
  graph: '\\x21-\\x7e\\u00a1-\\uffff',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
};

function bracket(body: string, options: PatternOptions): string {
  const negated = body[0] === '!' || body[0] === '^';
  let inner = '';
  for (let i = negated ? 1 : 0; i < body.length; i++) {
    const character = body[i]!;
    if (character === '[' && body[i + 1] === ':') {
      const end = body.indexOf(':]', i + 2);
      const name = end > 0 ? POSIX_CLASSES[body.slice(i + 2, end)] : undefined;
      if (name) {
        inner += name;
        i = end + 1;
        continue;
      }
    }
    if (character === '\\' && i + 1 < body.length) inner += escapeClass(body[++i]!);
    else if (character === '-' && inner !== '' && i < body.length - 1) {
      // A range that runs backwards matches nothing.
      if (body[i + 1]! < body[i - 1]!) inner = inner.slice(0, -escapeClass(body[i - 1]!).length) + body[++i]!.slice(1);
      else inner += '-';
    } else inner += escapeClass(character);
  }
  if (inner === '') return negated ? '[^]' : '(?!)';
  return `[${negated ? '^' : ''}${inner}${negated && options.path ? '/' : ''}]`;
}

function escapeClass(character: string): string {
  return /[\\\]^\-[&~!#$%*+,.:;<=>?@`{|}()/"']/.test(character) && /[\\\]^\-[/(){}|]/.test(character)
    ? `\\${character}`
    : character;
}

/** Index of the parenthesis that closes the one at `open`, or -1. */
function closing(pattern: string, open: number): number {
  let depth = 0;
  for (let i = open; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === '(') depth++;
    else if (pattern[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

function alternatives(body: string): string[] {
  const result: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < body.length; i++) {
    if (body[i] === '\\') i++;
    else if (body[i] === '(') depth++;
    else if (body[i] === ')') depth--;
    else if (body[i] === '|' && depth === 0) {
      result.push(body.slice(start, i));
      start = i + 1;
    }
  }
  result.push(body.slice(start));
  return result;
}

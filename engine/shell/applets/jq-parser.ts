// The parser of jq filters (jq 1.7's grammar without modules): text → tree.

import { fail, type Token, tokenize } from './jq-tokens';
import type { Filter, Pattern } from './jq-tree';

/** Parses a filter. Throws UsageError (status 3). */
export function parseFilter(source: string): Filter {
  const parser = new Parser(tokenize(source));
  return parser.whole();
}

/** Parses definitions that stand before a filter. */
export function parseDefinitions(source: string, rest: Filter): Filter {
  return new Parser(tokenize(source)).definitions(rest);
}

/** Binding strength and associativity of the operators. */
const LEVELS: Record<string, [number, 'left' | 'right' | 'none']> = {
  '|': [1, 'right'],
  ',': [2, 'left'],
  '//': [3, 'right'],
  '=': [4, 'none'],
  '|=': [4, 'none'],
  '+=': [4, 'none'],
  '-=': [4, 'none'],
  '*=': [4, 'none'],
  '/=': [4, 'none'],
  '%=': [4, 'none'],
  '//=': [4, 'none'],
  or: [5, 'left'],
  and: [6, 'left'],
  '==': [7, 'none'],
  '!=': [7, 'none'],
  '<': [7, 'none'],
  '<=': [7, 'none'],
  '>': [7, 'none'],
  '>=': [7, 'none'],
  '+': [8, 'left'],
  '-': [8, 'left'],
  '*': [9, 'left'],
  '/': [9, 'left'],
  '%': [9, 'left'],
};

/** The parts of a string, its interpolations parsed. */
function textParts(token: Token): (string | Filter)[] {
  return token.parts!.map((part) => (typeof part === 'string' ? part : parseFilter(part.source)));
}

class Parser {
  readonly #tokens: Token[];
  #at = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  /** The kind of the current token, unknown to the compiler's narrowing. */
  #kind(): Token['kind'] {
    return this.#token.kind;
  }

  #is(text: string): boolean {
    return this.#token.text === text && (this.#token.kind === 'operator' || this.#token.kind === 'name');
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text))
      fail(
        `syntax error, unexpected ${this.#token.kind === 'end' ? 'end of file' : `'${this.#token.text}'`}, expecting '${text}'`,
      );
  }

  #word(kind: Token['kind']): string {
    if (this.#token.kind !== kind)
      fail(`syntax error, unexpected ${this.#token.kind === 'end' ? 'end of file' : `'${this.#token.text}'`}`);
    return this.#tokens[this.#at++]!.text;
  }

  whole(): Filter {
    if (this.#token.kind === 'end') return { type: 'identity' };
    const filter = this.#pipe();
    if (this.#kind() !== 'end') fail(`syntax error, unexpected '${this.#token.text}'`);
    return filter;
  }

  definitions(rest: Filter): Filter {
    if (this.#token.kind === 'end') return rest;
    const make = this.#definition();
    return make(this.definitions(rest));
  }

  #definition(): (rest: Filter) => Filter {
    this.#expect('def');
    const name = this.#word('name');
    const parameters: string[] = [];
    if (this.#take('(')) {
      do parameters.push(this.#token.kind === 'variable' ? `$${this.#word('variable')}` : this.#word('name'));
      while (this.#take(';'));
      this.#expect(')');
    }
    this.#expect(':');
    const body = this.#pipe();
    this.#expect(';');
    return (rest) => ({ type: 'define', name, parameters, body, rest });
  }

  #pipe(): Filter {
    if (this.#is('def')) return this.#definition()(this.#pipe());
    return this.#binary(1);
  }

  #binary(minimum: number): Filter {
    let left = this.#unary();
    if (this.#take('as')) {
      const patterns = [this.#pattern()];
      while (this.#take('?//')) patterns.push(this.#pattern());
      this.#expect('|');
      return { type: 'bind', source: left, patterns, body: this.#pipe() };
    }
    for (;;) {
      const operator = this.#token.text;
      const level =
        this.#token.kind === 'operator' || operator === 'and' || operator === 'or' ? LEVELS[operator] : undefined;
      if (!level || level[0] < minimum) return left;
      this.#at++;
      const right = operator === '|' ? this.#pipe() : this.#binary(level[1] === 'right' ? level[0] : level[0] + 1);
      if (operator === '|') left = { type: 'pipe', left, right };
      else if (operator === ',') left = { type: 'comma', left, right };
      else if (operator === '//') left = { type: 'alternative', left, right };
      else if (operator === 'and' || operator === 'or') left = { type: operator, left, right };
      else if (level[0] === 4) left = { type: 'update', operator, left, right };
      else left = { type: 'binary', operator, left, right };
    }
  }

  #unary(): Filter {
    if (this.#take('-')) return { type: 'negate', body: this.#postfix() };
    return this.#postfix();
  }

  #pattern(): Pattern {
    if (this.#token.kind === 'variable') return { type: 'name', name: this.#word('variable') };
    if (this.#take('[')) {
      const items: Pattern[] = [];
      do items.push(this.#pattern());
      while (this.#take(','));
      this.#expect(']');
      return { type: 'array', items };
    }
    this.#expect('{');
    const entries: Extract<Pattern, { type: 'object' }>['entries'] = [];
    do {
      let name: string | undefined;
      let key: Filter;
      if (this.#kind() === 'variable') {
        name = this.#word('variable');
        key = { type: 'literal', value: name };
      } else if (this.#kind() === 'text')
        key = { type: 'text', format: undefined, parts: textParts(this.#tokens[this.#at++]!) };
      else if (this.#take('(')) {
        key = this.#pipe();
        this.#expect(')');
      } else key = { type: 'literal', value: this.#word('name') };
      entries.push({ key, name, value: this.#take(':') ? this.#pattern() : undefined });
    } while (this.#take(','));
    this.#expect('}');
    return { type: 'object', entries };
  }

  #postfix(): Filter {
    let source = this.#primary();
    for (;;) {
      if (this.#take('?')) source = { type: 'try', body: source, handler: undefined };
      else if (this.#token.kind === 'field')
        source = { type: 'field', source, name: { type: 'literal', value: this.#word('field') } };
      else if (this.#is('.') && this.#tokens[this.#at + 1]?.kind === 'text') {
        this.#at++;
        source = {
          type: 'field',
          source,
          name: { type: 'text', format: undefined, parts: textParts(this.#tokens[this.#at++]!) },
        };
      } else if (this.#is('.') && this.#tokens[this.#at + 1]?.text === '[') this.#at++;
      else if (this.#take('[')) source = this.#bracket(source);
      else return source;
    }
  }

  #bracket(source: Filter): Filter {
    if (this.#take(']')) return { type: 'iterate', source };
    if (this.#take(':')) {
      const to = this.#pipe();
      this.#expect(']');
      return { type: 'slice', source, from: undefined, to };
    }
    const from = this.#pipe();
    if (this.#take(':')) {
      const to = this.#is(']') ? undefined : this.#pipe();
      this.#expect(']');
      return { type: 'slice', source, from, to };
    }
    this.#expect(']');
    return { type: 'field', source, name: from };
  }

  #primary(): Filter {
    const token = this.#tokens[this.#at++]!;
    switch (token.kind) {
      case 'number':
        return { type: 'literal', value: Number(token.text) };
      case 'text':
        return { type: 'text', format: undefined, parts: textParts(token) };
      case 'format':
        if (this.#token.kind === 'text')
          return { type: 'text', format: token.text, parts: textParts(this.#tokens[this.#at++]!) };
        return { type: 'format', name: token.text };
      case 'field':
        return { type: 'field', source: { type: 'identity' }, name: { type: 'literal', value: token.text } };
      case 'variable':
        return { type: 'variable', name: token.text };
      case 'name':
        return this.#named(token.text);
      case 'operator':
        switch (token.text) {
          case '.':
            if (this.#token.kind === 'text')
              return {
                type: 'field',
                source: { type: 'identity' },
                name: { type: 'text', format: undefined, parts: textParts(this.#tokens[this.#at++]!) },
              };
            return { type: 'identity' };
          case '..':
            return { type: 'recurse' };
          case '(': {
            const body = this.#pipe();
            this.#expect(')');
            return body;
          }
          case '[': {
            if (this.#take(']')) return { type: 'array', body: undefined };
            const body = this.#pipe();
            this.#expect(']');
            return { type: 'array', body };
          }
          case '{':
            return this.#object();
        }
    }
    this.#at--;
    return fail(`syntax error, unexpected ${token.kind === 'end' ? 'end of file' : `'${token.text}'`} at <top-level>`);
  }

  #named(name: string): Filter {
    switch (name) {
      case 'null':
        return { type: 'literal', value: null };
      case 'true':
        return { type: 'literal', value: true };
      case 'false':
        return { type: 'literal', value: false };
      case 'empty':
        return { type: 'empty' };
      case 'if':
        return this.#if();
      case 'try': {
        const body = this.#postfix();
        return { type: 'try', body, handler: this.#take('catch') ? this.#postfix() : undefined };
      }
      case 'reduce':
      case 'foreach': {
        const source = this.#postfix();
        this.#expect('as');
        const pattern = this.#pattern();
        this.#expect('(');
        const start = this.#pipe();
        this.#expect(';');
        const step = this.#pipe();
        const extract = name === 'foreach' && this.#take(';') ? this.#pipe() : undefined;
        this.#expect(')');
        return name === 'reduce'
          ? { type: 'reduce', source, pattern, start, step }
          : { type: 'foreach', source, pattern, start, step, extract };
      }
      case 'label': {
        const label = this.#word('variable');
        this.#expect('|');
        return { type: 'label', name: label, body: this.#pipe() };
      }
      case 'break':
        return { type: 'break', name: this.#word('variable') };
      case 'import':
      case 'include':
        return fail('modules are not supported here');
    }
    const args: Filter[] = [];
    if (this.#take('(')) {
      do args.push(this.#pipe());
      while (this.#take(';'));
      this.#expect(')');
    }
    return { type: 'call', name, args };
  }

  #if(): Filter {
    const test = this.#pipe();
    this.#expect('then');
    const yes = this.#pipe();
    if (this.#take('elif')) return { type: 'if', test, yes, no: this.#if() };
    const no = this.#take('else') ? this.#pipe() : undefined;
    this.#expect('end');
    return { type: 'if', test, yes, no };
  }

  #object(): Filter {
    const entries: { key: Filter; value: Filter }[] = [];
    while (!this.#take('}')) {
      const token = this.#tokens[this.#at++]!;
      let key: Filter;
      let value: Filter | undefined;
      if (token.kind === 'variable') {
        key = { type: 'literal', value: token.text };
        value = { type: 'variable', name: token.text };
      } else if (token.kind === 'text') key = { type: 'text', format: undefined, parts: textParts(token) };
      else if (token.kind === 'format')
        key =
          this.#token.kind === 'text'
            ? { type: 'text', format: token.text, parts: textParts(this.#tokens[this.#at++]!) }
            : { type: 'format', name: token.text };
      else if (token.kind === 'name' || token.kind === 'number') key = { type: 'literal', value: token.text };
      else if (token.text === '(') {
        key = this.#pipe();
        this.#expect(')');
      } else return fail(`syntax error, unexpected '${token.text}'`);
      if (this.#take(':')) value = this.#objectValue();
      else value ??= { type: 'field', source: { type: 'identity' }, name: key };
      entries.push({ key, value });
      if (!this.#is('}')) this.#expect(',');
    }
    return { type: 'object', entries };
  }

  #objectValue(): Filter {
    let value = this.#binary(3);
    while (this.#take('|')) value = { type: 'pipe', left: value, right: this.#binary(3) };
    return value;
  }
}

// The grammar of awk's expressions.
import { rightmost } from './awk-assign';
import { awkRegex } from './awk-regex';
import type { Token } from './awk-tokens';
import type { Expression } from './awk-tree';
import { UsageError } from './tool';

/** Reads expressions from tokens; statements are built on it. */
export class ExpressionParser {
  readonly tokens: Token[];
  at = 0;
  /** `>` is a redirection inside an unparenthesized print. */
  noGreater = false;
  noIn = false;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  get token(): Token {
    return this.tokens[this.at]!;
  }

  is(text: string): boolean {
    return (this.token.kind === 'operator' || this.token.kind === 'keyword') && this.token.text === text;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) this.fail();
  }

  fail(): never {
    throw new UsageError(
      `syntax error at or near ${this.token.kind === 'end' ? 'end of program' : this.token.text === '\n' ? 'newline' : this.token.text}`,
      2,
    );
  }

  newlines(): void {
    while (this.is('\n')) this.at++;
  }

  separators(): void {
    while (this.is('\n') || this.is(';')) this.at++;
  }

  list(): Expression[] {
    const items = [this.expression()];
    while (this.take(',')) {
      this.newlines();
      items.push(this.expression());
    }
    return items;
  }

  expression(): Expression {
    return this.ternary();
  }

  ternary(): Expression {
    const test = this.or();
    if (this.take('?')) {
      this.newlines();
      const yes = this.ternary();
      this.newlines();
      this.expect(':');
      this.newlines();
      return { type: 'ternary', test, yes, no: this.ternary() };
    }
    const operator = this.token.text;
    if (this.token.kind === 'operator' && ['=', '+=', '-=', '*=', '/=', '%=', '^='].includes(operator)) {
      this.at++;
      this.newlines();
      return rightmost(
        test,
        (target) => ({ type: 'assign', operator, target, value: this.ternary() }),
        () => this.fail(),
      );
    }
    return test;
  }

  or(): Expression {
    let left = this.and();
    while (this.take('||')) {
      this.newlines();
      left = { type: 'binary', operator: '||', left, right: this.and() };
    }
    return left;
  }

  and(): Expression {
    let left = this.in();
    while (this.take('&&')) {
      this.newlines();
      left = { type: 'binary', operator: '&&', left, right: this.in() };
    }
    return left;
  }

  in(): Expression {
    let left = this.matching();
    while (!this.noIn && this.is('in')) {
      this.at++;
      const name = this.tokens[this.at++]!.text;
      left = { type: 'in', name, keys: left.type === 'group' ? left.items : [left] };
    }
    return left;
  }

  matching(): Expression {
    let left = this.comparison();
    while (this.is('~') || this.is('!~')) {
      const negated = this.tokens[this.at++]!.text === '!~';
      left = { type: 'match', negated, text: left, pattern: this.comparison() };
    }
    return left;
  }

  comparison(): Expression {
    let left = this.concatenation();
    for (;;) {
      const operator = this.token.text;
      if (
        this.token.kind === 'operator' &&
        (['<', '<=', '==', '!=', '>='].includes(operator) || (operator === '>' && !this.noGreater))
      ) {
        this.at++;
        left = { type: 'binary', operator, left, right: this.concatenation() };
      } else if (this.is('|') && this.tokens[this.at + 1]?.text === 'getline') {
        this.at += 2;
        left = { type: 'getline', from: 'command', source: left, target: this.getlineTarget() };
      } else return left;
    }
  }

  concatenation(): Expression {
    let left = this.additive();
    for (;;) {
      const { kind, text } = this.token;
      const starts =
        ['number', 'string', 'name', 'call', 'builtin'].includes(kind) ||
        (kind === 'operator' && ['(', '$', '!', '-', '+', '++', '--'].includes(text));
      if (!starts || (kind === 'keyword' && text === 'in')) return left;
      if (kind === 'operator' && (text === '-' || text === '+' || text === '!')) return left;
      left = { type: 'binary', operator: ' ', left, right: this.additive() };
    }
  }

  additive(): Expression {
    let left = this.multiplicative();
    while (this.is('+') || this.is('-')) {
      const operator = this.tokens[this.at++]!.text;
      left = { type: 'binary', operator, left, right: this.multiplicative() };
    }
    return left;
  }

  multiplicative(): Expression {
    let left = this.unary();
    while (this.is('*') || this.is('/') || this.is('%')) {
      const operator = this.tokens[this.at++]!.text;
      left = { type: 'binary', operator, left, right: this.unary() };
    }
    return left;
  }

  unary(): Expression {
    for (const operator of ['!', '-', '+'])
      if (this.take(operator)) return { type: 'unary', operator, operand: this.unary() };
    return this.power();
  }

  power(): Expression {
    const left = this.postfix();
    if (!this.take('^')) return left;
    const right = this.is('-') || this.is('+') || this.is('!') ? this.unary() : this.power();
    return { type: 'binary', operator: '^', left, right };
  }

  postfix(): Expression {
    const operand = this.primary();
    const place = operand.type === 'name' || operand.type === 'field' || operand.type === 'element';
    if (place && (this.is('++') || this.is('--')))
      return { type: 'step', operator: this.tokens[this.at++]!.text as '++', prefix: false, target: operand };
    return operand;
  }

  getlineTarget(): Expression | undefined {
    if (this.is('$') || this.token.kind === 'name') return this.primary();
    return undefined;
  }

  primary(): Expression {
    const token = this.tokens[this.at++]!;
    switch (token.kind) {
      case 'number':
        return { type: 'number', value: Number(token.text) };
      case 'string':
        return { type: 'string', value: token.text };
      case 'regex':
        return { type: 'regex', regex: awkRegex(token.text) };
      case 'builtin': {
        if (!this.take('(')) {
          if (token.text === 'length') return { type: 'builtin', name: 'length', args: [] };
          this.fail();
        }
        return { type: 'builtin', name: token.text, args: this.arguments() };
      }
      case 'call':
        this.expect('(');
        return { type: 'call', name: token.text, args: this.arguments() };
      case 'name': {
        if (!this.take('[')) return { type: 'name', name: token.text };
        const keys = this.inside(() => this.list());
        this.expect(']');
        return { type: 'element', name: token.text, keys };
      }
      case 'keyword':
        if (token.text === 'getline') {
          const target = this.getlineTarget();
          if (!this.take('<')) return { type: 'getline', from: 'main', source: undefined, target };
          return { type: 'getline', from: 'file', source: this.postfix(), target };
        }
        break;
      case 'operator':
        if (token.text === '(') {
          const items = this.inside(() => this.list());
          this.expect(')');
          return items.length === 1 && !this.is('in')
            ? items[0]!.type === 'group'
              ? items[0]!
              : { type: 'group', items }
            : { type: 'group', items };
        }
        if (token.text === '$') {
          if (this.is('++') || this.is('--')) return { type: 'field', index: this.primary() };
          return { type: 'field', index: this.is('-') ? this.unary() : this.primary() };
        }
        if (token.text === '-' || token.text === '+' || token.text === '!')
          return { type: 'unary', operator: token.text, operand: this.unary() };
        if (token.text === '++' || token.text === '--')
          return { type: 'step', operator: token.text, prefix: true, target: this.primary() };
        break;
    }
    this.at--;
    return this.fail();
  }

  arguments(): Expression[] {
    this.newlines();
    if (this.take(')')) return [];
    const args = this.inside(() => this.list());
    this.newlines();
    this.expect(')');
    return args;
  }

  inside<Result>(parse: () => Result): Result {
    const before = this.noGreater;
    this.noGreater = false;
    const result = parse();
    this.noGreater = before;
    return result;
  }
}

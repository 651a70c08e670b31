// The parser of awk programs: rules and statements.
import { ExpressionParser } from './awk-expressions';
import { tokenize } from './awk-tokens';
import type { Expression, Program, Rule, Statement } from './awk-tree';

/** Parses a program. Throws UsageError. */
export function parseProgram(source: string): Program {
  return new Parser(tokenize(source)).program();
}

class Parser extends ExpressionParser {
  program(): Program {
    const program: Program = { rules: [], functions: new Map() };
    this.separators();
    while (this.token.kind !== 'end') {
      if (this.take('function')) {
        const name = this.tokens[this.at++]!.text;
        this.expect('(');
        const parameters: string[] = [];
        while (!this.take(')')) {
          parameters.push(this.tokens[this.at++]!.text);
          this.take(',');
          this.newlines();
        }
        this.newlines();
        program.functions.set(name, { parameters, body: this.block() });
      } else program.rules.push(this.rule());
      this.separators();
    }
    return program;
  }

  rule(): Rule {
    const rule: Rule = { kind: 'main', from: undefined, to: undefined, body: undefined };
    if (this.take('BEGIN')) rule.kind = 'begin';
    else if (this.take('END')) rule.kind = 'end';
    else if (!this.is('{')) {
      rule.from = this.expression();
      if (this.take(',')) {
        this.newlines();
        rule.to = this.expression();
      }
    }
    if (this.is('{')) rule.body = this.block();
    else if (rule.kind !== 'main') this.fail();
    return rule;
  }

  block(): Statement {
    this.expect('{');
    const body: Statement[] = [];
    this.separators();
    while (!this.take('}')) {
      body.push(this.statement());
      this.separators();
    }
    return { type: 'block', body };
  }

  /** A body: a statement on this line or the next; a lone `;` is an empty one. */
  body(): Statement {
    this.newlines();
    if (this.take(';')) return { type: 'block', body: [] };
    return this.statement();
  }

  endSimple(): void {
    if (this.is('}') || this.token.kind === 'end') return;
    if (!this.take(';') && !this.take('\n')) this.fail();
  }

  statement(): Statement {
    if (this.is('{')) return this.block();
    if (this.take('if')) {
      this.expect('(');
      const test = this.expression();
      this.expect(')');
      const yes = this.body();
      const mark = this.at;
      this.separators();
      if (this.take('else')) return { type: 'if', test, yes, no: this.body() };
      this.at = mark;
      return { type: 'if', test, yes, no: undefined };
    }
    if (this.take('while')) {
      this.expect('(');
      const test = this.expression();
      this.expect(')');
      return { type: 'while', test, body: this.body() };
    }
    if (this.take('do')) {
      const body = this.body();
      this.separators();
      this.expect('while');
      this.expect('(');
      const test = this.expression();
      this.expect(')');
      this.endSimple();
      return { type: 'do', test, body };
    }
    if (this.take('for')) return this.for();
    const simple = this.simple();
    this.endSimple();
    return simple;
  }

  for(): Statement {
    this.expect('(');
    const [name, word, array, close] = this.tokens.slice(this.at, this.at + 4);
    if (name?.kind === 'name' && word?.text === 'in' && array?.kind === 'name' && close?.text === ')') {
      this.at += 4;
      return { type: 'forIn', name: name.text, array: array.text, body: this.body() };
    }
    const start = this.is(';') ? undefined : this.simple();
    this.expect(';');
    this.newlines();
    const test = this.is(';') ? undefined : this.expression();
    this.expect(';');
    this.newlines();
    const step = this.is(')') ? undefined : this.simple();
    this.expect(')');
    return { type: 'for', start, test, step, body: this.body() };
  }

  simple(): Statement {
    const word = this.token.kind === 'keyword' ? this.token.text : '';
    switch (word) {
      case 'print':
      case 'printf':
        this.at++;
        return this.print(word === 'printf');
      case 'next':
      case 'nextfile':
      case 'break':
      case 'continue':
        this.at++;
        return { type: 'jump', kind: word };
      case 'exit':
      case 'return':
        this.at++;
        return {
          type: word,
          value:
            this.is(';') || this.is('\n') || this.is('}') || this.token.kind === 'end' ? undefined : this.expression(),
        };
      case 'delete': {
        this.at++;
        const name = this.tokens[this.at++]!.text;
        if (!this.take('[')) return { type: 'delete', name, keys: undefined };
        const keys = this.list();
        this.expect(']');
        return { type: 'delete', name, keys };
      }
      default:
        return { type: 'expression', value: this.expression() };
    }
  }

  print(formatted: boolean): Statement {
    const ends = () =>
      this.is(';') ||
      this.is('\n') ||
      this.is('}') ||
      this.is('>') ||
      this.is('>>') ||
      this.is('|') ||
      this.token.kind === 'end';
    let args: Expression[] = [];
    const before = this.noGreater;
    this.noGreater = true;
    if (!ends()) args = this.list();
    this.noGreater = before;
    if (args.length === 1 && args[0]!.type === 'group') args = args[0]!.items;
    for (const kind of ['>', '>>', '|'] as const) {
      if (!this.take(kind)) continue;
      this.noGreater = true;
      const name = this.concatenation();
      this.noGreater = before;
      return { type: 'print', formatted, args, to: { kind, name } };
    }
    return { type: 'print', formatted, args, to: undefined };
  }
}

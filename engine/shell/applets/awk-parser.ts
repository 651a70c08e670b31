// The parser of awk programs: text → tree.
import { posixSource } from './regex';
import { UsageError } from './tool';

/** Expressions of awk. */
export type Expression =
  | { type: 'number'; value: number }
  | { type: 'string'; value: string }
  | { type: 'regex'; regex: RegExp }
  | { type: 'name'; name: string }
  | { type: 'field'; index: Expression }
  | { type: 'element'; name: string; keys: Expression[] }
  | { type: 'in'; name: string; keys: Expression[] }
  | { type: 'assign'; operator: string; target: Expression; value: Expression }
  | { type: 'binary'; operator: string; left: Expression; right: Expression }
  | { type: 'unary'; operator: string; operand: Expression }
  | { type: 'step'; operator: '++' | '--'; prefix: boolean; target: Expression }
  | { type: 'ternary'; test: Expression; yes: Expression; no: Expression }
  | { type: 'match'; negated: boolean; text: Expression; pattern: Expression }
  | { type: 'call'; name: string; args: Expression[] }
  | { type: 'builtin'; name: string; args: Expression[] }
  | { type: 'group'; items: Expression[] }
  | {
      type: 'getline';
      from: 'main' | 'file' | 'command';
      source: Expression | undefined;
      target: Expression | undefined;
    };

/** Statements of awk. */
export type Statement =
  | { type: 'block'; body: Statement[] }
  | { type: 'expression'; value: Expression }
  | {
      type: 'print';
      formatted: boolean;
      args: Expression[];
      to: { kind: '>' | '>>' | '|'; name: Expression } | undefined;
    }
  | { type: 'if'; test: Expression; yes: Statement; no: Statement | undefined }
  | { type: 'while'; test: Expression; body: Statement }
  | { type: 'do'; test: Expression; body: Statement }
  | {
      type: 'for';
      start: Statement | undefined;
      test: Expression | undefined;
      step: Statement | undefined;
      body: Statement;
    }
  | { type: 'forIn'; name: string; array: string; body: Statement }
  | { type: 'delete'; name: string; keys: Expression[] | undefined }
  | { type: 'jump'; kind: 'break' | 'continue' | 'next' | 'nextfile' }
  | { type: 'exit' | 'return'; value: Expression | undefined };

/** A rule: a pattern (or BEGIN, END) with its action; no action prints. */
export interface Rule {
  kind: 'begin' | 'end' | 'main';
  from: Expression | undefined;
  to: Expression | undefined;
  body: Statement | undefined;
}

/** A whole program. */
export interface Program {
  rules: Rule[];
  functions: Map<string, { parameters: string[]; body: Statement }>;
}

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

interface Token {
  kind: 'number' | 'string' | 'regex' | 'name' | 'call' | 'builtin' | 'keyword' | 'operator' | 'end';
  text: string;
  /** Whitespace stood before it. */
  spaced: boolean;
}

/** Parses a program. Throws UsageError. */
export function parseProgram(source: string): Program {
  return new Parser(tokenize(source)).program();
}

function tokenize(source: string): Token[] {
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

/** A string constant: its value, and its length in the source. */
function quoted(source: string): [string, number] {
  let text = '';
  for (let i = 1; i < source.length; i++) {
    const character = source[i]!;
    if (character === '"') return [text, i + 1];
    if (character !== '\\') {
      text += character;
      continue;
    }
    const rest = source.slice(i + 1);
    const octal = rest.match(/^[0-7]{1,3}/);
    const hex = rest.match(/^x([0-9a-fA-F]{1,2})/);
    if (octal) text += String.fromCharCode(Number.parseInt(octal[0], 8));
    else if (hex) text += String.fromCharCode(Number.parseInt(hex[1]!, 16));
    else if (rest[0] !== '\n')
      text +=
        { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', '/': '/', a: '\x07', b: '\b', f: '\f', v: '\v' }[rest[0]!] ??
        `\\${rest[0]}`;
    i += octal?.[0].length ?? hex?.[0].length ?? 1;
  }
  throw new UsageError('unterminated string', 2);
}

class Parser {
  readonly #tokens: Token[];
  #at = 0;
  /** `>` is a redirection inside an unparenthesized print. */
  #noGreater = false;
  #noIn = false;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #is(text: string): boolean {
    return (this.#token.kind === 'operator' || this.#token.kind === 'keyword') && this.#token.text === text;
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail();
  }

  #fail(): never {
    throw new UsageError(
      `syntax error at or near ${this.#token.kind === 'end' ? 'end of program' : this.#token.text === '\n' ? 'newline' : this.#token.text}`,
      2,
    );
  }

  #newlines(): void {
    while (this.#is('\n')) this.#at++;
  }

  #separators(): void {
    while (this.#is('\n') || this.#is(';')) this.#at++;
  }

  program(): Program {
    const program: Program = { rules: [], functions: new Map() };
    this.#separators();
    while (this.#token.kind !== 'end') {
      if (this.#take('function')) {
        const name = this.#tokens[this.#at++]!.text;
        this.#expect('(');
        const parameters: string[] = [];
        while (!this.#take(')')) {
          parameters.push(this.#tokens[this.#at++]!.text);
          this.#take(',');
          this.#newlines();
        }
        this.#newlines();
        program.functions.set(name, { parameters, body: this.#block() });
      } else program.rules.push(this.#rule());
      this.#separators();
    }
    return program;
  }

  #rule(): Rule {
    const rule: Rule = { kind: 'main', from: undefined, to: undefined, body: undefined };
    if (this.#take('BEGIN')) rule.kind = 'begin';
    else if (this.#take('END')) rule.kind = 'end';
    else if (!this.#is('{')) {
      rule.from = this.#expression();
      if (this.#take(',')) {
        this.#newlines();
        rule.to = this.#expression();
      }
    }
    if (this.#is('{')) rule.body = this.#block();
    else if (rule.kind !== 'main') this.#fail();
    return rule;
  }

  #block(): Statement {
    this.#expect('{');
    const body: Statement[] = [];
    this.#separators();
    while (!this.#take('}')) {
      body.push(this.#statement());
      this.#separators();
    }
    return { type: 'block', body };
  }

  /** A body: a statement on this line or the next; a lone `;` is an empty one. */
  #body(): Statement {
    this.#newlines();
    if (this.#take(';')) return { type: 'block', body: [] };
    return this.#statement();
  }

  #endSimple(): void {
    if (this.#is('}') || this.#token.kind === 'end') return;
    if (!this.#take(';') && !this.#take('\n')) this.#fail();
  }

  #statement(): Statement {
    if (this.#is('{')) return this.#block();
    if (this.#take('if')) {
      this.#expect('(');
      const test = this.#expression();
      this.#expect(')');
      const yes = this.#body();
      const mark = this.#at;
      this.#separators();
      if (this.#take('else')) return { type: 'if', test, yes, no: this.#body() };
      this.#at = mark;
      return { type: 'if', test, yes, no: undefined };
    }
    if (this.#take('while')) {
      this.#expect('(');
      const test = this.#expression();
      this.#expect(')');
      return { type: 'while', test, body: this.#body() };
    }
    if (this.#take('do')) {
      const body = this.#body();
      this.#separators();
      this.#expect('while');
      this.#expect('(');
      const test = this.#expression();
      this.#expect(')');
      this.#endSimple();
      return { type: 'do', test, body };
    }
    if (this.#take('for')) return this.#for();
    const simple = this.#simple();
    this.#endSimple();
    return simple;
  }

  #for(): Statement {
    this.#expect('(');
    const [name, word, array, close] = this.#tokens.slice(this.#at, this.#at + 4);
    if (name?.kind === 'name' && word?.text === 'in' && array?.kind === 'name' && close?.text === ')') {
      this.#at += 4;
      return { type: 'forIn', name: name.text, array: array.text, body: this.#body() };
    }
    const start = this.#is(';') ? undefined : this.#simple();
    this.#expect(';');
    this.#newlines();
    const test = this.#is(';') ? undefined : this.#expression();
    this.#expect(';');
    this.#newlines();
    const step = this.#is(')') ? undefined : this.#simple();
    this.#expect(')');
    return { type: 'for', start, test, step, body: this.#body() };
  }

  #simple(): Statement {
    const word = this.#token.kind === 'keyword' ? this.#token.text : '';
    switch (word) {
      case 'print':
      case 'printf':
        this.#at++;
        return this.#print(word === 'printf');
      case 'next':
      case 'nextfile':
      case 'break':
      case 'continue':
        this.#at++;
        return { type: 'jump', kind: word };
      case 'exit':
      case 'return':
        this.#at++;
        return {
          type: word,
          value:
            this.#is(';') || this.#is('\n') || this.#is('}') || this.#token.kind === 'end'
              ? undefined
              : this.#expression(),
        };
      case 'delete': {
        this.#at++;
        const name = this.#tokens[this.#at++]!.text;
        if (!this.#take('[')) return { type: 'delete', name, keys: undefined };
        const keys = this.#list();
        this.#expect(']');
        return { type: 'delete', name, keys };
      }
      default:
        return { type: 'expression', value: this.#expression() };
    }
  }

  #print(formatted: boolean): Statement {
    const ends = () =>
      this.#is(';') ||
      this.#is('\n') ||
      this.#is('}') ||
      this.#is('>') ||
      this.#is('>>') ||
      this.#is('|') ||
      this.#token.kind === 'end';
    let args: Expression[] = [];
    const before = this.#noGreater;
    this.#noGreater = true;
    if (!ends()) args = this.#list();
    this.#noGreater = before;
    if (args.length === 1 && args[0]!.type === 'group') args = args[0]!.items;
    for (const kind of ['>', '>>', '|'] as const) {
      if (!this.#take(kind)) continue;
      this.#noGreater = true;
      const name = this.#concatenation();
      this.#noGreater = before;
      return { type: 'print', formatted, args, to: { kind, name } };
    }
    return { type: 'print', formatted, args, to: undefined };
  }

  #list(): Expression[] {
    const items = [this.#expression()];
    while (this.#take(',')) {
      this.#newlines();
      items.push(this.#expression());
    }
    return items;
  }

  #expression(): Expression {
    return this.#ternary();
  }

  #ternary(): Expression {
    const test = this.#or();
    if (this.#take('?')) {
      this.#newlines();
      const yes = this.#ternary();
      this.#newlines();
      this.#expect(':');
      this.#newlines();
      return { type: 'ternary', test, yes, no: this.#ternary() };
    }
    const operator = this.#token.text;
    if (this.#token.kind === 'operator' && ['=', '+=', '-=', '*=', '/=', '%=', '^='].includes(operator)) {
      this.#at++;
      this.#newlines();
      return rightmost(
        test,
        (target) => ({ type: 'assign', operator, target, value: this.#ternary() }),
        () => this.#fail(),
      );
    }
    return test;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#take('||')) {
      this.#newlines();
      left = { type: 'binary', operator: '||', left, right: this.#and() };
    }
    return left;
  }

  #and(): Expression {
    let left = this.#in();
    while (this.#take('&&')) {
      this.#newlines();
      left = { type: 'binary', operator: '&&', left, right: this.#in() };
    }
    return left;
  }

  #in(): Expression {
    let left = this.#matching();
    while (!this.#noIn && this.#is('in')) {
      this.#at++;
      const name = this.#tokens[this.#at++]!.text;
      left = { type: 'in', name, keys: left.type === 'group' ? left.items : [left] };
    }
    return left;
  }

  #matching(): Expression {
    let left = this.#comparison();
    while (this.#is('~') || this.#is('!~')) {
      const negated = this.#tokens[this.#at++]!.text === '!~';
      left = { type: 'match', negated, text: left, pattern: this.#comparison() };
    }
    return left;
  }

  #comparison(): Expression {
    let left = this.#concatenation();
    for (;;) {
      const operator = this.#token.text;
      if (
        this.#token.kind === 'operator' &&
        (['<', '<=', '==', '!=', '>='].includes(operator) || (operator === '>' && !this.#noGreater))
      ) {
        this.#at++;
        left = { type: 'binary', operator, left, right: this.#concatenation() };
      } else if (this.#is('|') && this.#tokens[this.#at + 1]?.text === 'getline') {
        this.#at += 2;
        left = { type: 'getline', from: 'command', source: left, target: this.#getlineTarget() };
      } else return left;
    }
  }

  #concatenation(): Expression {
    let left = this.#additive();
    for (;;) {
      const { kind, text } = this.#token;
      const starts =
        ['number', 'string', 'name', 'call', 'builtin'].includes(kind) ||
        (kind === 'operator' && ['(', '$', '!', '-', '+', '++', '--'].includes(text));
      if (!starts || (kind === 'keyword' && text === 'in')) return left;
      if (kind === 'operator' && (text === '-' || text === '+' || text === '!')) return left;
      left = { type: 'binary', operator: ' ', left, right: this.#additive() };
    }
  }

  #additive(): Expression {
    let left = this.#multiplicative();
    while (this.#is('+') || this.#is('-')) {
      const operator = this.#tokens[this.#at++]!.text;
      left = { type: 'binary', operator, left, right: this.#multiplicative() };
    }
    return left;
  }

  #multiplicative(): Expression {
    let left = this.#unary();
    while (this.#is('*') || this.#is('/') || this.#is('%')) {
      const operator = this.#tokens[this.#at++]!.text;
      left = { type: 'binary', operator, left, right: this.#unary() };
    }
    return left;
  }

  #unary(): Expression {
    for (const operator of ['!', '-', '+'])
      if (this.#take(operator)) return { type: 'unary', operator, operand: this.#unary() };
    return this.#power();
  }

  #power(): Expression {
    const left = this.#postfix();
    if (!this.#take('^')) return left;
    const right = this.#is('-') || this.#is('+') || this.#is('!') ? this.#unary() : this.#power();
    return { type: 'binary', operator: '^', left, right };
  }

  #postfix(): Expression {
    const operand = this.#primary();
    const place = operand.type === 'name' || operand.type === 'field' || operand.type === 'element';
    if (place && (this.#is('++') || this.#is('--')))
      return { type: 'step', operator: this.#tokens[this.#at++]!.text as '++', prefix: false, target: operand };
    return operand;
  }

  #getlineTarget(): Expression | undefined {
    if (this.#is('$') || this.#token.kind === 'name') return this.#primary();
    return undefined;
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at++]!;
    switch (token.kind) {
      case 'number':
        return { type: 'number', value: Number(token.text) };
      case 'string':
        return { type: 'string', value: token.text };
      case 'regex':
        return { type: 'regex', regex: awkRegex(token.text) };
      case 'builtin': {
        if (!this.#take('(')) {
          if (token.text === 'length') return { type: 'builtin', name: 'length', args: [] };
          this.#fail();
        }
        return { type: 'builtin', name: token.text, args: this.#arguments() };
      }
      case 'call':
        this.#expect('(');
        return { type: 'call', name: token.text, args: this.#arguments() };
      case 'name': {
        if (!this.#take('[')) return { type: 'name', name: token.text };
        const keys = this.#inside(() => this.#list());
        this.#expect(']');
        return { type: 'element', name: token.text, keys };
      }
      case 'keyword':
        if (token.text === 'getline') {
          const target = this.#getlineTarget();
          if (!this.#take('<')) return { type: 'getline', from: 'main', source: undefined, target };
          return { type: 'getline', from: 'file', source: this.#postfix(), target };
        }
        break;
      case 'operator':
        if (token.text === '(') {
          const items = this.#inside(() => this.#list());
          this.#expect(')');
          return items.length === 1 && !this.#is('in')
            ? items[0]!.type === 'group'
              ? items[0]!
              : { type: 'group', items }
            : { type: 'group', items };
        }
        if (token.text === '$') {
          if (this.#is('++') || this.#is('--')) return { type: 'field', index: this.#primary() };
          return { type: 'field', index: this.#is('-') ? this.#unary() : this.#primary() };
        }
        if (token.text === '-' || token.text === '+' || token.text === '!')
          return { type: 'unary', operator: token.text, operand: this.#unary() };
        if (token.text === '++' || token.text === '--')
          return { type: 'step', operator: token.text, prefix: true, target: this.#primary() };
        break;
    }
    this.#at--;
    return this.#fail();
  }

  #arguments(): Expression[] {
    this.#newlines();
    if (this.#take(')')) return [];
    const args = this.#inside(() => this.#list());
    this.#newlines();
    this.#expect(')');
    return args;
  }

  #inside<Result>(parse: () => Result): Result {
    const before = this.#noGreater;
    this.#noGreater = false;
    const result = parse();
    this.#noGreater = before;
    return result;
  }
}

/** `a = b` inside `x && a = b`: the assignment belongs to the last operand. */
function rightmost(expression: Expression, make: (target: Expression) => Expression, fail: () => never): Expression {
  if (expression.type === 'name' || expression.type === 'field' || expression.type === 'element')
    return make(expression);
  if (expression.type === 'group' && expression.items.length === 1) return rightmost(expression.items[0]!, make, fail);
  if (expression.type === 'binary') return { ...expression, right: rightmost(expression.right, make, fail) };
  if (expression.type === 'unary') return { ...expression, operand: rightmost(expression.operand, make, fail) };
  return fail();
}

const regexes = new Map<string, RegExp>();

/** A dynamic or constant expression of awk, compiled once. */
export function awkRegex(source: string): RegExp {
  let regex = regexes.get(source);
  if (!regex) {
    if (regexes.size > 500) regexes.clear();
    regex = new RegExp(
      posixSource(source.replace(/\\"/g, '"').replace(/\\\//g, '/').replace(/\\y/g, '\\b'), true),
      'gs',
    );
    regexes.set(source, regex);
  }
  return regex;
}

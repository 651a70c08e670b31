// Arithmetic of `$(( ))`, `(( ))`, `let` and array indexes: 64-bit integers, C's operators, on a text whose `$` expansions
// are already done. Names are read and written through a small port, so that the rules of variables stay elsewhere.
import { ShellError } from '../execute/control';

/** How an expression reaches variables; `index` is the source between the brackets. */
export interface ArithmeticScope {
  read(name: string, index: string | undefined): string;
  write(name: string, index: string | undefined, value: string): void;
}

const LIMIT = 1024;
const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

/** The value of an expression; an empty one is 0. Throws ShellError in bash's words. */
export function evaluate(source: string, scope: ArithmeticScope, depth = 0): bigint {
  const plain = source.trim();
  if (/^[1-9]\d{0,17}$|^0$|^$/.test(plain)) return BigInt(plain || 0);
  if (depth > LIMIT)
    throw new ShellError(`${source}: expression recursion level exceeded (error token is "${source}")`, 1, 'line');
  const parser = new Parser(source, scope, depth);
  return parser.parse();
}

interface Place {
  name: string;
  index: string | undefined;
}

const BINARY: [string, number][] = [
  ['||', 3],
  ['&&', 4],
  ['|', 5],
  ['^', 6],
  ['&', 7],
  ['==', 8],
  ['!=', 8],
  ['<=', 9],
  ['>=', 9],
  ['<', 9],
  ['>', 9],
  ['<<', 10],
  ['>>', 10],
  ['+', 11],
  ['-', 11],
  ['*', 12],
  ['/', 12],
  ['%', 12],
  ['**', 13],
];
const LEVELS = new Map(BINARY);
const ASSIGN = new Set(['=', '+=', '-=', '*=', '/=', '%=', '<<=', '>>=', '&=', '^=', '|=']);
const TOKEN =
  /(\d[0-9A-Za-z_#@]*)|([A-Za-z_]\w*)|(<<=|>>=|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|\+\+|--|[-+*/%&^|<>=!~?:,()])/y;

type Kind = 'number' | 'name' | 'operator' | 'end';

class Parser {
  readonly #source: string;
  readonly #scope: ArithmeticScope;
  readonly #depth: number;
  #position = 0;
  #token = '';
  #kind: Kind = 'end';
  /** Where the current token starts: error messages quote the rest of the text. */
  #start = 0;
  /** Above 0: parsed for its syntax only (the untaken side of `&&`, `||`, `?:`). */
  #skipping = 0;

  constructor(source: string, scope: ArithmeticScope, depth: number) {
    this.#source = source;
    this.#scope = scope;
    this.#depth = depth;
  }

  parse(): bigint {
    this.#next();
    if (this.#kind === 'end') return 0n;
    const value = this.#comma();
    if (this.#now() !== 'end') this.#fail('syntax error in expression');
    return value;
  }

  /** The kind of the current token, unknown to the compiler's narrowing. */
  #now(): Kind {
    return this.#kind;
  }

  /** Bash quotes the text up to `end` (a number is all that it has looked at) and from `start` on. */
  #fail(reason: string, start = this.#start, end = this.#source.length): never {
    const whole = this.#source.slice(0, end);
    const token = whole.slice(start).replace(/^[ \t]+/, '');
    throw new ShellError(`${whole.replace(/^[ \t]+/, '')}: ${reason} (error token is "${token}")`, 1, 'line');
  }

  #next(): void {
    const before = this.#kind;
    let at = this.#position;
    while (at < this.#source.length && /\s/.test(this.#source[at]!)) at++;
    if (at === this.#source.length) {
      this.#position = at;
      this.#kind = 'end';
      this.#token = '';
      return;
    }
    this.#start = at;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(this.#source);
    if (!match)
      this.#fail(
        before === 'number' || before === 'name' || this.#token === ')'
          ? 'syntax error: invalid arithmetic operator'
          : 'syntax error: operand expected',
      );
    this.#position = TOKEN.lastIndex;
    this.#kind = match[1] !== undefined ? 'number' : match[2] !== undefined ? 'name' : 'operator';
    this.#token = match[0];
    // Two signs are one operator only beside a name.
    if ((this.#token === '++' || this.#token === '--') && before !== 'name') {
      if (!/^\s*[A-Za-z_]/.test(this.#source.slice(this.#position))) {
        this.#token = this.#token[0]!;
        this.#position--;
      }
    }
  }

  #take(operator: string): boolean {
    if (this.#kind !== 'operator' || this.#token !== operator) return false;
    this.#next();
    return true;
  }

  #comma(): bigint {
    let value = this.#assignment();
    while (this.#take(',')) value = this.#assignment();
    return value;
  }

  #assignment(): bigint {
    if (this.#kind === 'name') {
      const saved = [this.#position, this.#token, this.#kind, this.#start] as const;
      const place = this.#place();
      if (this.#now() === 'operator' && ASSIGN.has(this.#token)) {
        const operator = this.#token.slice(0, -1);
        const after = this.#position;
        this.#next();
        const right = this.#assignment();
        const value = operator ? this.#apply(operator, this.#read(place), right, after) : right;
        return this.#write(place, value);
      }
      [this.#position, this.#token, this.#kind, this.#start] = saved;
    }
    const value = this.#ternary();
    if (this.#now() === 'operator' && ASSIGN.has(this.#token)) this.#fail('attempted assignment to non-variable');
    return value;
  }

  #ternary(): bigint {
    const test = this.#binary(3);
    if (!this.#take('?')) return test;
    if (this.#now() === 'end' || this.#token === ':') this.#fail('expression expected');
    const first = this.#unless(test === 0n, () => this.#comma());
    if (!this.#take(':')) this.#fail("`:' expected for conditional expression");
    if (this.#now() === 'end') this.#fail('expression expected');
    const second = this.#unless(test !== 0n, () => this.#ternary());
    return test !== 0n ? first : second;
  }

  #unless(skip: boolean, parse: () => bigint): bigint {
    if (skip) this.#skipping++;
    const value = parse();
    if (skip) this.#skipping--;
    return value;
  }

  #binary(minimum: number): bigint {
    let left = this.#unary();
    for (;;) {
      const operator = this.#token;
      const level = this.#kind === 'operator' ? LEVELS.get(operator) : undefined;
      if (level === undefined || level < minimum) return left;
      const after = this.#position;
      this.#next();
      if (operator === '&&') {
        const right = this.#unless(left === 0n, () => this.#binary(level + 1));
        left = left !== 0n && right !== 0n ? 1n : 0n;
      } else if (operator === '||') {
        const right = this.#unless(left !== 0n, () => this.#binary(level + 1));
        left = left !== 0n || right !== 0n ? 1n : 0n;
      } else left = this.#apply(operator, left, this.#binary(operator === '**' ? level : level + 1), after);
    }
  }

  /** `after`: where the operator ends; a division by 0 is complained of from there. */
  #apply(operator: string, a: bigint, b: bigint, after: number): bigint {
    switch (operator) {
      case '+':
        return wrap(a + b);
      case '-':
        return wrap(a - b);
      case '*':
        return wrap(a * b);
      case '/':
        return this.#divide(b, after, () => wrap(a / b));
      case '%':
        return this.#divide(b, after, () => wrap(a % b));
      case '**':
        if (b < 0n) this.#fail('exponent less than 0');
        return this.#power(a, b);
      case '<<':
        return wrap(a << (b & 63n));
      case '>>':
        return wrap(a >> (b & 63n));
      case '&':
        return wrap(a & b);
      case '|':
        return wrap(a | b);
      case '^':
        return wrap(a ^ b);
      case '==':
        return a === b ? 1n : 0n;
      case '!=':
        return a !== b ? 1n : 0n;
      case '<':
        return a < b ? 1n : 0n;
      case '>':
        return a > b ? 1n : 0n;
      case '<=':
        return a <= b ? 1n : 0n;
      case '>=':
        return a >= b ? 1n : 0n;
      default:
        throw new Error(`operator ${operator} has no meaning`);
    }
  }

  #divide(divisor: bigint, after: number, divide: () => bigint): bigint {
    if (this.#skipping > 0) return 0n;
    if (divisor === 0n) this.#fail('division by 0', after);
    return divide();
  }

  #power(base: bigint, exponent: bigint): bigint {
    let result = 1n;
    for (let factor = base; exponent > 0n; exponent >>= 1n, factor = wrap(factor * factor))
      if (exponent & 1n) result = wrap(result * factor);
    return result;
  }

  #unary(): bigint {
    if (this.#kind === 'operator') {
      switch (this.#token) {
        case '+':
          this.#next();
          return this.#unary();
        case '-':
          this.#next();
          return wrap(-this.#unary());
        case '!':
          this.#next();
          return this.#unary() === 0n ? 1n : 0n;
        case '~':
          this.#next();
          return wrap(~this.#unary());
        case '++':
        case '--': {
          const step = this.#token === '++' ? 1n : -1n;
          this.#next();
          const place = this.#place();
          if (this.#token === '++' || this.#token === '--') this.#fail(`${this.#token}: assignment requires lvalue`);
          return this.#write(place, wrap(this.#read(place) + step));
        }
        case '(': {
          this.#next();
          const value = this.#comma();
          if (!this.#take(')')) this.#fail("missing `)'");
          return value;
        }
      }
      this.#fail('syntax error: operand expected');
    }
    if (this.#kind === 'number') {
      const value = this.#number(this.#token);
      this.#next();
      return value;
    }
    if (this.#kind === 'name') {
      const place = this.#place();
      const value = this.#read(place);
      if (this.#now() === 'operator' && (this.#token === '++' || this.#token === '--')) {
        this.#write(place, wrap(value + (this.#token === '++' ? 1n : -1n)));
        this.#next();
      }
      return value;
    }
    this.#fail('syntax error: operand expected');
  }

  #place(): Place {
    const name = this.#token;
    if (this.#source[this.#position] !== '[') {
      this.#next();
      return { name, index: undefined };
    }
    let depth = 0;
    let end = this.#position;
    for (; end < this.#source.length; end++) {
      if (this.#source[end] === '[') depth++;
      else if (this.#source[end] === ']' && --depth === 0) break;
    }
    if (end === this.#source.length) this.#fail('bad array subscript');
    const index = this.#source.slice(this.#position + 1, end);
    this.#position = end + 1;
    this.#next();
    return { name, index };
  }

  #read(place: Place): bigint {
    if (this.#skipping > 0) return 0n;
    const text = this.#scope.read(place.name, place.index);
    return evaluate(text, this.#scope, this.#depth + 1);
  }

  #write(place: Place, value: bigint): bigint {
    if (this.#skipping === 0) this.#scope.write(place.name, place.index, String(value));
    return value;
  }

  #number(text: string): bigint {
    const fail = (reason: string): never => this.#fail(reason, this.#start, this.#start + text.length);
    let base = 10;
    let known = false;
    let digits = text;
    if (/^0[xX]/.test(text)) [base, known, digits] = [16, true, text.slice(2)];
    else if (/^0./.test(text)) [base, known, digits] = [8, true, text.slice(1)];
    let value = 0n;
    for (let i = 0; i < digits.length; i++) {
      const digit = digits[i]!;
      if (digit === '#') {
        if (known) fail('invalid number');
        if (value < 2n || value > 64n) fail('invalid arithmetic base');
        [base, known, value] = [Number(value), true, 0n];
        if (i + 1 === digits.length) fail('invalid integer constant');
        continue;
      }
      let worth = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_'.indexOf(digit);
      if (base <= 36 && worth >= 36 && worth < 62) worth -= 26;
      if (worth >= base) fail('value too great for base');
      value = wrap(value * BigInt(base) + BigInt(worth));
    }
    return value;
  }
}

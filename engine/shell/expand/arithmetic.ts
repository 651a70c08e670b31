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
  /\s*(?:(\d+#[0-9A-Za-z@_]+|0[xX][0-9A-Fa-f]+|\d[0-9A-Za-z_]*)|([A-Za-z_]\w*)|(<<=|>>=|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|[-+*/%&^|<>=!~?:,()[\]]))/y;

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

  #fail(reason: string): never {
    const token = this.#source.slice(this.#start).trimStart();
    throw new ShellError(`${this.#source.trimStart()}: ${reason} (error token is "${token}")`, 1, 'line');
  }

  #next(): void {
    const rest = this.#source.slice(this.#position);
    this.#start = this.#position + (rest.length - rest.trimStart().length);
    if (rest.trim() === '') {
      this.#kind = 'end';
      this.#token = '';
      return;
    }
    TOKEN.lastIndex = this.#position;
    const match = TOKEN.exec(this.#source);
    if (!match) this.#fail('syntax error: operand expected');
    this.#position = TOKEN.lastIndex;
    this.#kind = match[1] !== undefined ? 'number' : match[2] !== undefined ? 'name' : 'operator';
    this.#token = match[1] ?? match[2] ?? match[3]!;
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
        this.#next();
        const right = this.#assignment();
        const value = operator ? this.#apply(operator, this.#read(place), right) : right;
        return this.#write(place, value);
      }
      [this.#position, this.#token, this.#kind, this.#start] = saved;
    }
    return this.#ternary();
  }

  #ternary(): bigint {
    const test = this.#binary(3);
    if (!this.#take('?')) return test;
    const first = this.#unless(test === 0n, () => this.#comma());
    if (!this.#take(':')) this.#fail("`:' expected for conditional expression");
    const second = this.#unless(test !== 0n, () => this.#assignment());
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
      this.#next();
      if (operator === '&&') {
        const right = this.#unless(left === 0n, () => this.#binary(level + 1));
        left = left !== 0n && right !== 0n ? 1n : 0n;
      } else if (operator === '||') {
        const right = this.#unless(left !== 0n, () => this.#binary(level + 1));
        left = left !== 0n || right !== 0n ? 1n : 0n;
      } else left = this.#apply(operator, left, this.#binary(operator === '**' ? level : level + 1));
    }
  }

  #apply(operator: string, a: bigint, b: bigint): bigint {
    switch (operator) {
      case '+':
        return wrap(a + b);
      case '-':
        return wrap(a - b);
      case '*':
        return wrap(a * b);
      case '/':
        return this.#divide(b, () => wrap(a / b));
      case '%':
        return this.#divide(b, () => wrap(a % b));
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

  #divide(divisor: bigint, divide: () => bigint): bigint {
    if (this.#skipping > 0) return 0n;
    if (divisor !== 0n) return divide();
    const token = this.#source.slice(0, this.#kind === 'end' ? undefined : this.#start).match(/\S+\s*$/)?.[0] ?? '0';
    const tail = /[\w)\]]+\s*$/.exec(token)?.[0] ?? token;
    const rest = this.#kind === 'end' ? '' : this.#source.slice(this.#start);
    throw new ShellError(`${this.#source.trimStart()}: division by 0 (error token is "${tail}${rest}")`, 1, 'line');
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
          if (this.#now() !== 'name') return this.#unary();
          const place = this.#place();
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
    const based = text.match(/^(\d+)#(.+)$/);
    if (based) return this.#digits(based[2]!, Number(based[1]));
    if (/^0[xX]/.test(text)) return wrap(BigInt(text));
    if (/^0\d/.test(text)) return this.#digits(text.slice(1), 8);
    return this.#digits(text, 10);
  }

  #digits(text: string, base: number): bigint {
    if (base < 2 || base > 64) this.#fail('invalid arithmetic base');
    let value = 0n;
    for (const digit of text) {
      let worth = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_'.indexOf(digit);
      if (base <= 36 && worth >= 36) worth -= 26;
      if (worth < 0 || worth >= base) this.#fail('value too great for base');
      value = wrap(value * BigInt(base) + BigInt(worth));
    }
    return value;
  }
}

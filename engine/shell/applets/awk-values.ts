// Values of awk: numbers, texts, and input that is both; arithmetic; jumps.
import { UsageError } from './tool';

/** A value; `numeric` strings come from input and compare as numbers. */
export type Value = number | string | Numeric | undefined;

/** Input that looks like a number. */
export class Numeric {
  readonly text: string;
  readonly value: number;
  constructor(text: string, value: number) {
    this.text = text;
    this.value = value;
  }
}

export type Table = Map<string, Value>;

export class Jump {
  readonly kind: 'break' | 'continue' | 'next' | 'nextfile' | 'exit' | 'return';
  readonly value: Value;
  constructor(kind: Jump['kind'], value?: Value) {
    this.kind = kind;
    this.value = value;
  }
}

const NUMBER = /^[ \t\n]*[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf|nan)[ \t\n]*$/i;

export function fromInput(text: string): Value {
  return NUMBER.test(text) ? new Numeric(text, Number(text)) : text;
}

export function toNumber(value: Value): number {
  if (typeof value === 'number') return value;
  if (value === undefined) return 0;
  if (value instanceof Numeric) return value.value;
  return Number(value.match(/^[ \t\n]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/)?.[1] ?? 0);
}

export function toBoolean(value: Value): boolean {
  if (value instanceof Numeric) return value.value !== 0;
  return typeof value === 'number' ? value !== 0 : value !== undefined && value !== '';
}

export function arithmetic(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      if (b === 0) throw new UsageError('division by zero', 2);
      return a / b;
    case '%':
      if (b === 0) throw new UsageError('division by zero in %', 2);
      return a % b;
    case '^':
      return a ** b;
    default:
      throw new Error(`operator ${operator} has no meaning`);
  }
}

/** Whether a function's body uses a parameter as an array. */
export function usesAsArray(body: unknown, name: string): boolean {
  if (Array.isArray(body)) return body.some((item) => usesAsArray(item, name));
  if (!body || typeof body !== 'object') return false;
  const node = body as Record<string, unknown>;
  if (['element', 'in', 'delete'].includes(String(node.type)) && node.name === name) return true;
  if (node.type === 'forIn' && node.array === name) return true;
  if (node.type === 'builtin' && node.name === 'split' && (node.args as { name?: string }[])[1]?.name === name)
    return true;
  if (node.type === 'call')
    return (node.args as { type: string; name?: string }[]).some((arg) => arg.type === 'name' && arg.name === name);
  return Object.values(node).some((item) => usesAsArray(item, name));
}

/** Whether a comparison holds. */
export function compare<Operand extends number | string>(operator: string, a: Operand, b: Operand): boolean {
  return { '<': a < b, '<=': a <= b, '==': a === b, '!=': a !== b, '>': a > b, '>=': a >= b }[operator]!;
}

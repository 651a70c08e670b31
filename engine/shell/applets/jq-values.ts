// Values of jq: order, arithmetic, printing.

/** An error that jq programs can catch. */
export class JqError {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** A JSON object without a prototype's surprises. */
export type JsonObject = Record<string, unknown>;

/** `null`, `boolean`, `number`, `string`, `array`, `object`. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** jq shortens values in its messages. */
export function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return `${typeOf(value)} (${text.length > 11 ? `${text.slice(0, 10)}...` : text})`;
}

/** Only false and null are not true. */
export function truthy(value: unknown): boolean {
  return value !== false && value !== null;
}

const ORDER = ['null', 'false', 'true', 'number', 'string', 'array', 'object'];

/** jq's total order of all values. */
export function compareValues(a: unknown, b: unknown): number {
  const rank = (value: unknown) => ORDER.indexOf(typeof value === 'boolean' ? String(value) : typeOf(value));
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'number') return a - (b as number);
  if (typeof a === 'string') return a < (b as string) ? -1 : a > (b as string) ? 1 : 0;
  if (Array.isArray(a)) {
    const other = b as unknown[];
    for (let i = 0; i < Math.min(a.length, other.length); i++) {
      const order = compareValues(a[i], other[i]);
      if (order !== 0) return order;
    }
    return a.length - other.length;
  }
  if (typeOf(a) === 'object') {
    const [first, second] = [Object.keys(a as object).sort(), Object.keys(b as object).sort()];
    const byKeys = compareValues(first, second);
    if (byKeys !== 0) return byKeys;
    for (const key of first) {
      const order = compareValues((a as JsonObject)[key], (b as JsonObject)[key]);
      if (order !== 0) return order;
    }
  }
  return 0;
}

/** `+ - * / %`. */
export function operate(operator: string, a: unknown, b: unknown): unknown {
  const fail = (verb: string): never => {
    throw new JqError(`${brief(a)} and ${brief(b)} cannot be ${verb}`);
  };
  const numbers = typeof a === 'number' && typeof b === 'number';
  switch (operator) {
    case '+':
      if (a === null) return b;
      if (b === null) return a;
      if (numbers || (typeof a === 'string' && typeof b === 'string')) return (a as number) + (b as number);
      if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
      if (typeOf(a) === 'object' && typeOf(b) === 'object') return { ...(a as JsonObject), ...(b as JsonObject) };
      return fail('added');
    case '-':
      if (numbers) return a - b;
      if (Array.isArray(a) && Array.isArray(b))
        return a.filter((item) => !b.some((other) => compareValues(item, other) === 0));
      return fail('subtracted');
    case '*':
      if (numbers) return a * b;
      if (typeof a === 'string' && typeof b === 'number') return b <= 0 ? null : a.repeat(Math.max(1, Math.floor(b)));
      if (typeof a === 'number' && typeof b === 'string') return operate('*', b, a);
      if (typeOf(a) === 'object' && typeOf(b) === 'object') return merge(a as JsonObject, b as JsonObject);
      return fail('multiplied');
    case '/':
      if (numbers) {
        if (b === 0) throw new JqError(`${brief(a)} and ${brief(b)} cannot be divided because the divisor is zero`);
        return a / b;
      }
      if (typeof a === 'string' && typeof b === 'string') return a === '' ? [] : a.split(b);
      return fail('divided');
    case '%':
      if (!numbers) return fail('divided');
      if (Math.trunc(b) === 0)
        throw new JqError(`${brief(a)} and ${brief(b)} cannot be divided because the divisor is zero`);
      return Math.trunc(a) % Math.abs(Math.trunc(b));
    default:
      throw new Error(`operator ${operator} has no meaning`);
  }
}

function merge(a: JsonObject, b: JsonObject): JsonObject {
  const result = { ...a };
  for (const [key, value] of Object.entries(b))
    result[key] =
      typeOf(result[key]) === 'object' && typeOf(value) === 'object'
        ? merge(result[key] as JsonObject, value as JsonObject)
        : value;
  return result;
}

/** How values are printed. */
export interface PrintStyle {
  indent: string;
  sortKeys: boolean;
  color: boolean;
  ascii: boolean;
}

const COLORS: Record<string, string> = {
  null: '1;30',
  boolean: '0;39',
  number: '0;39',
  string: '0;32',
  array: '1;39',
  object: '1;39',
};

/** A value as JSON text in jq's layout. */
export function print(value: unknown, style: PrintStyle, level = 0): string {
  const paint = (text: string, code = COLORS[typeOf(value)]!) => (style.color ? `\x1b[${code}m${text}\x1b[0m` : text);
  const line = (depth: number) => (style.indent === '' ? '' : `\n${style.indent.repeat(depth)}`);
  const text = (string: string) => {
    const json = JSON.stringify(string).replace(/\x7f/g, '\\u007f');
    return style.ascii
      ? json.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : json;
  };
  if (Array.isArray(value)) {
    if (value.length === 0) return paint('[]');
    const items = value.map((item) => print(item, style, level + 1));
    return `${paint('[')}${items.map((item) => line(level + 1) + item).join(paint(','))}${line(level)}${paint(']')}`;
  }
  if (typeOf(value) === 'object') {
    const keys = Object.keys(value as object);
    if (style.sortKeys) keys.sort();
    if (keys.length === 0) return paint('{}');
    const items = keys.map(
      (key) =>
        `${line(level + 1)}${style.color ? `\x1b[34;1m${text(key)}\x1b[0m` : text(key)}${paint(':')}${style.indent === '' ? '' : ' '}${print((value as JsonObject)[key], style, level + 1)}`,
    );
    return `${paint('{')}${items.join(paint(','))}${line(level)}${paint('}')}`;
  }
  if (typeof value === 'string') return paint(text(value));
  if (typeof value === 'number') return paint(numberText(value));
  return paint(String(value));
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'null';
  if (!Number.isFinite(value)) return value > 0 ? '1.7976931348623157e+308' : '-1.7976931348623157e+308';
  if (Number.isInteger(value) && Math.abs(value) >= 1e17) return value.toExponential().replace(/e\+(\d)$/, 'e+0$1');
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

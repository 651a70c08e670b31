// Values of a program as text: what it returns and what it prints.

/** JSON that also takes what JSON has no word for. Strings are themselves. *Throws* a TypeError for what contains itself. */
export function textOf(value: unknown, indent?: number): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, plain, indent) ?? String(value);
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return typeof value === 'function' ? `[function ${value.name}]` : value;
}

/** A console that hands over lines, at most so many characters of them. */
export function printingConsole(print: (text: string) => void, maxChars: number): object {
  let left = maxChars;
  const write = (...values: unknown[]) => {
    if (left <= 0) return;
    const text = values.map(lineOf).join(' ');
    left -= text.length + 1;
    print(left > 0 ? text : `${text.slice(0, text.length + left)}\n[… it printed more than ${maxChars} characters …]`);
  };
  const names = ['log', 'info', 'warn', 'error', 'debug', 'table', 'dir', 'trace'];
  return Object.freeze(Object.fromEntries(names.map((name) => [name, write])));
}

function lineOf(value: unknown): string {
  try {
    return value instanceof Error ? (value.stack ?? String(value)) : textOf(value);
  } catch {
    return String(value);
  }
}

// Texts in jq: formats, regular expressions, dates.
import { brief, JqError, type JsonObject, print, typeOf } from './jq-values';

export const text = (value: unknown): string =>
  typeof value === 'string' ? value : print(value, { indent: '', sortKeys: false, color: false, ascii: false });

export function need(kind: string, value: unknown, what: string): void {
  if (typeOf(value) !== kind) throw new JqError(`${brief(value)} ${what}`);
}

function regexOf(source: unknown, flags: unknown): RegExp {
  if (typeof source !== 'string') throw new JqError(`${brief(source)} cannot be matched, as it is not a string`);
  const letters = typeof flags === 'string' ? flags : '';
  for (const letter of letters)
    if (!'gimnxslp'.includes(letter)) throw new JqError(`${letters} is not a valid modifier string`);
  const body = letters.includes('x')
    ? source.replace(/\\.|\[[^\]]*\]|\s+|#.*$/gm, (part) => (/^\s|^#/.test(part) ? '' : part))
    : source;
  try {
    return new RegExp(
      body,
      `du${letters.includes('g') ? 'g' : ''}${letters.includes('i') ? 'i' : ''}${letters.includes('s') || letters.includes('p') ? 's' : ''}`,
    );
  } catch {
    try {
      return new RegExp(body, `d${letters.includes('g') ? 'g' : ''}${letters.includes('i') ? 'i' : ''}`);
    } catch (error) {
      throw new JqError(`${source} (at offset 0) is not a valid regex: ${(error as Error).message}`);
    }
  }
}

export function matches(input: unknown, re: unknown, flags: unknown): JsonObject[] {
  if (Array.isArray(re)) return matches(input, re[0], re[1] ?? flags);
  if (typeof input !== 'string') throw new JqError(`${brief(input)} cannot be matched, as it is not a string`);
  const regex = regexOf(re, flags);
  const found = regex.global ? [...input.matchAll(regex)] : [regex.exec(input)].filter((match) => match !== null);
  const points = (end: number) => [...input.slice(0, end)].length;
  return found.map((match) => {
    const names = new Map(Object.keys(match.groups ?? {}).map((name) => [match.groups![name], name]));
    const order = [...regex.source.matchAll(/\((?!\?)|\(\?<([A-Za-z_]\w*)>/g)].map((group) => group[1] ?? null);
    const captures = match.slice(1).map((string, position) => {
      const span = match.indices![position + 1];
      return {
        offset: span ? points(span[0]) : -1,
        length: string === undefined ? 0 : [...string].length,
        string: string ?? null,
        name: order[position] ?? names.get(string) ?? null,
      };
    });
    return { offset: points(match.index), length: [...match[0]].length, string: match[0], captures };
  });
}

export function format(name: string, value: unknown): string {
  const cell = (item: unknown, quote: (string: string) => string) => {
    if (typeof item === 'string') return quote(item);
    if (typeof item === 'object' && item !== null) throw new JqError(`${brief(item)} is not valid in a csv row`);
    return item === null ? '' : text(item);
  };
  switch (name) {
    case 'text':
      return text(value);
    case 'json':
      return print(value, { indent: '', sortKeys: false, color: false, ascii: false });
    case 'csv':
      need('array', value, 'cannot be csv-formatted, only an array can be');
      return (value as unknown[]).map((item) => cell(item, (string) => `"${string.replaceAll('"', '""')}"`)).join(',');
    case 'tsv':
      need('array', value, 'cannot be tsv-formatted, only an array can be');
      return (value as unknown[])
        .map((item) =>
          cell(item, (string) =>
            string.replace(
              /[\\\t\n\r]/g,
              (character) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[character]!,
            ),
          ),
        )
        .join('\t');
    case 'html':
      return text(value).replace(
        /[<>&'"]/g,
        (character) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&#39;', '"': '&quot;' })[character]!,
      );
    case 'uri':
      return encodeURIComponent(text(value)).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    case 'sh':
      return (Array.isArray(value) ? value : [value])
        .map((item) => (typeof item === 'string' ? `'${item.replaceAll("'", "'\\''")}'` : text(item)))
        .join(' ');
    case 'base64':
      return Buffer.from(text(value)).toString('base64');
    case 'base64d':
      return Buffer.from(text(value), 'base64').toString('utf8');
    default:
      throw new JqError(`${name} is not a valid format`);
  }
}

export function brokenDown(value: unknown): Date {
  if (typeof value === 'number') return new Date(value * 1000);
  if (Array.isArray(value)) {
    const [year, month, day, hour, minute, second] = value as number[];
    return new Date(Date.UTC(year!, month, day, hour, minute, Math.floor(second!), (second! % 1) * 1000));
  }
  throw new JqError('strftime/1 requires parsed datetime inputs');
}

// date and the date texts that date -d and touch -d understand.
import fs from 'node:fs';
import { lastValue, parseOptions } from './options';
import { strftime } from './strftime';
import { type Applet, resolvePath, UsageError } from './tool';

const UNITS: Record<string, (date: Date, count: number) => void> = {
  second: (date, count) => date.setSeconds(date.getSeconds() + count),
  sec: (date, count) => date.setSeconds(date.getSeconds() + count),
  minute: (date, count) => date.setMinutes(date.getMinutes() + count),
  min: (date, count) => date.setMinutes(date.getMinutes() + count),
  hour: (date, count) => date.setHours(date.getHours() + count),
  day: (date, count) => date.setDate(date.getDate() + count),
  week: (date, count) => date.setDate(date.getDate() + 7 * count),
  fortnight: (date, count) => date.setDate(date.getDate() + 14 * count),
  month: (date, count) => date.setMonth(date.getMonth() + count),
  year: (date, count) => date.setFullYear(date.getFullYear() + count),
};

/** `2024-01-02 03:04`, `@123`, `yesterday`, `3 days ago`, `now + 1 hour`. Throws UsageError. */
export function parseDate(text: string, now: Date, utc = false): Date {
  const epoch = text.match(/^\s*@(-?\d+(?:\.\d+)?)\s*$/);
  if (epoch) return new Date(Number(epoch[1]) * 1000);
  let rest = ` ${text.trim()} `;
  let date = new Date(now);
  const iso = rest.match(
    /(\d{4})-(\d\d?)-(\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?/,
  );
  if (iso) {
    rest = rest.replace(iso[0], ' ');
    const parts = [
      Number(iso[1]),
      Number(iso[2]) - 1,
      Number(iso[3]),
      Number(iso[4] ?? 0),
      Number(iso[5] ?? 0),
      Number(iso[6] ?? 0),
      Number((iso[7] ?? '').padEnd(3, '0').slice(0, 3)),
    ] as const;
    if (iso[8] !== undefined || utc) {
      const offset =
        iso[8] === undefined || /^[ZUG]/.test(iso[8])
          ? 0
          : Number(`${iso[8][0]}1`) * (Number(iso[8].slice(1, 3)) * 60 + Number(iso[8].slice(-2)));
      date = new Date(Date.UTC(...parts) - offset * 60_000);
    } else date = new Date(...parts);
  } else {
    const clock = rest.match(/\s(\d\d?):(\d\d)(?::(\d\d))?\s/);
    if (clock) {
      rest = rest.replace(clock[0], ' ');
      date.setHours(Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0), 0);
    }
  }
  rest = rest
    .replace(/\byesterday\b/gi, '1 day ago')
    .replace(/\btomorrow\b/gi, '1 day')
    .replace(/\b(today|now)\b/gi, ' ')
    .replace(/\bnext (?=[a-z])/gi, '1 ')
    .replace(/\blast (?=[a-z])/gi, '-1 ');
  if (/\bmidnight\b/i.test(rest)) {
    rest = rest.replace(/\bmidnight\b/i, ' ');
    date.setHours(0, 0, 0, 0);
  }
  rest = rest.replace(
    /([+-]?\s*\d+)\s*([a-z]+?)s?\b(\s+ago\b)?/gi,
    (whole, count: string, unit: string, ago: string | undefined) => {
      const change = UNITS[unit.toLowerCase()];
      if (!change) return whole;
      change(date, Number(count.replace(/\s/g, '')) * (ago ? -1 : 1));
      return ' ';
    },
  );
  if (rest.trim() !== '') {
    const parsed = Date.parse(text);
    if (Number.isNaN(parsed)) throw new UsageError(`invalid date ‘${text}’`);
    return new Date(parsed);
  }
  return date;
}

/** date [-uR] [-d text] [-r file] [-I[kind]] [+format]. */
export const date: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'ud:r:RI?s:', {
    utc: 'u',
    universal: 'u',
    'date=': 'd',
    'reference=': 'r',
    'rfc-email': 'R',
    'iso-8601=?': 'I',
    'rfc-3339=': '3339',
    'set=': 's',
  });
  if (parsed.values.has('s')) throw new UsageError('cannot set date: Operation not permitted');
  const utc = parsed.flags.has('u');
  const text = lastValue(parsed, 'd');
  const reference = lastValue(parsed, 'r');
  const when =
    reference !== undefined
      ? fs.statSync(resolvePath(tool, reference)).mtime
      : text !== undefined
        ? parseDate(text, new Date(), utc)
        : new Date();
  const operand = parsed.operands[0];
  if (operand !== undefined && !operand.startsWith('+')) throw new UsageError(`invalid date ‘${operand}’`);
  const iso: Record<string, string> = {
    '': '%Y-%m-%d',
    date: '%Y-%m-%d',
    hours: '%Y-%m-%dT%H%:z',
    minutes: '%Y-%m-%dT%H:%M%:z',
    seconds: '%Y-%m-%dT%H:%M:%S%:z',
    ns: '%Y-%m-%dT%H:%M:%S,%N%:z',
  };
  let format = operand?.slice(1) ?? '%a %b %e %H:%M:%S %Z %Y';
  if (parsed.flags.has('R')) format = '%a, %d %b %Y %H:%M:%S %z';
  if (parsed.values.has('I')) format = iso[lastValue(parsed, 'I')!] ?? iso['']!;
  if (parsed.values.has('3339')) format = lastValue(parsed, '3339') === 'date' ? '%Y-%m-%d' : '%Y-%m-%d %H:%M:%S%:z';
  await tool.stdout.write(`${strftime(format, when, utc)}\n`);
  return 0;
};

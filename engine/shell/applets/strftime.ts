// Time formatting as strftime in the C locale, with GNU's flags and widths; times are local unless `utc`.

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `format` filled with `date`; `nanoseconds` below the millisecond come as zeros. */
export function strftime(format: string, date: Date, utc = false): string {
  const local = utc ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  const offset = utc ? 0 : -date.getTimezoneOffset();
  return format.replace(
    /%([-_0^#]*)(\d*)(:{0,3}z|[EO]?[A-Za-z%+])/g,
    (whole, flags: string, width: string, letter: string) => {
      const made = field(letter.replace(/^[EO]/, ''), local, date, offset, utc);
      if (made === undefined) return whole;
      let { text } = made;
      let { pad } = made;
      if (flags.includes('-')) text = text.replace(/^[0 ]+(?=.)/, '');
      if (flags.includes('_')) {
        text = text.replace(/^0+(?=\d)/, (zeros) => ' '.repeat(zeros.length));
        pad = ' ';
      }
      if (flags.includes('0')) {
        text = text.replace(/^ +/, (spaces) => '0'.repeat(spaces.length));
        pad = '0';
      }
      if (flags.includes('^')) text = text.toUpperCase();
      if (flags.includes('#')) text = letter === 'Z' || letter === 'p' ? text.toLowerCase() : text.toUpperCase();
      if (letter === 'N' && width) return text.slice(0, Number(width)).padEnd(Number(width), '0');
      return width ? text.padStart(Number(width), pad) : text;
    },
  );
}

function field(
  letter: string,
  local: Date,
  date: Date,
  offset: number,
  utc: boolean,
): { text: string; pad: string } | undefined {
  const two = (value: number) => ({ text: String(value).padStart(2, '0'), pad: '0' });
  const text = (value: string) => ({ text: value, pad: ' ' });
  const again = (format: string) => text(strftime(format, date, utc));
  const hour = local.getUTCHours();
  const yearDay = Math.floor(
    (Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()) -
      Date.UTC(local.getUTCFullYear(), 0, 1)) /
      86_400_000,
  );
  const weekDay = local.getUTCDay();
  switch (letter) {
    case '%':
      return text('%');
    case 'a':
      return text(DAYS[weekDay]!.slice(0, 3));
    case 'A':
      return text(DAYS[weekDay]!);
    case 'b':
    case 'h':
      return text(MONTHS[local.getUTCMonth()]!.slice(0, 3));
    case 'B':
      return text(MONTHS[local.getUTCMonth()]!);
    case 'c':
      return again('%a %b %e %H:%M:%S %Y');
    case 'C':
      return two(Math.floor(local.getUTCFullYear() / 100));
    case 'd':
      return two(local.getUTCDate());
    case 'D':
    case 'x':
      return again('%m/%d/%y');
    case 'e':
      return text(String(local.getUTCDate()).padStart(2));
    case 'F':
      return again('%Y-%m-%d');
    case 'g':
      return two(isoWeek(local).year % 100);
    case 'G':
      return { text: String(isoWeek(local).year), pad: '0' };
    case 'H':
      return two(hour);
    case 'I':
      return two(hour % 12 || 12);
    case 'j':
      return { text: String(yearDay + 1).padStart(3, '0'), pad: '0' };
    case 'k':
      return text(String(hour).padStart(2));
    case 'l':
      return text(String(hour % 12 || 12).padStart(2));
    case 'm':
      return two(local.getUTCMonth() + 1);
    case 'M':
      return two(local.getUTCMinutes());
    case 'n':
      return text('\n');
    case 'N':
      return { text: `${String(local.getUTCMilliseconds()).padStart(3, '0')}000000`, pad: '0' };
    case 'p':
      return text(hour < 12 ? 'AM' : 'PM');
    case 'P':
      return text(hour < 12 ? 'am' : 'pm');
    case 'q':
      return text(String(Math.floor(local.getUTCMonth() / 3) + 1));
    case 'r':
      return again('%I:%M:%S %p');
    case 'R':
      return again('%H:%M');
    case 's':
      return text(String(Math.floor(date.getTime() / 1000)));
    case 'S':
      return two(local.getUTCSeconds());
    case 't':
      return text('\t');
    case 'T':
    case 'X':
      return again('%H:%M:%S');
    case 'u':
      return text(String(weekDay || 7));
    case 'U':
      return two(Math.floor((yearDay + 7 - weekDay) / 7));
    case 'V':
      return two(isoWeek(local).week);
    case 'w':
      return text(String(weekDay));
    case 'W':
      return two(Math.floor((yearDay + 7 - ((weekDay + 6) % 7)) / 7));
    case 'y':
      return two(local.getUTCFullYear() % 100);
    case 'Y':
      return { text: String(local.getUTCFullYear()), pad: '0' };
    case 'Z':
      return text(utc ? 'UTC' : zoneName(date));
    case 'z':
      return text(zone(offset, ''));
    case ':z':
      return text(zone(offset, ':'));
    case '::z':
      return text(`${zone(offset, ':')}:00`);
    default:
      return undefined;
  }
}

function zone(offset: number, separator: string): string {
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}${separator}${String(minutes % 60).padStart(2, '0')}`;
}

function zoneName(date: Date): string {
  const part = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(date)
    .find((piece) => piece.type === 'timeZoneName');
  return part?.value ?? 'UTC';
}

function isoWeek(local: Date): { year: number; week: number } {
  const day = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()));
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const year = day.getUTCFullYear();
  return { year, week: Math.ceil(((day.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7) };
}

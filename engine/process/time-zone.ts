// The time zone that TZ names, at the start or later. A browser's Date knows only the machine's zone, so with TZ (and only then) Date's local half
// and Intl's default are taken over: offsets come from Intl, everything else stays the engine's own.
const BUCKET_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** A date without a time is UTC's by definition. */
const DATE_ONLY = /^[+-]?\d{4,6}(-\d\d(-\d\d)?)?$/;
const NAMES_ITS_ZONE = /(Z|\b(UTC?|GMT|[ECMP][SD]T))\b|\d\s*[+-]\d{1,2}:?\d{2}\s*($|\()/i;

const NativeDate = Date;
const nativeParse = Date.parse;
const NativeFormat = Intl.DateTimeFormat;

/** The IANA zone that a value of TZ stands for, as ICU reads it: what it does not know is UTC. */
export function zoneOf(value: string): string {
  const name = value.replace(/^:/, '');
  const fixed = /^[A-Za-z]{3,}([+-]?)(\d{1,2})$/.exec(name);
  if (fixed) return Number(fixed[2]) === 0 ? 'UTC' : `Etc/GMT${fixed[1] || '+'}${Number(fixed[2])}`;
  if (!/^[A-Z]/.test(name)) return 'UTC';
  try {
    return new NativeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** A zone's arithmetic; times are milliseconds. */
export class ZoneClock {
  readonly zone: string;
  private readonly short: Intl.DateTimeFormat;
  private readonly offsets = new Map<number, number>();

  constructor(zone: string) {
    this.zone = zone;
    this.short = new NativeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  }

  private nameAt(format: Intl.DateTimeFormat, utc: number): string {
    return format.formatToParts(utc).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  }

  /** What local time is ahead of UTC at a moment. */
  offset(utc: number): number {
    const bucket = Math.floor(utc / BUCKET_MS);
    let offset = this.offsets.get(bucket);
    if (offset === undefined) {
      const parts = /([+\-\u2212])(\d+):(\d+)(?::(\d+))?/.exec(this.nameAt(this.short, utc));
      const seconds = parts ? Number(parts[2]) * 3600 + Number(parts[3]) * 60 + Number(parts[4] ?? 0) : 0;
      offset = (parts?.[1] === '+' ? seconds : -seconds) * 1000 || 0;
      if (this.offsets.size > 10_000) this.offsets.clear();
      this.offsets.set(bucket, offset);
    }
    return offset;
  }

  /** The moment of a local time: the earlier of two, and in a gap as the clock went before it. */
  utcOf(local: number): number {
    if (Number.isNaN(local)) return local;
    const clamp = (time: number): number => Math.min(8.64e15, Math.max(-8.64e15, time));
    const before = this.offset(clamp(local - DAY_MS));
    const after = this.offset(clamp(local + DAY_MS));
    for (const offset of [before, after]) {
      if (this.offset(clamp(local - offset)) === offset) return local - offset;
    }
    return local - before;
  }

  /** "GMT+0200 (Central European Summer Time)". */
  suffix(utc: number): string {
    const minutes = Math.trunc(this.offset(utc) / 60_000);
    const size = Math.abs(minutes);
    const digits = (value: number): string => String(value).padStart(2, '0');
    const name = this.nameAt(new NativeFormat('en-US', { timeZone: this.zone, timeZoneName: 'long' }), utc);
    return `GMT${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}${digits(size % 60)} (${name})`;
  }

  /** As Date.parse, with the zone's local times. */
  parse(text: string): number {
    if (DATE_ONLY.test(text) || NAMES_ITS_ZONE.test(text)) return nativeParse(text);
    const asUtc = nativeParse(/^[+-]?\d{4,6}-\d\d-\d\dT/.test(text) ? `${text}Z` : `${text} UTC`);
    return Number.isNaN(asUtc) ? nativeParse(text) : this.utcOf(asUtc);
  }
}

let clock: ZoneClock | undefined;
let isInstalled = false;

/** Takes TZ's value: undefined is the machine's own zone again. `ProxyType` is the browser's, which types.isProxy does not know. */
export function applyTimeZone(value: string | undefined, ProxyType: ProxyConstructor): void {
  clock = value === undefined ? undefined : new ZoneClock(zoneOf(value));
  if (clock && !isInstalled) install(ProxyType);
}

function install(ProxyType: ProxyConstructor): void {
  isInstalled = true;
  const { prototype } = NativeDate as any;
  const { getTime, setTime, toLocaleString, toLocaleDateString, toLocaleTimeString } = prototype;
  const replace = (target: any, name: string, make: (native: any) => (this: any, ...args: any[]) => unknown): void => {
    const native = target[name];
    const own = make(native);
    // A method: it can't be constructed, as the one that it stands for.
    const { method } = {
      method(this: unknown, ...args: unknown[]) {
        return clock ? own.apply(this, args) : native.apply(this, args);
      },
    };
    Object.defineProperties(method, {
      name: { value: native.name, configurable: true },
      length: { value: native.length, configurable: true },
    });
    Object.defineProperty(target, name, { value: method, writable: true, enumerable: false, configurable: true });
  };
  /** A date whose UTC fields are the local ones. */
  const shifted = (date: Date): any => {
    const time = getTime.call(date);
    return new NativeDate(Number.isNaN(time) ? time : time + (clock as ZoneClock).offset(time));
  };
  for (const field of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
    const get = prototype[`getUTC${field}`];
    replace(
      prototype,
      `get${field}`,
      () =>
        function () {
          return get.call(shifted(this));
        },
    );
    const set = prototype[`setUTC${field}`];
    if (!set) continue;
    replace(
      prototype,
      `set${field}`,
      () =>
        function (...args) {
          const local = shifted(this);
          set.apply(local, args);
          return setTime.call(this, (clock as ZoneClock).utcOf(getTime.call(local)));
        },
    );
  }
  replace(
    prototype,
    'getYear',
    () =>
      function () {
        return shifted(this).getUTCFullYear() - 1900;
      },
  );
  replace(
    prototype,
    'setYear',
    () =>
      function (year) {
        const full = Math.trunc(Number(year));
        return this.setFullYear(full >= 0 && full <= 99 ? 1900 + full : year);
      },
  );
  replace(
    prototype,
    'getTimezoneOffset',
    () =>
      function () {
        const time = getTime.call(this);
        return Number.isNaN(time) ? time : -(clock as ZoneClock).offset(time) / 60_000 || 0;
      },
  );

  const two = (value: number): string => String(value).padStart(2, '0');
  const dateText = (local: any): string => {
    const year = local.getUTCFullYear();
    const digits = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(year < 0 ? 6 : 4, '0')}`;
    return `${DAYS[local.getUTCDay()]} ${MONTHS[local.getUTCMonth()]} ${two(local.getUTCDate())} ${digits}`;
  };
  const timeText = (local: any, utc: number): string =>
    `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())} ${(clock as ZoneClock).suffix(utc)}`;
  const text = (part: (local: Date, utc: number) => string) => () =>
    function (this: Date): string {
      const time = getTime.call(this);
      return Number.isNaN(time) ? 'Invalid Date' : part(shifted(this), time);
    };
  replace(
    prototype,
    'toString',
    text((local, utc) => `${dateText(local)} ${timeText(local, utc)}`),
  );
  replace(prototype, 'toDateString', text(dateText));
  replace(prototype, 'toTimeString', text(timeText));
  const withZone = (options: any): any => {
    if (options?.timeZone !== undefined) return options;
    const full = Object.create(options ?? null);
    full.timeZone = (clock as ZoneClock).zone;
    return full;
  };
  for (const native of [toLocaleString, toLocaleDateString, toLocaleTimeString]) {
    replace(
      prototype,
      native.name,
      () =>
        function (locales, options) {
          return native.call(this, locales, withZone(options));
        },
    );
  }
  replace(NativeDate, 'parse', () => (value) => (clock as ZoneClock).parse(String(value)));

  const timeOf = (args: any[]): number => {
    if (args.length > 1) return (clock as ZoneClock).utcOf((NativeDate.UTC as any)(...args));
    const value = typeof args[0] === 'object' && args[0] !== null ? primitive(args[0]) : args[0];
    return typeof value === 'string' ? (clock as ZoneClock).parse(value) : value;
  };
  const primitive = (value: any): any => {
    try {
      return getTime.call(value);
    } catch {
      const convert = value[Symbol.toPrimitive];
      return convert
        ? convert.call(value, 'default')
        : Object(value).valueOf() === value
          ? String(value)
          : value.valueOf();
    }
  };
  const OwnDate: any = new ProxyType(NativeDate, {
    apply: (target, self, args) => (clock ? new NativeDate().toString() : Reflect.apply(target, self, args)),
    construct: (target, args, newTarget) =>
      Reflect.construct(
        target,
        clock && args.length > 0 ? [timeOf(args)] : args,
        newTarget === OwnDate ? target : newTarget,
      ),
  });
  const OwnFormat: any = new ProxyType(NativeFormat, {
    apply: (target, self, [locales, options]) =>
      Reflect.apply(target, self, [locales, clock ? withZone(options) : options]),
    construct: (target, [locales, options], newTarget) =>
      Reflect.construct(
        target,
        [locales, clock ? withZone(options) : options],
        newTarget === OwnFormat ? target : newTarget,
      ),
  });
  for (const [target, name, value] of [
    [globalThis, 'Date', OwnDate],
    [prototype, 'constructor', OwnDate],
    [Intl, 'DateTimeFormat', OwnFormat],
    [NativeFormat.prototype, 'constructor', OwnFormat],
  ] as const)
    Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}

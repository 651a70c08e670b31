// GNU-style command-line options for applets: short ones in clusters, long ones with `=`, operands anywhere, `--`.
import { SelfDescription } from './self-description';
import { UsageError } from './tool';

/** Parsed options: flags as `true`, options with values as all their values in order. */
export interface Parsed {
  flags: Set<string>;
  values: Map<string, string[]>;
  operands: string[];
  /** Options in order of appearance: [letter or long name, value]. */
  order: [string, string | undefined][];
}

/** Long names map to a short letter or to themselves; `name=` takes a value, `name=?` an optional one after `=`. */
export type LongOptions = Record<string, string>;

/**
 * Parses `args`. `short` lists letters; `:` after one: it takes a value; `?`: an optional one glued to it.
 * `permute` false stops at the first operand. Throws UsageError that names an unknown option.
 */
export function parseOptions(
  args: readonly string[],
  short: string,
  long: LongOptions = {},
  settings: { permute?: boolean; status?: number } = {},
): Parsed {
  const parsed: Parsed = { flags: new Set(), values: new Map(), operands: [], order: [] };
  const note = (name: string, value?: string) => {
    parsed.order.push([name, value]);
    if (value === undefined) parsed.flags.add(name);
    else parsed.values.set(name, [...(parsed.values.get(name) ?? []), value]);
  };
  for (let i = 0; i < args.length; i++) {
    const argument = args[i]!;
    if (argument === '--') {
      parsed.operands.push(...args.slice(i + 1));
      break;
    }
    if (argument.startsWith('--')) {
      const [given, inline] = split(argument.slice(2));
      if ((given === 'help' || given === 'version') && inline === undefined && !takes(long, given))
        throw new SelfDescription(given, short, long);
      const [name, kind] = longName(given, long, settings.status);
      if (kind === 'flag') {
        if (inline !== undefined)
          throw new UsageError(`option '--${given}' doesn't allow an argument`, settings.status);
        note(name);
      } else if (kind === 'optional') note(name, inline ?? '');
      else {
        const value = inline ?? args[++i];
        if (value === undefined) throw new UsageError(`option '--${given}' requires an argument`, settings.status);
        note(name, value);
      }
    } else if (argument.startsWith('-') && argument.length > 1) {
      for (let at = 1; at < argument.length; at++) {
        const letter = argument[at]!;
        const known = letter === ':' || letter === '?' ? -1 : short.indexOf(letter);
        if (known < 0) throw new UsageError(`invalid option -- '${letter}'`, settings.status);
        const kind = short[known + 1];
        if (kind === '?') {
          note(letter, argument.slice(at + 1));
          break;
        }
        if (kind === ':') {
          const value = at + 1 < argument.length ? argument.slice(at + 1) : args[++i];
          if (value === undefined) throw new UsageError(`option requires an argument -- '${letter}'`, settings.status);
          note(letter, value);
          break;
        }
        note(letter);
      }
    } else if (settings.permute === false) {
      parsed.operands.push(...args.slice(i));
      break;
    } else parsed.operands.push(argument);
  }
  return parsed;
}

function takes(long: LongOptions, given: string): boolean {
  return Object.keys(long).some((key) => key.replace(/=\??$/, '') === given);
}

function split(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function longName(
  given: string,
  long: LongOptions,
  status: number | undefined,
): [string, 'flag' | 'value' | 'optional'] {
  const keys = Object.keys(long);
  const bare = (key: string) => key.replace(/=\??$/, '');
  const matches = keys.filter((key) => bare(key) === given);
  const found = matches.length > 0 ? matches : keys.filter((key) => bare(key).startsWith(given));
  const targets = new Set(found.map((key) => long[key]));
  if (found.length === 0) throw new UsageError(`unrecognized option '--${given}'`, status);
  if (targets.size > 1) throw new UsageError(`option '--${given}' is ambiguous`, status);
  const key = found[0]!;
  return [long[key]!, key.endsWith('=?') ? 'optional' : key.endsWith('=') ? 'value' : 'flag'];
}

/** The last value of an option. */
export function lastValue(parsed: Parsed, name: string): string | undefined {
  return parsed.values.get(name)?.at(-1);
}

/** A whole number of an option; throws UsageError with `label`. */
export function wholeNumber(text: string, label: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new UsageError(`${label}: ‘${text}’`);
  return Number(text);
}

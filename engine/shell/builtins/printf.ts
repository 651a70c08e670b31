// `printf` in full: the format is used again while arguments are left; numbers as C writes them.
import { strftime } from '../applets/strftime';
import { quoteBackslash, unescape } from '../expand/quote';
import { decodeText, encodeText, joinBytes } from '../io/text';

/** The text, and the complaints about arguments that are no numbers. */
export interface Printed {
  text: string;
  errors: string[];
  /** Whether one of them is more than a warning. */
  failed: boolean;
}

const DIRECTIVE =
  /%(%|([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d+)?)?(?:\(([^)]*)\))?(hh|h|ll|l|L|q|j|z|t)?([diouxXeEfFgGaAcsbqQT]))|\\(?:[\s\S])|%/g;

/** Formats. Throws an Error with the message for an unknown directive. */
export function printf(format: string, args: readonly string[]): Printed {
  const state: State = { rest: [...args], errors: [], stopped: false };
  let text = '';
  do {
    const before = state.rest.length;
    text += once(format, state);
    if (state.stopped || state.rest.length === before) break;
  } while (state.rest.length > 0);
  return {
    text: joinBytes(text),
    errors: state.errors,
    failed: state.errors.some((message) => !message.startsWith('warning: ')),
  };
}

interface State {
  rest: string[];
  errors: string[];
  stopped: boolean;
}

function once(format: string, state: State): string {
  let result = '';
  let last = 0;
  DIRECTIVE.lastIndex = 0;
  for (const match of format.matchAll(new RegExp(DIRECTIVE.source, 'g'))) {
    if (match.index < last) continue;
    result += format.slice(last, match.index);
    last = match.index + match[0].length;
    if (match[0].startsWith('\\')) {
      const escape = format
        .slice(match.index)
        .match(
          /^\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}(?:\\x[0-9a-fA-F]{1,2})*|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[\s\S])/,
        )![0];
      const octets = format.slice(match.index).match(/^(?:\\[0-7]{3}){2,}/)?.[0] ?? escape;
      last = match.index + octets.length;
      const decoded = unescape(octets, 'printf');
      result += decoded.text;
      if (decoded.stopped) {
        state.stopped = true;
        return result;
      }
    } else if (match[1] === '%') result += '%';
    else if (match[0] === '%') {
      const bad = format.slice(match.index + 1).match(/^[-+ #0']*[\d.*]*([\s\S])?/)![1];
      throw new Error(bad === undefined ? "`%': missing format character" : `\`${bad}': invalid format character`);
    } else result += directive(match, state);
    if (state.stopped) return result;
  }
  return result + format.slice(last);
}

function directive(match: RegExpMatchArray, state: State): string {
  let flags = match[2] ?? '';
  let width = match[3] === '*' ? integer(state.rest.shift() ?? '0', state) : Number(match[3] ?? 0);
  if (width < 0) {
    flags += '-';
    width = -width;
  }
  const dotted = /\./.test(match[0].replace(/\([^)]*\)/, ''));
  let precision =
    match[4] === '*' ? integer(state.rest.shift() ?? '0', state) : dotted ? Number(match[4] ?? 0) : undefined;
  if (precision !== undefined && precision < 0) precision = undefined;
  const kind = match[7]!;
  const argument = state.rest.shift();
  switch (kind) {
    case 's':
      return pad(cut(argument ?? '', precision), width, flags, false);
    case 'c':
      return pad(cut(argument ?? '', 1), width, flags, false);
    case 'b': {
      const decoded = unescape(argument ?? '', 'argument');
      state.stopped = decoded.stopped;
      return pad(cut(decoded.text, precision), width, flags, false);
    }
    case 'q':
    case 'Q':
      return pad(quoteBackslash(argument ?? ''), width, flags, false);
    case 'T': {
      const seconds =
        argument === undefined || argument === '-1' || argument === '-2' ? Date.now() / 1000 : Number(argument);
      return pad(cut(strftime(match[5] || '%X', new Date(seconds * 1000)), precision), width, flags, false);
    }
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return whole(kind, ranged(big(argument ?? '0', state), kind, argument ?? '0', state), width, flags, precision);
    default:
      return pad(float(kind, real(argument ?? '0', state), flags, precision), width, flags, true);
  }
}

/** Precision and width count bytes, as in bash. */
function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : decodeText(encodeText(text).subarray(0, precision));
}

function pad(text: string, width: number, flags: string, numeric: boolean): string {
  const missing = width - encodeText(text).length;
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  if (numeric && flags.includes('0') && !/[a-z]{3}/i.test(text)) {
    const sign = text.match(/^([+\- ]?(?:0[xX])?)/)![0];
    return sign + '0'.repeat(missing) + text.slice(sign.length);
  }
  return ' '.repeat(missing) + text;
}

function whole(kind: string, value: bigint, width: number, flags: string, precision: number | undefined): string {
  const signed = kind === 'd' || kind === 'i';
  const magnitude = signed ? (value < 0n ? -value : value) : BigInt.asUintN(64, value);
  let digits = magnitude.toString(kind === 'o' ? 8 : kind === 'x' || kind === 'X' ? 16 : 10);
  if (precision !== undefined) digits = precision === 0 && magnitude === 0n ? '' : digits.padStart(precision, '0');
  if (flags.includes("'") && signed) digits = digits.replace(/\B(?=(\d{3})+$)/g, '');
  let prefix = '';
  if (signed) prefix = value < 0n ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  if (flags.includes('#') && magnitude !== 0n) {
    if (kind === 'o' && !digits.startsWith('0')) prefix = '0';
    else if (kind === 'x' || kind === 'X') prefix = '0x';
  }
  const text = prefix + digits;
  return pad(
    kind === 'X' ? text.toUpperCase() : text,
    width,
    precision === undefined ? flags : flags.replace(/0/g, ''),
    true,
  );
}

/** One number as C's %e %f %g %a write it, without width. */
export function float(kind: string, value: number, flags: string, precision = 6): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const size = Math.abs(value);
  const lower = kind.toLowerCase();
  let body: string;
  if (!Number.isFinite(size)) body = Number.isNaN(size) ? 'nan' : 'inf';
  else if (lower === 'f') body = fixed(size, precision);
  else if (lower === 'e') body = exponent(size.toExponential(Math.min(precision, 100)));
  else if (lower === 'a') body = `0x${size.toString(16)}p+0`;
  else {
    const digits = precision === 0 ? 1 : precision;
    const power = size === 0 ? 0 : Number(size.toExponential(digits - 1).split('e')[1]);
    body = power < -4 || power >= digits ? exponent(size.toExponential(digits - 1)) : fixed(size, digits - 1 - power);
    if (!flags.includes('#') && body.includes('.')) body = body.replace(/\.?0+($|e)/, '$1');
  }
  // `#` keeps the point.
  if (flags.includes('#') && /^\d+$/.test(body) && lower !== 'a') body += '.';
  const text = sign + body;
  return kind === kind.toUpperCase() ? text.toUpperCase() : text;
}

function fixed(size: number, precision: number): string {
  if (size < 1e21) return size.toFixed(Math.min(precision, 100));
  return BigInt(size).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '');
}

function exponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

function big(argument: string, state: State): bigint {
  if (/^['"]/.test(argument)) return BigInt(letterNumber(argument));
  const text = argument.trimStart();
  if (text === '') return 0n;
  const match = text.match(/^([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/);
  if (!match || match[0] !== text) state.errors.push(`${argument}: invalid number`);
  if (!match) return 0n;
  const digits = match[2]!;
  const value = /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
  return match[1] === '-' ? -value : value;
}

/** The value in 64 bits, as strtoimax and strtoumax bound it. */
function ranged(value: bigint, kind: string, argument: string, state: State): bigint {
  const most = 2n ** 64n - 1n;
  const isSigned = kind === 'd' || kind === 'i';
  const low = isSigned ? -(2n ** 63n) : -most;
  const high = isSigned ? 2n ** 63n - 1n : most;
  if (value >= low && value <= high) return BigInt.asIntN(64, value);
  state.errors.push(`warning: ${argument}: Numerical result out of range`);
  return BigInt.asIntN(64, isSigned ? (value < 0n ? low : high) : most);
}

function integer(argument: string, state: State): number {
  return Number(big(argument, state));
}

function real(argument: string, state: State): number {
  if (/^['"]/.test(argument)) return letterNumber(argument);
  const text = argument.trimStart();
  if (text === '') return 0;
  const match = text.match(/^[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)/i);
  if (!match || match[0] !== text) state.errors.push(`${argument}: invalid number`);
  if (!match) return 0;
  if (/inf/i.test(match[0])) return match[0].startsWith('-') ? -Infinity : Infinity;
  return Number(match[0]);
}

/** The number of the letter behind a quote; of the byte, where it is none. */
function letterNumber(argument: string): number {
  const [letter = ''] = argument.slice(1);
  return letter.isWellFormed() ? (letter.codePointAt(0) ?? 0) : encodeText(letter)[0]!;
}

// `!!`, `!n`, `!-n`, `!text`, `!$`, `!#`, their words and modifiers, `^old^new`: a typed line becomes another before it is run.
import { quoteSingle } from '../expand/quote';
import { applyModifiers } from './history-modifiers';

/** The line to run; `changed`: it is to be shown first; `isShownOnly`: and not to be run (`:p`). */
export type Expansion = { text: string; changed: boolean; isShownOnly?: true } | { error: string };

const EVENT = /^!(?:(!)|(#)|(-?\d+)|(?=[$*^:-])|\?([^?\n]*)\??|([^\s=(;&|<>"'!#:]+?)(?=[\s;&|<>"':]|$))/;
const WORDS = /(?:\\.|'[^']*'|"(?:\\.|[^"])*"|[^\s'"\\;&|<>()])+|&&|\|\||;;|<<|>>|[;&|<>()]/g;
const DESIGNATOR = /^(?::([\d$^*-][\d$^*-]*)|([$^*]|-(?:\d+|[$^])?))/;

/** Expands outside single quotes and comments; `!` before a blank, `=` or `(` stands for itself. */
export function expandHistory(line: string, history: readonly string[]): Expansion {
  if (line.startsWith('^') && line.length > 1) return expandHistory(`!!:s${line}`, history);
  let text = '';
  let changed = false;
  let isDouble = false;
  let isShownOnly = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === '#' && !isDouble && /(?:^|[\s;&|(])$/.test(text)) {
      text += line.slice(at);
      break;
    }
    if (character === '\\') text += character + (line[++at] ?? '');
    else if (character === "'" && !isDouble) {
      const end = line.indexOf("'", at + 1);
      text += line.slice(at, end < 0 ? undefined : end + 1);
      at = end < 0 ? line.length : end;
    } else if (
      character !== '!' ||
      /^!(?:[\s=(]|$)/.test(line.slice(at)) ||
      (isDouble && line[at + 1] === '"') ||
      /(?:\$\{?|\[)$/.test(text)
    ) {
      if (character === '"') isDouble = !isDouble;
      text += character;
    } else {
      const expanded = expandEvent(line.slice(at), text, history);
      if (expanded === undefined) {
        text += character;
        continue;
      }
      if ('error' in expanded) return expanded;
      text += expanded.text;
      changed = true;
      isShownOnly ||= expanded.isShownOnly;
      at += expanded.length - 1;
    }
  }
  return isShownOnly ? { text, changed, isShownOnly } : { text, changed };
}

/** What the event at the start of `rest` stands for, and how long it is; undefined when there is none. */
function expandEvent(
  rest: string,
  before: string,
  history: readonly string[],
): { text: string; length: number; isShownOnly: boolean } | { error: string } | undefined {
  const match = EVENT.exec(rest);
  if (!match) return undefined;
  const [source] = match;
  const found = eventOf(match, before, history);
  if (found === undefined) return { error: `${source === '!' ? rest.split(/\s/)[0] : source}: event not found` };
  const designator = DESIGNATOR.exec(rest.slice(source.length));
  const chosen = selected(found, designator?.[1] ?? designator?.[2]);
  if (chosen === undefined) return { error: `${designator![0]}: bad word specifier` };
  const length = source.length + (designator?.[0].length ?? 0);
  const modified = applyModifiers(chosen.join(' '), rest.slice(length), quoteSingle, WORDS);
  if ('error' in modified) return modified;
  return { text: modified.text, length: length + modified.length, isShownOnly: modified.isShownOnly };
}

function eventOf(match: RegExpExecArray, before: string, history: readonly string[]): string | undefined {
  const [whole, last, present, number, part, start] = match;
  if (last || whole === '!') return history.at(-1);
  if (present) return before;
  if (number) return Number(number) < 0 ? history.at(Number(number)) : history[Number(number) - 1];
  if (part !== undefined) return history.findLast((entry) => entry.includes(part));
  return history.findLast((entry) => entry.startsWith(start!));
}

/** Words of a command: `$` the last, `^` the first argument, `*` all arguments, `n`, `n-m`, `n*`. The whole command when none are named. */
function selected(command: string, designator: string | undefined): string[] | undefined {
  if (designator === undefined) return [command];
  const words = command.match(WORDS) ?? [];
  const last = words.length - 1;
  if (designator === '*') return words.slice(1);
  const [, from, range, to] = /^([\d]+|[$^])?([-*]?)(\d+|[$^])?$/.exec(designator) ?? [undefined, undefined, 'wrong'];
  if (range === 'wrong') return undefined;
  const place = (text: string) => (text === '$' ? last : text === '^' ? 1 : Number(text));
  const first = from === undefined ? 0 : place(from);
  const end = range === '*' ? last : range === '-' ? (to === undefined ? last - 1 : place(to)) : first;
  if (range === '*' && first === last + 1) return [];
  return first > last || end > last || first > end ? undefined : words.slice(first, end + 1);
}

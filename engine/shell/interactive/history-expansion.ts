// `!!`, `!n`, `!-n`, `!text`, `!$`, `!*`, `!^`, `^old^new`: a typed line becomes another before it is run.

/** The line to run; `changed`: it is to be shown first. */
export type Expansion = { text: string; changed: boolean } | { error: string };

const EVENT = /^!(?:(!)|(-?\d+)|([$*^])|\?([^?\n]*)\??|([^\s=(;&|<>"']+?)(?=[\s;&|<>"':]|$))/;
const WORDS = /(?:\\.|'[^']*'|"(?:\\.|[^"])*"|[^\s'"\\])+/g;
const DESIGNATOR = /^:?([$*^]|(?<=:)\d+(?:-\d*|\*)?)/;

/** Expands outside single quotes; `!` before a blank, `=` or `(` stands for itself. */
export function expandHistory(line: string, history: readonly string[]): Expansion {
  const quick = /^\^([^^]+)\^([^^]*)\^?$/.exec(line);
  if (quick) {
    const last = history.at(-1) ?? '';
    if (!last.includes(quick[1]!)) return { error: `:s${line}: substitution failed` };
    return { text: last.replace(quick[1]!, () => quick[2]!), changed: true };
  }
  let text = '';
  let changed = false;
  let isDouble = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === '\\') text += character + (line[++at] ?? '');
    else if (character === "'" && !isDouble) {
      const end = line.indexOf("'", at + 1);
      text += line.slice(at, end < 0 ? undefined : end + 1);
      at = end < 0 ? line.length : end;
    } else if (
      character !== '!' ||
      /^!(?:[\s=(]|$)/.test(line.slice(at)) ||
      (isDouble && line[at + 1] === '"') ||
      /[$[{]$/.test(text)
    ) {
      if (character === '"') isDouble = !isDouble;
      text += character;
    } else {
      const match = EVENT.exec(line.slice(at));
      if (!match) {
        text += character;
        continue;
      }
      let [source] = match;
      const found = eventOf(match, history);
      if (found === undefined) return { error: `${source}: event not found` };
      const designator = match[3] ? undefined : DESIGNATOR.exec(line.slice(at + source.length));
      source += designator?.[0] ?? '';
      const words = selected(found, match[3] ?? designator?.[1]);
      if (words === undefined) return { error: `${source}: bad word specifier` };
      text += words;
      changed = true;
      at += source.length - 1;
    }
  }
  return { text, changed };
}

function eventOf(match: RegExpExecArray, history: readonly string[]): string | undefined {
  const [, last, number, word, part, start] = match;
  if (last || word) return history.at(-1);
  if (number) return Number(number) < 0 ? history.at(Number(number)) : history[Number(number) - 1];
  if (part !== undefined) return history.findLast((entry) => entry.includes(part));
  return history.findLast((entry) => entry.startsWith(start!));
}

/** Words of a command: `$` the last, `^` the first argument, `*` all arguments, `n`, `n-m`, `n*`. */
function selected(command: string, designator: string | undefined): string | undefined {
  if (designator === undefined) return command;
  const words = command.match(WORDS) ?? [];
  if (designator === '*') return words.slice(1).join(' ');
  if (designator === '$') return words.at(-1);
  if (designator === '^') return words[1];
  const [, from = '', rest = ''] = /^(\d+)(.*)$/.exec(designator) ?? [];
  const to = rest === '*' || rest === '-' ? words.length - (rest === '-' ? 2 : 1) : Number(rest.slice(1) || from);
  return words[Number(from)] === undefined ? undefined : words.slice(Number(from), to + 1).join(' ');
}

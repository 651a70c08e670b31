// The modifiers behind an event of the history: `:h`, `:t`, `:r`, `:e`, `:p`, `:q`, `:x`, `:s/old/new/`, `:gs`, `:&`.

/** What `:s` replaced last, for `:&` and for an empty `old`; there is one keyboard. */
let substitution: { from: string; to: string } | undefined;

/** The text after the modifiers at the start of `rest`, and how long they are. */
export function applyModifiers(
  text: string,
  rest: string,
  quote: (text: string) => string,
  words: RegExp,
): { text: string; length: number; isShownOnly: boolean } | { error: string } {
  let at = 0;
  let isShownOnly = false;
  while (rest[at] === ':' && rest[at + 1] !== undefined && !/\s/.test(rest[at + 1]!)) {
    const isGlobal = /^:[ga]/.test(rest.slice(at));
    const letter = rest[at + (isGlobal ? 2 : 1)] ?? '';
    at += isGlobal ? 3 : 2;
    switch (letter) {
      case 'h':
        text = text.replace(/(?<=[\s\S])\/[^/]*$/, '');
        break;
      case 't':
        text = text.replace(/^[\s\S]*\//, '');
        break;
      case 'r':
        text = text.replace(/\.[^.]*$/, '');
        break;
      case 'e':
        text = /\.[^.]*$/.exec(text)?.[0] ?? text;
        break;
      case 'p':
        isShownOnly = true;
        break;
      case 'q':
        text = quote(text);
        break;
      case 'x':
        text = (text.match(words) ?? []).map(quote).join(' ');
        break;
      case '&':
      case 's': {
        let shown = ':&';
        if (letter === 's') {
          const parts = substitutionAt(rest.slice(at));
          shown = `:s${rest.slice(at, at + parts.length)}`;
          at += parts.length;
          const from = parts.from || substitution?.from;
          if (from === undefined) return { error: `${shown}: no previous substitution` };
          substitution = { from, to: parts.to.replace(/\\?&/g, (mark) => (mark === '&' ? from : '&')) };
        }
        if (!substitution) return { error: `${shown}: no previous substitution` };
        const { from, to } = substitution;
        if (!text.includes(from)) return { error: `${shown}: substitution failed` };
        text = isGlobal ? text.replaceAll(from, () => to) : text.replace(from, () => to);
        break;
      }
      default:
        return { error: `${letter}: unrecognized history modifier` };
    }
  }
  return { text, length: at, isShownOnly };
}

/** `/old/new/` with any character in the place of the slash; the last one may be missing at the end of the line. */
function substitutionAt(text: string): { from: string; to: string; length: number } {
  const mark = text[0] ?? '/';
  let at = 1;
  const part = (): string => {
    let result = '';
    for (; at < text.length && text[at] !== mark; at++) {
      if (text[at] === '\\' && text[at + 1] === mark) at++;
      result += text[at];
    }
    at++;
    return result;
  };
  const from = part();
  const to = part();
  return { from, to, length: Math.min(at, text.length) };
}

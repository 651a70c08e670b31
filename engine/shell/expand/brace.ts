// Brace expansion on the source text of a word, before everything else: `a{b,c}{1..3}` as bash does it.

/** All words that the text stands for; the text itself when it has no brace expression. */
export function expandBraces(text: string): string[] {
  for (let open = nextOpen(text, 0); open >= 0; open = nextOpen(text, open + 1)) {
    const close = matching(text, open);
    if (close < 0) continue;
    const body = text.slice(open + 1, close);
    const choices = splitChoices(body);
    const middle = choices.length > 1 ? choices.flatMap(expandBraces) : sequence(body);
    if (!middle) {
      const inner = expandBraces(body);
      if (inner.length <= 1) continue;
      const before = text.slice(0, open);
      return inner.flatMap((part) => expandBraces(text.slice(close + 1)).map((tail) => `${before}{${part}}${tail}`));
    }
    const tails = expandBraces(text.slice(close + 1));
    const before = text.slice(0, open);
    return middle.flatMap((part) => tails.map((tail) => before + part + tail));
  }
  return [text];
}

/** Skips what is quoted or belongs to an expansion. Returns the index after it, or the same index. */
function skip(text: string, at: number): number {
  const character = text[at];
  if (character === '\\') return at + 2;
  if (character === "'") return after(text.indexOf("'", at + 1), text);
  if (character === '"') {
    let i = at + 1;
    while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
    return i + 1;
  }
  if (character === '`') return after(text.indexOf('`', at + 1), text);
  if (character === '$' && (text[at + 1] === '{' || text[at + 1] === '(')) {
    const open = text[at + 1]!;
    const close = open === '{' ? '}' : ')';
    let depth = 0;
    let i = at + 1;
    while (i < text.length) {
      if (text[i] === open) depth++;
      else if (text[i] === close && --depth === 0) return i + 1;
      const next = i > at + 1 ? skip(text, i) : i;
      i = next > i ? next : i + 1;
    }
    return i;
  }
  return at;
}

function after(index: number, text: string): number {
  return index < 0 ? text.length : index + 1;
}

function nextOpen(text: string, from: number): number {
  for (let i = from; i < text.length; ) {
    const next = skip(text, i);
    if (next > i) i = next;
    else if (text[i] === '{') return i;
    else i++;
  }
  return -1;
}

function matching(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; ) {
    const next = skip(text, i);
    if (next > i) {
      i = next;
      continue;
    }
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
    i++;
  }
  return -1;
}

function splitChoices(body: string): string[] {
  const result: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < body.length; ) {
    const next = skip(body, i);
    if (next > i) {
      i = next;
      continue;
    }
    if (body[i] === '{') depth++;
    else if (body[i] === '}') depth--;
    else if (body[i] === ',' && depth === 0) {
      result.push(body.slice(start, i));
      start = i + 1;
    }
    i++;
  }
  result.push(body.slice(start));
  return result;
}

function sequence(body: string): string[] | undefined {
  const numbers = body.match(/^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/);
  if (numbers) {
    const [, from, to, by] = numbers as unknown as [string, string, string, string | undefined];
    const padded = /^-?0\d/.test(from) || /^-?0\d/.test(to);
    const width = padded ? Math.max(from.length, to.length) : 0;
    return range(Number(from), Number(to), by).map((value) => {
      const digits = String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, '0');
      return value < 0 ? `-${digits}` : digits;
    });
  }
  const letters = body.match(/^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/);
  if (!letters) return undefined;
  return range(letters[1]!.charCodeAt(0), letters[2]!.charCodeAt(0), letters[3]).map((code) => {
    const letter = String.fromCharCode(code);
    return /[\\`[\]^]/.test(letter) ? `\\${letter}` : letter;
  });
}

function range(from: number, to: number, by: string | undefined): number[] {
  const step = Math.abs(Number(by ?? 1)) || 1;
  const result: number[] = [];
  if (from <= to) for (let value = from; value <= to; value += step) result.push(value);
  else for (let value = from; value >= to; value -= step) result.push(value);
  return result;
}

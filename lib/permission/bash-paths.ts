// Where a word leads that only the shell knows in full: braces are expanded as the shell does, and what stands before the first unknown character
// tells at least from which directory it starts.
import type { ShellWord } from './bash-words';

const maxWords = 64;

/** `a{b,c}` as `ab` and `ac`; other words as they are. What is too much stays dynamic. */
export function expandBraces(word: ShellWord): ShellWord[] {
  if (!word.dynamic || !word.text.includes('{') || /[$`'"\\]/.test(word.text)) return [word];
  const texts = alternatives(word.text);
  if (texts.length === 1 || texts.length > maxWords) return [word];
  return texts.map((text) => ({ text, dynamic: /[*?[({]/.test(text) }));
}

function alternatives(text: string): string[] {
  for (let open = text.indexOf('{'); open >= 0; open = text.indexOf('{', open + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let at = open; at < text.length; at++) {
      if (text[at] === '{') depth++;
      else if (text[at] === ',' && depth === 1) commas.push(at);
      else if (text[at] === '}' && --depth === 0) {
        if (commas.length === 0) break;
        const edges = [open, ...commas, at];
        const inside = edges.slice(1).map((edge, index) => text.slice(edges[index]! + 1, edge));
        const found = inside.flatMap((one) => alternatives(text.slice(0, open) + one + text.slice(at + 1)));
        return found.slice(0, maxWords + 1);
      }
    }
  }
  return [text];
}

/** The directory that a dynamic word surely passes; undefined where its beginning is not known. */
export function knownDirectory(text: string): string | undefined {
  const known = text.slice(0, text.search(/[$`*?[{(]|$/));
  const slash = known.lastIndexOf('/');
  if (slash >= 0) return known.slice(0, slash) || '/';
  return /^\.\.$/.test(known) ? known : undefined;
}

const ownHome = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;

/** The pattern of a rule: what it says of its writer's home counts for the home of the sandbox. */
export function patternInHome(pattern: string, home: string): string {
  return pattern.replace(ownHome, () => home);
}

/** `~` is the home; that of somebody else is somewhere else. `$HOME` as it stands in a word. */
export function withHome(text: string, home: string): string {
  const own = ownHome.exec(text);
  if (own !== null) return home + text.slice(own[0].length);
  return /^~[^+-]/.test(text) ? `/${text}` : text;
}

// Expressions of awk, compiled once.
import { posixSource } from './regex';

const regexes = new Map<string, RegExp>();

/** A dynamic or constant expression of awk, compiled once. */
export function awkRegex(source: string): RegExp {
  let regex = regexes.get(source);
  if (!regex) {
    if (regexes.size > 500) regexes.clear();
    regex = new RegExp(
      posixSource(source.replace(/\\"/g, '"').replace(/\\\//g, '/').replace(/\\y/g, '\\b'), true),
      'gs',
    );
    regexes.set(source, regex);
  }
  return regex;
}

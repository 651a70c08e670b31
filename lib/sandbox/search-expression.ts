// What a search of texts looks for, as the one expression that every sandbox and the replacing go by.
import { escapeRegExp } from '../std/glob';
import type { SearchOptions } from './sandbox';

/** The expression of a text search; a bad pattern throws a SyntaxError in the words of the JavaScript engine. */
export function searchExpression(options: SearchOptions): RegExp {
  const source = options.literal ? escapeRegExp(options.pattern) : options.pattern;
  const flags = `g${options.ignoreCase ? 'i' : ''}m${options.multiline ? 's' : ''}`;
  // `u` gives code points and strict errors, but refuses harmless escapes (`\-`) that models write often.
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

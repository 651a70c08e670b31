// The value of `name=( … )`.
import type { Word } from 'unbash';
import { parseWord } from '../parse';
import type { Shell } from '../state';
import { copyValue, isAssociative, isIndexed, scalarOf, type Value } from '../variables';
import { evaluate } from './arithmetic';
import { arithmeticScope, position } from './scope';
import { expandString, expandText, expandWords } from './word';

/** Elements in order; `[key]=value` sets a key, `[key]+=value` appends. `append`: `+=( … )`. Indexes are computed after all words. */
export async function arrayFromWords(
  shell: Shell,
  name: string,
  elements: readonly Word[],
  associative: boolean,
  append: boolean,
): Promise<Value> {
  const variable = shell.vars.find(name);
  const before = variable?.value;
  if (associative) {
    const old = isAssociative(before) ? before.keys : new Map(scalarOf(before) ? [['0', scalarOf(before)!]] : []);
    return associativeFrom(shell, elements, append ? new Map(old) : new Map());
  }
  const words: { key?: string; value: string; append?: boolean }[] = [];
  for (const element of elements) {
    const keyed = splitElement(element.text);
    if (keyed) {
      const value = await expandString(shell, parseWord(keyed.value), { quoted: false, assignment: true });
      words.push({ key: (await expandText(shell, keyed.key)).replaceAll('"', ''), value, append: keyed.append });
    } else for (const value of await expandWords(shell, [element])) words.push({ value });
  }
  let result = new Map<number, string>();
  if (append) {
    if (isIndexed(before)) result = copyValue(before) as Map<number, string>;
    else if (scalarOf(before) !== undefined) result.set(0, scalarOf(before)!);
  }
  // An index may ask for an element that stands before it.
  if (variable && !variable.readonly && words.some((word) => word.key !== undefined)) variable.value = result;
  let next = result.size === 0 ? 0 : Math.max(...result.keys()) + 1;
  for (const { key, value, append: more } of words) {
    const index = key === undefined ? next : position(shell, name, key, result);
    if (variable?.integer) {
      const sum = more ? `${result.get(index) || 0}+(${value || 0})` : value;
      result.set(index, String(evaluate(sum, arithmeticScope(shell))));
    } else result.set(index, more ? (result.get(index) ?? '') + value : value);
    next = index + 1;
  }
  return result;
}

/** Without any `[key]=`, the words are keys and values in turn; beside some, a word alone is an error. */
async function associativeFrom(shell: Shell, elements: readonly Word[], keys: Map<string, string>): Promise<Value> {
  const loose: string[] = [];
  for (const element of elements) {
    const keyed = splitElement(element.text);
    if (!keyed) {
      loose.push(await expandString(shell, element));
      continue;
    }
    const key = await expandString(shell, parseWord(keyed.key.replace(/ /g, '\\ ')));
    const value = await expandString(shell, parseWord(keyed.value), { quoted: false, assignment: true });
    keys.set(key, keyed.append ? (keys.get(key) ?? '') + value : value);
  }
  for (let i = 0; i < loose.length; i += 2) keys.set(loose[i]!, loose[i + 1] ?? '');
  return { keys };
}

/** `[key]=value` taken apart; undefined for another word. */
function splitElement(text: string): { key: string; value: string; append: boolean } | undefined {
  if (!text.startsWith('[')) return undefined;
  let depth = 0;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '\\') i++;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) {
      const rest = text.slice(i + 1);
      const append = rest.startsWith('+=');
      if (!append && !rest.startsWith('=')) return undefined;
      return { key: text.slice(1, i), value: rest.slice(append ? 2 : 1), append };
    }
  }
  return undefined;
}

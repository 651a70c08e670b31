// The value of `name=( … )`.
import type { Word } from 'unbash';
import { parseWord } from '../parse';
import type { Shell } from '../state';
import { copyValue, isAssociative, isIndexed, scalarOf, type Value } from '../variables';
import { position } from './scope';
import { expandString, expandWords } from './word';

/** Elements in order; `[key]=value` sets a key, `[key]+=value` appends. `append`: `+=( … )`. */
export async function arrayFromWords(
  shell: Shell,
  name: string,
  elements: readonly Word[],
  associative: boolean,
  append: boolean,
): Promise<Value> {
  const before = shell.vars.find(name)?.value;
  if (associative)
    return associativeFrom(shell, elements, append && isAssociative(before) ? new Map(before.keys) : new Map());
  let result = new Map<number, string>();
  if (append) {
    if (isIndexed(before)) result = copyValue(before) as Map<number, string>;
    else if (scalarOf(before) !== undefined) result.set(0, scalarOf(before)!);
  }
  let next = result.size === 0 ? 0 : Math.max(...result.keys()) + 1;
  for (const element of elements) {
    const keyed = splitElement(element.text);
    if (keyed) {
      const index = position(shell, name, await expandString(shell, parseWord(keyed.key)), result);
      const value = await expandString(shell, parseWord(keyed.value), { quoted: false, assignment: true });
      result.set(index, keyed.append ? (result.get(index) ?? '') + value : value);
      next = index + 1;
    } else for (const word of await expandWords(shell, [element])) result.set(next++, word);
  }
  return result;
}

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

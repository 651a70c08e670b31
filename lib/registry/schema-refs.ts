// References of a schema: only what the schema itself holds can be meant, because nobody fetches anything for it.
import { InexpressibleSchema, isSchemaObject, type Schema } from './schema-shape';

/** What a pointer of `root` means. Throws an InexpressibleSchema for what is elsewhere or missing. */
export function refTarget(root: Schema, ref: unknown): unknown {
  if (typeof ref !== 'string') throw new InexpressibleSchema('a $ref is not a string');
  if (ref === '#') return root;
  if (!ref.startsWith('#/'))
    throw new InexpressibleSchema(`it refers to ${ref.slice(0, 80)}, which it does not hold itself`);
  let at: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const key = unescaped(step);
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isSchemaObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    if (at === undefined)
      throw new InexpressibleSchema(`it refers to ${ref.slice(0, 80)}, which it does not hold itself`);
  }
  return at;
}

function unescaped(step: string): string {
  let plain = step;
  try {
    plain = decodeURIComponent(step);
  } catch {
    // A lone percent sign is a character of the name.
  }
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A safe name for `$defs` that no other pointer has got: the last word of the pointer, numbered when taken. */
export function defName(ref: string, taken: ReadonlySet<string>): string {
  const word = unescaped(ref.split('/').at(-1)!).replace(/[^A-Za-z0-9_]/g, '_');
  const stem = /^_*$/.test(word) ? 'root' : word.slice(0, 48);
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}_${number}`;
    if (!taken.has(name)) return name;
  }
}

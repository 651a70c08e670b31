// One value of the person's opencode.json, read and changed in its text: comments and the rest stay as they were written.
import type { JSONPath } from 'jsonc-parser';
import { isRecord } from '../std/json';

/** What stands there; undefined for nothing, and where the text can't be read. */
export async function valueIn(text: string, path: readonly string[]): Promise<unknown> {
  const root = await parsed(text);
  let value: unknown = root;
  for (const key of path) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** The text with that value there; undefined takes it away. Rejects with an Error fit to show when the text is no object. */
export async function withValue(text: string, path: readonly string[], value: unknown): Promise<string> {
  const { applyEdits, modify } = await import('jsonc-parser');
  const from = text.trim() === '' ? '{}\n' : text;
  const root = await parsed(from);
  if (!isRecord(root)) throw new Error('Your opencode.json can’t be read as it is. Mend it there first.');
  const change = (now: string, at: JSONPath, to: unknown) =>
    applyEdits(now, modify(now, at, to, { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } }));
  let changed = from;
  // `"permission": "ask"` says it for all; its exception needs the longer form.
  const [first, ...rest] = path;
  const above = root[first!];
  if (rest.length > 0 && above !== undefined && !isRecord(above)) {
    if (value === undefined) return from;
    changed = change(changed, [first!], first === 'permission' ? { '*': above } : {});
  }
  changed = change(changed, [...path], value);
  const left = await valueIn(changed, path.slice(0, -1));
  const isEmptied = value === undefined && rest.length > 0 && isRecord(left) && Object.keys(left).length === 0;
  return isEmptied ? change(changed, [first!], undefined) : changed;
}

async function parsed(text: string): Promise<unknown> {
  const { parse } = await import('jsonc-parser');
  const errors: { error: number; offset: number; length: number }[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}

// The person's own skills, agents and commands as a list that can be changed: entries of their opencode.json, which stays their only home. What a
// form has no field for stays in the entry as it is.
import { isRecord } from '../std/json';
import { withValue } from './change-config';

/** Sections of the file, in the order in which they are shown. */
export const entryKinds = ['skill', 'agent', 'command'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** What the text of an entry is called in the file. */
export const textKey: Record<EntryKind, string> = { skill: 'body', agent: 'prompt', command: 'template' };

/** One entry. `value` is all of it, as it is in the file. */
export interface OwnEntry {
  kind: EntryKind;
  name: string;
  description: string;
  text: string;
  value: Record<string, unknown>;
}

/** What the files of one skill may have together, in UTF-16 units: the browser keeps little. */
export const maxSkillFiles = 400_000;

/** All entries in the order of the file; what is no object is left out, for it is told elsewhere. Empty for a text that can't be read. */
export async function ownEntries(config: string): Promise<OwnEntry[]> {
  const { parse } = await import('jsonc-parser');
  const root: unknown = parse(config, [], { allowTrailingComma: true });
  if (!isRecord(root)) return [];
  return entryKinds.flatMap((kind) => {
    const section = root[kind];
    if (!isRecord(section)) return [];
    return Object.entries(section).flatMap(([name, value]) => (isRecord(value) ? [entryOf(kind, name, value)] : []));
  });
}

/** An entry of these members. */
export function entryOf(kind: EntryKind, name: string, value: Record<string, unknown>): OwnEntry {
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : '');
  return { kind, name, description: text('description'), text: text(textKey[kind]), value };
}

/** The entry's value with these words; members that it has besides stay. An empty description is none. */
export function withWords(entry: OwnEntry, description: string, text: string): Record<string, unknown> {
  const { description: _old, [textKey[entry.kind]]: _text, ...rest } = entry.value;
  return { ...(description === '' ? {} : { description }), ...rest, [textKey[entry.kind]]: text };
}

/** A skill's files by path; those that are no text are left out. */
export function filesOf({ value }: Pick<OwnEntry, 'value'>): Record<string, string> {
  if (!isRecord(value.files)) return {};
  return Object.fromEntries(
    Object.entries(value.files).filter((file): file is [string, string] => typeof file[1] === 'string'),
  );
}

/** Why this can't be an entry's name, as a sentence; undefined: it can. */
export function nameProblem(kind: EntryKind, name: string): string | undefined {
  if (name === '') return 'Give it a name.';
  if (name.length > 64) return 'Names have at most 64 characters.';
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u.test(name)) return `A name is one word: letters, digits and . _ / - in it.`;
  if (kind === 'agent' && name === 'build') return 'build is the agent that is always there. Take another name.';
  return undefined;
}

/** The configuration with these entries in it, and without those that are not among them. Rejects as `withValue` does. */
export async function withEntries(
  config: string,
  put: readonly Pick<OwnEntry, 'kind' | 'name' | 'value'>[],
  taken: readonly Pick<OwnEntry, 'kind' | 'name'>[] = [],
): Promise<string> {
  let text = config;
  for (const { kind, name, value } of put) text = await withValue(text, [kind, name], value);
  const isPut = (one: Pick<OwnEntry, 'kind' | 'name'>) =>
    put.some(({ kind, name }) => kind === one.kind && name === one.name);
  for (const one of taken) if (!isPut(one)) text = await withValue(text, [one.kind, one.name], undefined);
  return text;
}

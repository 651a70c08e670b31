// What a plugin's `config` hook made of the project's configuration: OpenCode hands the object over, and what the plugin changes in it counts.
import { isRecord } from '../../std/json';

type Json = Record<string, unknown>;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The members that are new or others than before: of an object those of its members, of a list what was added. What was taken away is not among them. */
export function configChange(before: Json, after: Json): Json {
  const change: Json = {};
  for (const [key, value] of Object.entries(after)) {
    const was = before[key];
    if (value === undefined || isSame(value, was)) continue;
    if (isRecord(value) && isRecord(was)) {
      const entries = Object.entries(value).filter(([name, entry]) => !isSame(entry, was[name]));
      if (entries.length > 0) change[key] = Object.fromEntries(entries);
    } else if (Array.isArray(value) && Array.isArray(was))
      change[key] = value.filter((one) => !was.some((other) => isSame(one, other)));
    else change[key] = value;
  }
  return change;
}

// Paths of jq: reading, replacing and deleting what they lead to, without changing the value.
import { compareValues, JqError, type JsonObject, typeOf } from './jq-values';

function sliceBounds(length: number, key: { start?: unknown; end?: unknown }): [number, number] {
  const clamp = (value: unknown, otherwise: number, round: (number: number) => number) => {
    if (value === null || value === undefined) return otherwise;
    if (typeof value !== 'number') throw new JqError('Start and end indices of an array slice must be numbers');
    const at = round(value < 0 ? value + length : value);
    return Math.min(Math.max(at, 0), length);
  };
  const from = clamp(key.start, 0, Math.floor);
  return [from, Math.max(from, clamp(key.end, length, Math.ceil))];
}

/** `.[key]` of a value: a field, an element, a slice. Throws JqError. */
export function getIndex(value: unknown, key: unknown): unknown {
  if (typeOf(key) === 'object' && (value === null || typeof value === 'string' || Array.isArray(value))) {
    if (value === null) return null;
    if (typeof value === 'string') {
      const characters = [...value];
      return characters.slice(...sliceBounds(characters.length, key as object)).join('');
    }
    return (value as unknown[]).slice(...sliceBounds((value as unknown[]).length, key as object));
  }
  if (value === null && (typeof key === 'string' || typeof key === 'number' || key === null)) return null;
  if (typeOf(value) === 'object' && typeof key === 'string')
    return Object.hasOwn(value as object, key) ? (value as JsonObject)[key] : null;
  if (Array.isArray(value) && typeof key === 'number')
    return value[key < 0 ? Math.floor(key) + value.length : Math.floor(key)] ?? null;
  if (Array.isArray(value) && Array.isArray(key))
    return value.flatMap((_, at) =>
      key.every((item, offset) => compareValues(value[at + offset] ?? null, item) === 0) &&
      at + key.length <= value.length
        ? [at]
        : [],
    );
  throw new JqError(`Cannot index ${typeOf(value)} with ${typeof key === 'string' ? `"${key}"` : typeOf(key)}`);
}

/** The value at a path; null where it leads nowhere. */
export function getPath(value: unknown, path: unknown[]): unknown {
  return path.reduce((at: unknown, key) => (at === null ? null : getIndex(at, key)), value);
}

/** A copy with the value at a path replaced. */
export function setPath(value: unknown, path: unknown[], replacement: unknown): unknown {
  if (path.length === 0) return replacement;
  const [key, ...rest] = path;
  const inner = setPath(value === null ? null : getIndex(value, key), rest, replacement);
  if (typeof key === 'string') return { ...((value ?? {}) as JsonObject), [key]: inner };
  if (typeof key === 'number') {
    const copy = [...((value ?? []) as unknown[])];
    const at = key < 0 ? key + copy.length : key;
    if (at < 0) throw new JqError('Out of bounds negative array index');
    while (copy.length < at) copy.push(null);
    copy[at] = inner;
    return copy;
  }
  const copy = [...((value ?? []) as unknown[])];
  const [from, to] = sliceBounds(copy.length, key as object);
  copy.splice(from, to - from, ...(inner as unknown[]));
  return copy;
}

/** A copy without the values at the paths. */
export function deletePaths(value: unknown, paths: unknown[][]): unknown {
  return [...paths]
    .sort(compareValues)
    .reverse()
    .reduce((at: unknown, path) => deletePath(at, path), value);
}

function deletePath(value: unknown, path: unknown[]): unknown {
  if (path.length === 0 || value === null) return null;
  const [key, ...rest] = path;
  if (rest.length > 0) {
    const inner = getIndex(value, key);
    return inner === null ? value : setPath(value, [key], deletePath(inner, rest));
  }
  if (Array.isArray(value)) {
    if (typeof key === 'number') return value.filter((_, at) => at !== (key < 0 ? key + value.length : key));
    const [from, to] = sliceBounds(value.length, key as object);
    return [...value.slice(0, from), ...value.slice(to)];
  }
  if (typeof key !== 'string' || typeOf(value) !== 'object')
    throw new JqError(`Cannot delete field at ${typeOf(value)} index of ${typeOf(key)}`);
  const copy = { ...(value as JsonObject) };
  delete copy[key];
  return copy;
}

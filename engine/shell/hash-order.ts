// The order in which bash lists an associative array: that of its hash table, so that a script's output is the same here.
import { encodeText } from './io/text';

const FIRST_BUCKETS = 1024;

/** The entries as bash walks them: by bucket (FNV-1 of the key's bytes), the newest of a bucket first. */
export function hashOrder(keys: ReadonlyMap<string, string>): [string, string][] {
  if (keys.size < 2) return [...keys];
  let buckets = FIRST_BUCKETS;
  while (keys.size >= buckets * 2) buckets *= 4;
  return [...keys]
    .map((entry, age) => ({ entry, age, bucket: hash(entry[0]) & (buckets - 1) }))
    .sort((a, b) => a.bucket - b.bucket || b.age - a.age)
    .map(({ entry }) => entry);
}

function hash(text: string): number {
  let value = 2166136261;
  // Bytes are signed in the C of bash.
  for (const byte of encodeText(text)) value = Math.imul(value, 16777619) ^ ((byte << 24) >> 24);
  return value;
}

// Counting what visitors use, in memory: one process, forgotten at a restart, bounded in size whatever addresses come.

export interface RateLimit {
  /** Counts one; the answer says how long to wait when it was too many (and then nothing is counted). */
  take(key: string, nowMs?: number): { allowed: true } | { allowed: false; retryAfterMs: number };
}

/** At most `limit` in any `windowMs`, refilled evenly (a token bucket). A limit of 0 refuses everything. */
export function createRateLimit(limit: number, windowMs: number, maxKeys = 20_000): RateLimit {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take(key, nowMs = performance.now()) {
      const known = buckets.get(key);
      const tokens =
        known === undefined ? limit : Math.min(limit, known.tokens + ((nowMs - known.atMs) / windowMs) * limit);
      buckets.delete(key);
      if (tokens < 1) {
        buckets.set(key, { tokens, atMs: nowMs });
        return { allowed: false, retryAfterMs: limit === 0 ? windowMs : ((1 - tokens) / limit) * windowMs };
      }
      buckets.set(key, { tokens: tokens - 1, atMs: nowMs });
      if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value!);
      return { allowed: true };
    },
  };
}
